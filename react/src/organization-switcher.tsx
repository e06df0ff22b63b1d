'use client'
// Chooses the organization that the user works in.
import { useState } from 'react'
import type { Appearance } from './appearance.ts'
import { useOrganization, useUser } from './hooks.ts'
import { useLook } from './look.ts'
import { useBailiwick } from './provider.tsx'

export interface OrganizationSwitcherProps {
  readonly appearance?: Appearance | undefined
  /** Whether the user may work outside of any organization; true unless `false` is given. */
  readonly allowsNone?: boolean | undefined
  /** Called after tokens have come to speak for another organization. */
  readonly onChange?: ((organizationId: string | null) => void) | undefined
}

/**
 * Lets the user switch the active organization. Shows nothing if no user is signed in.
 * @example
 * ```tsx
 * import { OrganizationSwitcher } from '@bailiwick/react'
 *
 * export const Header = () => <OrganizationSwitcher onChange={() => location.reload()} />
 * ```
 */
export function OrganizationSwitcher({ allowsNone = true, appearance, onChange }: OrganizationSwitcherProps) {
  const { pages } = useBailiwick()
  const { classes, style, texts } = useLook(appearance)
  const { user } = useUser()
  const { isLoaded, membership, organizations, setActive } = useOrganization()
  /** The organization that was chosen and is not active yet. */
  const [wanted, setWanted] = useState<string>()
  if (user === undefined || user === null) return null
  const active = membership?.id ?? ''
  const choose = async (id: string) => {
    setWanted(id)
    await setActive(id === '' ? null : id)
    setWanted(undefined)
    onChange?.(id === '' ? null : id)
  }
  const isListed = active === '' || organizations.some(({ id }) => id === active)
  return (
    <div className={classes('bw bw-switcher', 'root')} style={style}>
      <select
        className={classes('bw-select', 'select')}
        aria-label={texts.organization}
        aria-busy={!isLoaded || wanted !== undefined}
        value={wanted ?? active}
        onChange={(event) => void choose(event.target.value)}
      >
        {(allowsNone || active === '') && <option value="">{texts.noOrganization}</option>}
        {!isListed && <option value={active}>…</option>}
        {organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <a className={classes('bw-link', 'link')} href={pages.organizations}>
        {texts.organizations}
      </a>
    </div>
  )
}
