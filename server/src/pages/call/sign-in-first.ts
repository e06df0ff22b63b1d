import type { PageCall } from './page-call.ts'
import { addressOfState } from './state-address.ts'

/** Returns the path and query, below the root, of the requested page or of the page whose form was sent. */
export function pathOfState({ request, isOwnDomain }: PageCall): string {
  const address = addressOfState(request)
  return isOwnDomain ? address : address.replace(/^\/t\/[^/]+/, '')
}

/** Sends the reader to sign in, and then back to the same page. */
export const signInFirst = (page: PageCall) =>
  page.go(`/sign-in?${new URLSearchParams({ redirect_to: page.addressOf(pathOfState(page)) }).toString()}`)
