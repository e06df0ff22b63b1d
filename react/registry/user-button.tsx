'use client'
// The user with a menu, with Tailwind classes. This file is yours: change it as you like.
import { useSession, useUser } from '@bailiwick/react'

const item = 'block w-full rounded-sm px-3 py-2 text-left text-sm hover:bg-accent hover:text-accent-foreground'

export interface UserButtonProps {
  /** The hosted page of the account, or a page of your own. */
  readonly accountPage: string
  /** Where the browser goes after signing out. */
  readonly redirectTo?: string
}

export function UserButton({ accountPage, redirectTo = '/' }: UserButtonProps) {
  const { user } = useUser()
  const { signOut } = useSession()
  if (user === undefined || user === null) return null
  const name = user.name ?? user.emails[0]?.email ?? user.username ?? ''
  return (
    <>
      <button
        type="button"
        popoverTarget="user-menu"
        aria-label={`Account of ${name}`}
        className="flex size-9 items-center justify-center overflow-hidden rounded-full bg-muted text-sm font-medium"
      >
        {user.imageUri === null ? (
          name.slice(0, 1).toUpperCase()
        ) : (
          <img src={user.imageUri} alt="" className="size-full" />
        )}
      </button>
      {/* Below the button, in browsers that place one element by another. */}
      <div
        id="user-menu"
        popover="auto"
        className="m-0 mt-1 min-w-48 rounded-md border bg-popover p-1 text-popover-foreground shadow-md [position-area:bottom_span-right] [position-try-fallbacks:flip-inline]"
      >
        <p className="px-3 py-2 text-sm text-muted-foreground">{name}</p>
        <a className={item} href={accountPage}>
          Manage account
        </a>
        <button type="button" className={item} onClick={() => void signOut({ redirectTo })}>
          Sign out
        </button>
      </div>
    </>
  )
}
