'use client'
// The members and invitations of an organization within the page. The code of the forms is loaded when it is first shown.
import { Suspense, lazy } from 'react'
import { useOrganization } from '../hooks.ts'
import { useLook } from '../look.ts'
import type { PanelProps } from './use-panel.ts'

export interface OrganizationProfileProps extends PanelProps {
  /** The active organization unless given. */
  readonly organizationId?: string | undefined
  /** Called when the user has left the organization. */
  readonly onLeft?: (() => void) | undefined
}

const OrganizationPanel = lazy(() =>
  import('./organization-panel.tsx').then((module) => ({ default: module.OrganizationPanel })),
)

/**
 * Shows the members of an organization and, to users with `org:manage`, lets them change roles, remove members, invite and rename, without leaving
 * your page. Shows nothing if no user is signed in or no organization is active. Domains, groups and sign-in rules are on the hosted page, to
 * which it links.
 * @example
 * ```tsx
 * import { OrganizationProfile } from '@bailiwick/react/organization-profile'
 *
 * export const TeamPage = () => <OrganizationProfile />
 * ```
 */
export function OrganizationProfile({ organizationId, ...props }: OrganizationProfileProps) {
  const { membership } = useOrganization()
  const { classes, style } = useLook(props.appearance)
  const id = organizationId ?? membership?.id
  if (id === undefined) return null
  return (
    <Suspense fallback={<div className={classes('bw bw-card', 'card')} style={style} aria-busy="true" />}>
      <OrganizationPanel key={id} {...props} organizationId={id} />
    </Suspense>
  )
}
