'use client'
// The hooks: who is signed in, and actions such as signing out.
import type { OwnOrganization } from '@bailiwick/contract'
import { useEffect, useSyncExternalStore } from 'react'
import {
  type ActiveOrganization,
  type AuthState,
  type RecentProof,
  type Session,
  type Snapshot,
  type User,
  hasRecentProof,
} from './auth-state.ts'
import { useBailiwick } from './provider.tsx'

/** Returns a part of the state. The component is rendered again when that part changes. */
export function useSnapshot<Part>(select: (snapshot: Snapshot) => Part): Part {
  const { store } = useBailiwick()
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.snapshot()),
    () => select(store.initial),
  )
}

const authOf = ({ auth }: Snapshot): AuthState => auth

const describeKnowledge = ({ status }: AuthState) => ({
  isLoaded: status !== 'loading',
  isSignedIn: status === 'loading' ? undefined : status === 'signed_in',
})

/** Undefined while nothing is known, and null if nobody is signed in. */
const selectPart = <Part extends 'user' | 'session'>(auth: AuthState, part: Part) =>
  auth.status === 'signed_in' ? auth[part] : auth.status === 'loading' ? undefined : null

export type UseUser =
  | { readonly isLoaded: false; readonly isSignedIn: undefined; readonly user: undefined }
  | { readonly isLoaded: true; readonly isSignedIn: false; readonly user: null }
  | { readonly isLoaded: true; readonly isSignedIn: true; readonly user: User }

/**
 * Returns the signed-in user, with addresses, role and public metadata.
 * @example
 * ```tsx
 * import { useUser } from '@bailiwick/react'
 *
 * export function Greeting() {
 *   const { isSignedIn, user } = useUser()
 *   return isSignedIn ? <p>Hello {user.name}</p> : null
 * }
 * ```
 */
export function useUser(): UseUser {
  const auth = useSnapshot(authOf)
  return { ...describeKnowledge(auth), user: selectPart(auth, 'user') } as UseUser
}

interface SessionActions {
  /** The reason why nothing is known, if the service could not be reached. */
  readonly error: unknown
  /** Asks the service again. Call it after your own code has changed the user, a role or an organization. */
  readonly refresh: () => Promise<void>
  /** Ends the session, here and in the other tabs. Then goes to `redirectTo`, if given. */
  readonly signOut: (wish?: { readonly redirectTo?: string }) => Promise<void>
}

export type UseSession = SessionActions &
  (
    | { readonly isLoaded: false; readonly isSignedIn: undefined; readonly session: undefined }
    | { readonly isLoaded: true; readonly isSignedIn: false; readonly session: null }
    | { readonly isLoaded: true; readonly isSignedIn: true; readonly session: Session }
  )

/**
 * Returns the session with its permissions, and the actions on it. The permissions decide what is shown; your servers decide what is
 * allowed.
 * @example
 * ```tsx
 * import { useSession } from '@bailiwick/react'
 *
 * export function SignOutButton() {
 *   const { signOut } = useSession()
 *   return <button onClick={() => void signOut({ redirectTo: '/' })}>Sign out</button>
 * }
 * ```
 */
export function useSession(): UseSession {
  const { store } = useBailiwick()
  const auth = useSnapshot(authOf)
  const actions: SessionActions = {
    error: auth.status === 'loading' ? auth.error : undefined,
    refresh: store.changed,
    signOut: async ({ redirectTo } = {}) => {
      const address = (await store.signOut()) ?? redirectTo
      if (address !== undefined) location.assign(address)
    },
  }
  return { ...actions, ...describeKnowledge(auth), session: selectPart(auth, 'session') } as UseSession
}

export interface UseRecentProof {
  /** Whether the user has proven it; undefined while that is unknown, or nobody is signed in. */
  readonly isProven: boolean | undefined
  /** Goes to the hosted page on which the user proves it, and then back to `redirectTo`, or to this page. */
  readonly prove: (redirectTo?: string) => void
}

/**
 * Says whether the user has proven recently, or by a second factor, who it is, and leads to the proof. Your servers decide what is allowed:
 * they require the same with `requireRecent` of `@bailiwick/sdk`.
 * @example
 * ```tsx
 * import { useRecentProof } from '@bailiwick/react'
 *
 * export function PayButton({ pay }: { pay: () => void }) {
 *   const { isProven, prove } = useRecentProof({ level: 'second_factor', maxAge: 300 })
 *   return <button onClick={() => (isProven === true ? pay() : prove())}>Pay</button>
 * }
 * ```
 */
export function useRecentProof(proof: RecentProof): UseRecentProof {
  const { pages } = useBailiwick()
  const auth = useSnapshot(authOf)
  return {
    isProven: auth.status === 'signed_in' ? hasRecentProof(auth.session, proof) : undefined,
    prove: (redirectTo) => location.assign(pages.verify(proof, redirectTo ?? location.href)),
  }
}

export interface UseOrganization {
  /** Whether the organizations have been fetched. */
  readonly isLoaded: boolean
  /** The active one; null if none is active. */
  readonly organization: OwnOrganization | null
  /** The user's role and permissions in the active one. */
  readonly membership: ActiveOrganization | null
  /** Those that the user is a member of. */
  readonly organizations: readonly OwnOrganization[]
  /** Makes tokens speak for an organization, or for none if it is null. */
  readonly setActive: (id: string | null) => Promise<void>
}

/** A list that stays the same between two renderings. */
export const none: readonly never[] = []

/**
 * Returns the organizations of the signed-in user, and the active one.
 * @example
 * ```tsx
 * import { useOrganization } from '@bailiwick/react'
 *
 * export function Organizations() {
 *   const { organizations, setActive } = useOrganization()
 *   return organizations.map(({ id, name }) => (
 *     <button key={id} onClick={() => void setActive(id)}>{name}</button>
 *   ))
 * }
 * ```
 */
export function useOrganization(): UseOrganization {
  const { store } = useBailiwick()
  const auth = useSnapshot(authOf)
  const organizations = useSnapshot((snapshot) => snapshot.organizations)
  const isSignedIn = auth.status === 'signed_in'
  useEffect(() => {
    // If the service cannot be reached, the next component or the next visit tries again.
    if (isSignedIn) void store.wantOrganizations()
  }, [isSignedIn, store])
  const membership = auth.status === 'signed_in' ? auth.session.organization : null
  return {
    isLoaded: auth.status === 'signed_out' || organizations !== undefined,
    organization: organizations?.find(({ id }) => id === membership?.id) ?? null,
    membership,
    organizations: organizations ?? none,
    setActive: store.setActiveOrganization,
  }
}

export interface UseToken {
  /**
   * Returns a JWT for your own servers, which speaks for the active organization; null if nobody is signed in. It is valid for a minute
   * and is renewed before it expires, once for all callers: call this before each request instead of keeping its result.
   */
  readonly getToken: () => Promise<string | null>
}

/**
 * Returns the function that gets tokens for the app's own servers.
 * @example
 * ```tsx
 * import { useToken } from '@bailiwick/react'
 *
 * export function useOrders() {
 *   const { getToken } = useToken()
 *   return async () => fetch('/orders', { headers: { authorization: `Bearer ${await getToken()}` } })
 * }
 * ```
 */
export function useToken(): UseToken {
  const { store } = useBailiwick()
  return { getToken: store.getToken }
}
