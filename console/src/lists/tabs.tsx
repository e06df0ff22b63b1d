// The parts of one record, one at a time. Which one is open is kept in the address.
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSearchState } from './search-state.ts'

export interface Tab {
  /** The value in the address. */
  readonly key: string
  readonly title: string
  readonly content: ReactNode
}

interface TabsProps {
  /** What the tabs are of, for screen readers. */
  readonly label: string
  readonly tabs: readonly Tab[]
  /** Puts the open part beside something else. */
  readonly arrange?: (open: ReactNode) => ReactNode
}

export function Tabs({ label, tabs, arrange = (open) => open }: TabsProps) {
  const { pathname } = useLocation()
  const [{ tab: asked }] = useSearchState()
  const open = tabs.find(({ key }) => key === asked) ?? tabs[0]
  return (
    <>
      <nav className="tabs" aria-label={label}>
        {tabs.map(({ key, title }) => (
          <Link
            key={key}
            to={pathname}
            search={key === tabs[0]?.key ? {} : { tab: key }}
            aria-current={key === open?.key ? 'page' : undefined}
            data-open={key === open?.key}
            activeProps={{}}
          >
            {title}
          </Link>
        ))}
      </nav>
      {arrange(open?.content)}
    </>
  )
}
