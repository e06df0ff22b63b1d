'use client'
// Links to the hosted pages of the signed-in user.
import type { ReactNode } from 'react'
import type { Appearance } from './appearance.ts'
import { useSnapshot } from './hooks.ts'
import { useLook } from './look.ts'
import { useBailiwick } from './provider.tsx'

export interface PageLinkProps {
  readonly appearance?: Appearance | undefined
  readonly className?: string | undefined
  /** Replaces the component's own label. */
  readonly children?: ReactNode
}

interface Target {
  readonly href: string
  readonly label: string
  readonly isPrimary?: boolean
}

export function PageLink({ appearance, children, className = '', href, isPrimary, label }: PageLinkProps & Target) {
  const { classes, style } = useLook(appearance)
  const [own, part] = isPrimary ? (['bw-primary', 'primaryButton'] as const) : (['bw-secondary', 'button'] as const)
  return (
    <a className={`${classes(`bw bw-button ${own}`, part)} ${className}`} href={href} style={style}>
      {children ?? label}
    </a>
  )
}

/**
 * A link to the page on which users manage their own account.
 * @example
 * ```tsx
 * import { UserProfile } from '@bailiwick/react'
 *
 * export const Settings = () => <UserProfile>Your account</UserProfile>
 * ```
 */
export function UserProfile(props: PageLinkProps) {
  const { pages, texts } = useBailiwick()
  return <PageLink {...props} href={pages.account} label={texts.account} />
}

export interface OrganizationProfileProps extends PageLinkProps {
  /** The active organization unless given. If there is none, the link leads to all organizations of the user. */
  readonly organizationId?: string | undefined
}

/**
 * A link to the page of an organization.
 * @example
 * ```tsx
 * import { OrganizationProfile } from '@bailiwick/react'
 *
 * export const Settings = () => <OrganizationProfile>Your team</OrganizationProfile>
 * ```
 */
export function OrganizationProfile({ organizationId, ...props }: OrganizationProfileProps) {
  const { pages, texts } = useBailiwick()
  const active = useSnapshot(({ auth }) => (auth.status === 'signed_in' ? auth.session.organization?.id : undefined))
  const id = organizationId ?? active
  const href = id === undefined ? pages.organizations : pages.organization(id)
  return <PageLink {...props} href={href} label={texts.organizations} />
}
