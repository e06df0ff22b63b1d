'use client'
// Components that show their children only to some users. Hidden content is still in the page's code: only your servers protect data.
import type { TenantPermission, TenantRole } from '@bailiwick/sdk/types'
import type { ReactNode } from 'react'
import { type AuthState, type RecentProof, type Session, type User, hasRecentProof } from './auth-state.ts'
import { useSnapshot } from './hooks.ts'

/** Whether nobody is signed in, as far as is known: if the service cannot be reached, the page must not be empty. */
const isOut = (auth: AuthState) => auth.status === 'signed_out' || 'error' in auth

export interface GateProps {
  readonly children?: ReactNode
}

/**
 * Shows its children if a user is signed in.
 * @example
 * ```tsx
 * import { SignedIn, UserButton } from '@bailiwick/react'
 *
 * export const Header = () => <SignedIn><UserButton /></SignedIn>
 * ```
 */
export function SignedIn({ children }: GateProps): ReactNode {
  return useSnapshot(({ auth }) => auth.status) === 'signed_in' ? children : null
}

/**
 * Shows its children if no user is signed in, or the service cannot say so, and nothing while that is not yet known.
 * @example
 * ```tsx
 * import { SignedOut, SignIn } from '@bailiwick/react'
 *
 * export const Header = () => <SignedOut><SignIn /></SignedOut>
 * ```
 */
export function SignedOut({ children }: GateProps): ReactNode {
  return useSnapshot(({ auth }) => isOut(auth)) ? children : null
}

export interface ProtectProps extends GateProps, RecentProof {
  /** A permission of the user's role in the tenant. */
  readonly permission?: TenantPermission
  /** A permission of the user's role in the active organization. */
  readonly organizationPermission?: TenantPermission
  /** The name of the user's role in the tenant. */
  readonly role?: TenantRole
  /** The name of the user's role in the active organization. */
  readonly organizationRole?: TenantRole
  /** Anything else that must hold. */
  readonly condition?: (session: Session, user: User) => boolean
  /** Shown to everybody else, but not while it is unknown who is signed in. */
  readonly fallback?: ReactNode
}

/**
 * Shows its children to a signed-in user who meets all conditions.
 * @example
 * ```tsx
 * import { Protect, SignIn } from '@bailiwick/react'
 *
 * export const Editor = () => (
 *   <Protect permission="articles:write" fallback={<SignIn />}>
 *     <textarea />
 *   </Protect>
 * )
 * ```
 */
export function Protect({ children, fallback = null, level, maxAge, ...wanted }: ProtectProps): ReactNode {
  const auth = useSnapshot((snapshot) => snapshot.auth)
  if (auth.status !== 'signed_in') return isOut(auth) ? fallback : null
  const { session, user } = auth
  const { organization } = session
  const isAllowed =
    (wanted.permission === undefined || session.permissions.includes(wanted.permission)) &&
    (wanted.role === undefined || session.role === wanted.role) &&
    (wanted.organizationPermission === undefined ||
      organization?.permissions.includes(wanted.organizationPermission) === true) &&
    (wanted.organizationRole === undefined || organization?.role === wanted.organizationRole) &&
    ((level ?? maxAge) === undefined || hasRecentProof(session, { level, maxAge })) &&
    (wanted.condition === undefined || wanted.condition(session, user))
  return isAllowed ? children : fallback
}
