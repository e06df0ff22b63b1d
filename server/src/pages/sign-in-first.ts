import type { PageCall } from './page-call.ts'
import { addressOfState } from './state-address.ts'

/** Returns the path and query below the root of the page that is asked for, or that the form which was sent is on. */
export function pathOfState({ request, isOwnDomain }: PageCall): string {
  const address = addressOfState(request)
  return isOwnDomain ? address : address.replace(/^\/t\/[^/]+/, '')
}

/** Has the reader sign in, who comes back to the same page. */
export const signInFirst = (page: PageCall) =>
  page.go(`/sign-in?${new URLSearchParams({ redirect_to: page.addressOf(pathOfState(page)) }).toString()}`)
