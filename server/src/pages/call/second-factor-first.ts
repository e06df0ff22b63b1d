// What pages do when an operation wants a second factor that the session has not proven yet: they lead to the proof, and back.
import type { PageCall } from './page-call.ts'
import { pathOfState } from './sign-in-first.ts'

/** Sends a user whose session lacks a second factor to prove or set up one, and then back to the same page. */
export const proveSecondFirst = (page: PageCall) => {
  const query = new URLSearchParams({ level: 'second_factor', redirect_to: page.addressOf(pathOfState(page)) })
  return page.go(`/verify?${query.toString()}`)
}

/** Returns whether an operation was refused because the session has proven no second factor yet. */
export const lacksSecondFactor = ({ session }: PageCall, code: string): boolean =>
  code === 'second_factor_required' && session !== undefined && session.row.second_factor_at === null
