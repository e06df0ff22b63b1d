// Where the browser goes after a sign-in: where the flow was to end, else where the tenant wants it, else to the account.
import type { TenantEntry } from '../tenancy/tenants/tenant-entry.ts'
import type { PageCall } from './call/page-call.ts'

export const accountPath = '/account'

const settings = {
  signIn: ['signInRedirectUri', 'homeUri'],
  signUp: ['signUpRedirectUri', 'signInRedirectUri', 'homeUri'],
  signOut: ['logoutRedirectUri'],
} as const

const firstOf = ({ auth }: TenantEntry, names: readonly (keyof typeof auth)[]): string | undefined =>
  names.map((name) => auth[name]).find((address): address is string => typeof address === 'string' && address !== '')

/** Undefined for one of these pages. */
export const destinationAfter = (page: PageCall, flow: keyof typeof settings, wanted: string | null | undefined) =>
  wanted ?? firstOf(page.tenant, settings[flow])

/** Sends the browser there. */
export function arrive(page: PageCall, flow: 'signIn' | 'signUp', wanted: string | null | undefined) {
  const address = destinationAfter(page, flow, wanted)
  if (address === undefined) return page.go(accountPath)
  return address.startsWith(page.addressOf('/')) ? page.reply.redirect(address, 303) : page.leave(address)
}
