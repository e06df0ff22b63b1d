// The cookies of end users: the session, the flow that a browser began, the known device, and who has put off the offer of a passkey. On the deployment's own address several
// tenants share a browser's cookies, so their names contain the tenant there.
import type { FastifyReply } from 'fastify'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

export type CookieKind = 'session' | 'flow' | 'device' | 'later'

const names: Readonly<Record<CookieKind, string>> = {
  session: '__Host-sid',
  flow: '__Host-flow',
  device: '__Host-device',
  later: '__Host-later',
}
const consoleSession = '__Host-console'
const value = /^[\w-]{1,128}$/

/** @param isOwnDomain whether the request was sent to a domain of the tenant. */
export function cookieName(kind: CookieKind, { row }: TenantEntry, isOwnDomain: boolean): string {
  if (row.kind === 'console' && kind === 'session') return consoleSession
  return isOwnDomain ? names[kind] : `${names[kind]}-${row.id}`
}

/** The name of the cookie of one of several accounts, before the id of its session. */
export const accountCookies = (tenant: TenantEntry, isOwnDomain: boolean): string =>
  isOwnDomain ? '__Host-account-' : `__Host-account-${tenant.row.id}-`

/** No browser that this service has set cookies in holds more. */
const accountCookiesMax = 20

/** Returns the ids of the sessions for which the header has a cookie of an account, each once. */
export function accountCookieIds(header: string | undefined, prefix: string): ReadonlySet<string> {
  const ids = new Set<string>()
  if (header?.includes(prefix) !== true) return ids
  for (const pair of header.split(';')) {
    const name = pair.split('=', 1)[0]?.trim() ?? ''
    const id = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    if (/^\w{8,64}$/.test(id)) ids.add(id)
    if (ids.size === accountCookiesMax) break
  }
  return ids
}

/** Returns the value of the only cookie of that name; undefined if there are two, because one of them may be forged. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  let found: string | undefined
  // It jumps from one pair that contains the name to the next, without parsing the others, because nearly every request passes here.
  for (let at = header.indexOf(name), end: number; at !== -1; at = header.indexOf(name, end)) {
    end = header.indexOf(';', at)
    if (end === -1) end = header.length
    const pair = header.slice(header.lastIndexOf(';', at) + 1, end)
    const equals = pair.indexOf('=')
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue
    if (found !== undefined) return undefined
    found = pair.slice(equals + 1).trim()
  }
  return found !== undefined && value.test(found) ? found : undefined
}

/** Sets a cookie, or removes it if the value is empty. `__Host-` binds it to exactly this host and to https. */
export function setCookie(reply: FastifyReply, name: string, token: string, maxAgeSeconds: number) {
  const sameSite = name === consoleSession ? 'Strict' : 'Lax'
  const cookie = `${name}=${token}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeSeconds}`
  reply.header('set-cookie', cookie)
}
