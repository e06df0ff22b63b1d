// What browsers and password managers read about a tenant's passkeys, at the root of its domain.
import { hasRelyingParty, primaryDomain, relatedOrigins } from '../identity/authenticators/relying-party.ts'
import { notFound } from '../platform/http/api-error.ts'
import type { PageCall } from './call/page-call.ts'

const maxAge = 'public, max-age=600'

const send = ({ reply }: PageCall, document: object) => reply.header('cache-control', maxAge).send(document)

/**
 * GET /.well-known/webauthn: the other origins on which passkeys of this domain work (Web Authentication Level 3 §5.11).
 * @throws ApiError not_found, on every domain but the tenant's primary one, and if there are no such origins.
 */
export function showRelatedOrigins(page: PageCall) {
  const { deps, tenant, ownHost } = page
  const origins = ownHost === primaryDomain(tenant) ? relatedOrigins(deps.config, tenant) : []
  if (origins.length === 0) throw notFound()
  return send(page, { origins })
}

/** GET /.well-known/passkey-endpoints: where a password manager leads people who want a passkey (https://w3c.github.io/webappsec-passkey-endpoints/). */
export function showPasskeyEndpoints(page: PageCall) {
  const { deps, tenant, request } = page
  const isOn = tenant.auth.strategySecurityKeyEnabled && hasRelyingParty(deps.config, tenant, request)
  const passkeys = page.addressOf('/account/passkeys')
  return send(page, isOn ? { enroll: passkeys, manage: passkeys } : {})
}
