// What browsers and password managers read about a tenant's passkeys, at the root of its domain.
import { hasRelyingParty, primaryDomain, relatedOrigins } from '../identity/authenticators/relying-party.ts'
import { notFound } from '../platform/http/api-error.ts'
import type { PageCall } from './call/page-call.ts'

/**
 * GET /.well-known/webauthn: the other origins on which passkeys of this domain work (Web Authentication Level 3 §5.11).
 * @throws ApiError not_found, on every domain but the tenant's primary one, and if there are no such origins.
 */
export function showRelatedOrigins(page: PageCall) {
  const { deps, tenant, ownHost, reply } = page
  const origins = ownHost === primaryDomain(tenant) ? relatedOrigins(deps.config, tenant) : []
  if (origins.length === 0) throw notFound()
  return reply.header('cache-control', 'public, max-age=600').send({ origins })
}

/** GET /.well-known/passkey-endpoints: where a password manager leads people who want a passkey (https://w3c.github.io/webappsec-passkey-endpoints/). */
export function showPasskeyEndpoints(page: PageCall) {
  const { deps, tenant, request, reply } = page
  const isOn = tenant.auth.strategySecurityKeyEnabled && hasRelyingParty(deps.config, tenant, request)
  const passkeys = page.addressOf('/account/passkeys')
  // It depends on the address by which the service was called, so no cache keeps it.
  return reply.send(isOn ? { enroll: passkeys, manage: passkeys } : {})
}
