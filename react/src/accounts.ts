'use client'
// The accounts between which the user of this browser switches.
import type { BrowserAccount } from '@bailiwick/contract'
import { useEffect } from 'react'
import { none, useSnapshot, useUser } from './hooks.ts'
import { useBailiwick } from './provider.tsx'

export interface UseAccounts {
  /** Whether the accounts have been fetched. */
  readonly isLoaded: boolean
  /** Those that are signed in in this browser, each by the id of its session; empty unless the tenant allows several. */
  readonly accounts: readonly BrowserAccount[]
  /**
   * Makes another account the active one, in all tabs.
   * @throws BailiwickError not_found if it has ended, second_factor_required if the user has to sign in again.
   */
  readonly switchTo: (id: string) => Promise<void>
  /** Signs one account out. */
  readonly signOut: (id: string) => Promise<void>
  /** Goes to the hosted page that adds an account, and then back to `redirectTo`, or to this page. */
  readonly add: (redirectTo?: string) => void
}

const calls = () => import('./embedded/accounts-client.ts')

/**
 * Returns the accounts that are signed in in this browser, if the tenant has switched `severalAccountsEnabled` on.
 * @example
 * ```tsx
 * import { useAccounts } from '@bailiwick/react'
 *
 * export function Accounts() {
 *   const { accounts, add, switchTo } = useAccounts()
 *   return (
 *     <>
 *       {accounts.map(({ id, user }) => (
 *         <button key={id} onClick={() => void switchTo(id)}>{user.name}</button>
 *       ))}
 *       <button onClick={() => add()}>Add account</button>
 *     </>
 *   )
 * }
 * ```
 */
export function useAccounts(): UseAccounts {
  const { pages, store } = useBailiwick()
  const accounts = useSnapshot((snapshot) => snapshot.accounts)
  const userId = useUser().user?.id
  useEffect(() => {
    // Their code is loaded with them. If the service cannot be reached, the next component or the next visit tries again.
    void calls().then(({ loadAccounts }) => loadAccounts(store))
  }, [userId, store])
  return {
    isLoaded: accounts !== undefined,
    accounts: accounts ?? none,
    switchTo: async (id) => (await calls()).switchAccount(store, id),
    signOut: async (id) => (await calls()).endAccount(store, id),
    add: (redirectTo) => location.assign(`${pages.signIn(redirectTo ?? location.href)}&prompt=login`),
  }
}
