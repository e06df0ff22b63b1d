// Binds a form to the browser to which it was shown. The browser holds its flow's token in a cookie that no script and no other host can
// read or set; a form contains a value that is derived from it. A page that is left open longer than that cookie lasts must be loaded again
// before its form is accepted.
import { hash } from 'node:crypto'
import type { FrontendEndpoint } from '@bailiwick/contract'
import type { FastifyRequest } from 'fastify'
import type { FrontendCall } from '../../flows/frontend/frontend-call.ts'
import { isEqual } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'

type Call = FrontendCall<FrontendEndpoint>

const formTokenOf = (token: string) => hash('sha256', `form:${token}`, 'base64url')

/** Returns the form token of this browser, whose cookie is set if it has none, and lasts for an hour more with each page that is shown. */
export function formToken(call: Call): string {
  const { token } = call.newHeld('flow')
  call.give('flow', token)
  return formTokenOf(token)
}

/**
 * Returns whether a request says that it comes from a page of another host than the one that it is sent to; browsers send that with every
 * POST.
 */
function isFromElsewhere({ headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return true
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase()
}

/**
 * Refuses a form that was sent from a page of another site, or that was shown in another browser or too long ago.
 * @param sent the token that came with the form.
 * @throws ApiError origin_refused
 */
export function assertOwnForm(call: Call, sent: string | undefined): void {
  if (isFromElsewhere(call.request)) throw new ApiError('origin_refused')
  const token = call.heldToken('flow')
  if (token === undefined || sent === undefined || !isEqual(formTokenOf(token), sent)) {
    throw new ApiError('origin_refused')
  }
}
