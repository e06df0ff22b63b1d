'use client'
// The signed-in user's picture. It opens a menu with the account, the organizations, the other accounts and signing out.
import { type ReactNode, Suspense, lazy, useEffect, useId, useRef, useState } from 'react'
import type { Appearance } from './appearance.ts'
import type { User } from './auth-state.ts'
import { useSession, useUser } from './hooks.ts'
import { useLook } from './look.ts'
import { useBailiwick } from './provider.tsx'
import { filled } from './texts/catalogue.ts'

export interface UserButtonProps {
  readonly appearance?: Appearance | undefined
  /** The address to which the browser goes after signing out; without it, the browser stays where it is. */
  readonly signOutRedirectTo?: string | undefined
  /** Further entries of the menu, between the links and signing out. */
  readonly children?: ReactNode
}

/** Loaded when the menu is opened for the first time. */
const Accounts = lazy(() => import('./embedded/accounts.tsx').then((module) => ({ default: module.Accounts })))

const menuWidth = 280
const gap = 8

const findEmail = ({ emails }: User) => (emails.find(({ primary }) => primary) ?? emails[0])?.email
const displayName = (user: User) => user.name ?? user.username ?? findEmail(user) ?? user.phones[0]?.phone ?? ''

/** Places the menu below the button, aligned with the button's end, within the window. */
function place(button: HTMLElement, menu: HTMLElement) {
  const { bottom, left, right } = button.getBoundingClientRect()
  const isRightToLeft = getComputedStyle(button).direction === 'rtl'
  const room = document.documentElement.clientWidth - gap
  const wanted = isRightToLeft ? left : right - menuWidth
  menu.style.top = `${bottom + scrollY + gap}px`
  menu.style.left = `${Math.max(gap, Math.min(wanted, room - menuWidth)) + scrollX}px`
}

/** Returns the address of a picture in the size in which it is shown, if it is one of the service's own. */
const small = (address: string) => (/\/media\/[^?]+\/image$/.test(address) ? `${address}?w=64&h=64&rm=crop` : address)

function Avatar({ className, user }: { readonly className: string; readonly user: User }) {
  return (
    <span className={className} aria-hidden="true">
      {user.imageUri === null ? /^./u.exec(displayName(user))?.[0] : <img src={small(user.imageUri)} alt="" />}
    </span>
  )
}

/** Returns references to the button and its menu, which opens below the button. Connects them again for another user. */
function usePlacedMenu(id: string, userId: string | undefined) {
  const [wasOpened, setWasOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // React 18 does not know the attribute, and React 19 spells it differently.
    button.current?.setAttribute('popovertarget', id)
    const { current } = menu
    const open = (event: Event) => {
      if ((event as ToggleEvent).newState !== 'open' || button.current === null || current === null) return
      place(button.current, current)
      setWasOpened(true)
    }
    current?.addEventListener('beforetoggle', open)
    return () => current?.removeEventListener('beforetoggle', open)
  }, [id, userId])
  return { button, menu, wasOpened }
}

/**
 * The user's picture with a menu for the account and for signing out. Shows nothing if no user is signed in, and keeps its space while
 * that is not yet known.
 * @example
 * ```tsx
 * import { UserButton } from '@bailiwick/react'
 *
 * export const Header = () => <header><UserButton signOutRedirectTo="/" /></header>
 * ```
 */
export function UserButton({ appearance, children, signOutRedirectTo }: UserButtonProps) {
  const { pages } = useBailiwick()
  const { classes, style, texts } = useLook(appearance)
  const { isLoaded, user } = useUser()
  const { signOut } = useSession()
  const [hasFailed, setHasFailed] = useState(false)
  const id = useId()
  const { button, menu, wasOpened } = usePlacedMenu(id, user?.id)
  if (!isLoaded) return <span className={classes('bw bw-avatar', 'avatar')} style={style} aria-hidden="true" />
  if (user === null) return null
  const leave = () => {
    setHasFailed(false)
    signOut(signOutRedirectTo === undefined ? {} : { redirectTo: signOutRedirectTo }).catch(() => setHasFailed(true))
  }
  const name = displayName(user)
  const email = findEmail(user)
  const item = classes('bw-item', 'menuItem')
  return (
    <div className={classes('bw bw-user', 'root')} style={style}>
      <button
        ref={button}
        type="button"
        className={classes('bw-user-button', 'userButton')}
        aria-label={filled(texts.userMenu, { name })}
      >
        <Avatar className={classes('bw-avatar', 'avatar')} user={user} />
      </button>
      <div ref={menu} id={id} popover="auto" className={classes('bw-menu', 'menu')}>
        <p className="bw-who">
          <b>{name}</b>
          {email !== undefined && email !== name && <span dir="ltr">{email}</span>}
        </p>
        <a className={item} href={pages.account}>
          {texts.account}
        </a>
        <a className={item} href={pages.organizations}>
          {texts.organizations}
        </a>
        {children}
        <Suspense>{wasOpened && <Accounts item={item} onFailed={setHasFailed} />}</Suspense>
        <button type="button" className={item} onClick={leave}>
          {texts.signOut}
        </button>
        <p role="alert" className="bw-error">
          {hasFailed && texts.failed}
        </p>
      </div>
    </div>
  )
}
