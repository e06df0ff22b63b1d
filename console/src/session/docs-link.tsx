// Links to the documentation, whose examples are then about the tenant that is open. The fragment stays in the browser.
import type { ReactNode } from 'react'
import { useTenantOrNone } from './tenant.tsx'

/** @param path below `/docs/`, perhaps with a fragment of its own. */
export const docsAddress = (path: string, tenantId: string | undefined): string =>
  `/docs/${path}${tenantId === undefined ? '' : `${path.includes('#') ? '' : '#'}&tenant=${tenantId}`}`

interface DocsLinkProps {
  readonly path: string
  /** Outside of the tenant's screens. */
  readonly tenantId?: string | undefined
  readonly children: ReactNode
}

export function DocsLink({ path, tenantId, children }: DocsLinkProps) {
  const open = useTenantOrNone()?.id
  return (
    <a href={docsAddress(path, tenantId ?? open)} target="_blank">
      {children}
    </a>
  )
}
