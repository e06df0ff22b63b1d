'use client'
// The organizations of the user within the page, to switch between them and to create one.
import { Suspense, lazy } from 'react'
import { useUser } from '../hooks.ts'
import { useLook } from '../look.ts'
import type { PanelProps } from './use-panel.ts'

export interface OrganizationSwitcherProps extends PanelProps {
  /** Whether the user may work outside of any organization; true unless `false` is given. */
  readonly allowsNone?: boolean | undefined
  /** Whether the user may create organizations here; true unless `false` is given. The tenant's settings decide whether it succeeds. */
  readonly allowsNew?: boolean | undefined
  /** Called after tokens have come to speak for another organization. */
  readonly onChange?: ((organizationId: string | null) => void) | undefined
}

const SwitcherPanel = lazy(() => import('./switcher-panel.tsx').then((module) => ({ default: module.SwitcherPanel })))

/**
 * Lets the user switch the active organization, and create one, without leaving your page. Shows nothing if no user is signed in.
 * @example
 * ```tsx
 * import { OrganizationSwitcher } from '@bailiwick/react/organization-switcher'
 *
 * export const Organizations = () => <OrganizationSwitcher onChange={() => location.reload()} />
 * ```
 */
export function OrganizationSwitcher(props: OrganizationSwitcherProps) {
  const { user } = useUser()
  const { classes, style } = useLook(props.appearance)
  if (user === undefined || user === null) return null
  return (
    <Suspense fallback={<div className={classes('bw bw-card', 'card')} style={style} aria-busy="true" />}>
      <SwitcherPanel key={user.id} {...props} />
    </Suspense>
  )
}
