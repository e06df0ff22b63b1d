'use client'
// The account of the signed-in user within the page. The code of the forms is loaded when it is first shown.
import { Suspense, lazy } from 'react'
import { useUser } from '../hooks.ts'
import { useLook } from '../look.ts'
import type { PanelProps } from './use-panel.ts'

export type UserProfileProps = PanelProps

const UserPanel = lazy(() => import('./user-panel.tsx').then((module) => ({ default: module.UserPanel })))

/**
 * Lets the user change the name, the e-mail addresses, the phone numbers and the password, set up second factors and passkeys, and end other
 * sessions, without leaving your page. Some changes need a recent sign-in, to which it leads. Shows nothing if no user is signed in. Connected
 * accounts and the user's data are on the hosted page, to which it links.
 * @example
 * ```tsx
 * import { UserProfile } from '@bailiwick/react/user-profile'
 *
 * export const AccountPage = () => <UserProfile />
 * ```
 */
export function UserProfile(props: UserProfileProps) {
  const { user } = useUser()
  const { classes, style } = useLook(props.appearance)
  if (user === undefined || user === null) return null
  return (
    <Suspense fallback={<div className={classes('bw bw-card', 'card')} style={style} aria-busy="true" />}>
      <UserPanel key={user.id} {...props} />
    </Suspense>
  )
}
