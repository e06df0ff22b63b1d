// The calls for the accounts of a browser. Only apps that show them load these.
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import type { AuthStore } from '../auth-store.ts'

const createClient = ({ connection }: AuthStore) =>
  createFrontendClient(connection, {
    getBrowserAccounts: { method: 'GET', path: '/accounts' },
    switchBrowserAccount: { method: 'POST', path: '/accounts/{id}/switch' },
    endBrowserAccounts: { method: 'DELETE', path: '/accounts' },
  })

async function fetchAccounts(store: AuthStore) {
  await store.loadTenant()
  // An app that keeps tokens itself keeps those of several accounts itself, too.
  const isAllowed = store.snapshot().tenant?.auth['severalAccountsEnabled'] === true
  if (!isAllowed || store.connection.tokens !== undefined) return store.setAccounts([])
  store.setAccounts((await createClient(store).getBrowserAccounts()).accounts)
}

/** Fetches the accounts. Those from before stay if the service cannot be reached. */
export const loadAccounts = (store: AuthStore): Promise<void> => fetchAccounts(store).catch(() => undefined)

export async function switchAccount(store: AuthStore, id: string): Promise<void> {
  await createClient(store).switchBrowserAccount({ params: { id } })
  await store.changed()
}

export async function endAccount(store: AuthStore, id: string): Promise<void> {
  await createClient(store).endBrowserAccounts({ query: { id } })
  await store.changed()
  await loadAccounts(store)
}
