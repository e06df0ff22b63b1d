// The operator's key, with which the operator of a deployment enters the console: accounts there are never the operator. The key is only in
// this page's memory, so that reloading or closing the page forgets it; nothing is stored, and nothing of it is shown.
import type { Fetch } from '@bailiwick/sdk'

let key: string | undefined

export const hasOperatorKey = (): boolean => key !== undefined

/** Makes every request from now on with the key; undefined forgets it. */
export function setOperatorKey(value: string | undefined) {
  key = value
}

/** Sends like `send`, as the operator while there is the key. It outranks the cookie of a session. */
export const asOperator =
  (send: Fetch): Fetch =>
  (url, init) =>
    send(url, key === undefined ? init : { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } })
