// What ties a form to the browser that it was shown in. The browser holds a flow's token in a cookie that no script and no other host can
// read or set; a form carries what follows from it.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, readCookie, setCookie } from '../flows/frontend/cookies.ts'
import { hasValidChecksum, isEqual, newToken } from '../platform/crypto/tokens.ts'
import { ApiError } from '../platform/http/api-error.ts'
import type { TenantEntry } from '../tenancy/tenants/tenant-directory.ts'

/** A page that is left open for longer has to be loaded again before its form is taken. */
const heldSeconds = 60 * 60
const prefix = 'fl_'

const heldToken = ({ headers }: FastifyRequest, name: string): string | undefined => {
  const token = readCookie(headers.cookie, name)
  return token?.startsWith(prefix) === true && hasValidChecksum(token) ? token : undefined
}

const formTokenOf = (token: string) => hash('sha256', `form:${token}`, 'base64url')

/** The form token of this browser, which is given a cookie where it has none; each page that is shown lets it last for an hour more. */
export function formToken(
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantEntry,
  isOwnDomain: boolean,
): string {
  const name = cookieName('flow', tenant, isOwnDomain)
  const token = heldToken(request, name) ?? newToken(prefix)
  setCookie(reply, name, token, heldSeconds)
  return formTokenOf(token)
}

/** Whether a request says that it comes from a page at the very host that it is sent to; browsers say so with every POST. */
function isFromElsewhere({ headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return true
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase()
}

/**
 * Refuses a form that was sent from a page of somebody else's, or that was shown in another browser or too long ago.
 * @param sent the token that came with the form.
 * @throws ApiError origin_refused
 */
export function assertOwnForm(
  request: FastifyRequest,
  tenant: TenantEntry,
  isOwnDomain: boolean,
  sent: string | undefined,
): void {
  if (isFromElsewhere(request)) throw new ApiError('origin_refused')
  const token = heldToken(request, cookieName('flow', tenant, isOwnDomain))
  if (token === undefined || sent === undefined || !isEqual(formTokenOf(token), sent)) {
    throw new ApiError('origin_refused')
  }
}
