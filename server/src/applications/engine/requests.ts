// Answers requests to the endpoints of the engine. Loaded with the first such request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { Deps } from '../../identity/deps.ts'
import { aheadBy } from '../../platform/clock.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { userAgentOf } from '../../platform/http/pipeline.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { readMsAhead } from '../../tenancy/test-mode/test-mode.ts'
import { issuerOfTenant } from '../settings/issuer.ts'
import { oauthSettingsOf } from '../settings/oauth-settings.ts'
import type { PlacedTenant } from '../settings/placed-tenant.ts'
import type { DrawEnginePages, EnginePages } from './engine-pages.ts'
import { oauthSignersOf } from './oauth-signers.ts'
import { createProvider } from './provider.ts'
import { RequestStore } from './requests/request-store.ts'
import { type Tenancy, runInTenancy } from './tenancy.ts'

type Answer = ReturnType<Provider['callback']>

let provider: Provider | undefined
let answer: Answer | undefined

/** One engine for all tenants, made when it is first needed. */
function engineProvider(): Provider {
  provider ??= createProvider()
  return provider
}

const anonymousActor = (request: FastifyRequest): Actor => ({
  type: 'anonymous',
  id: null,
  ip: request.ip,
  ua: userAgentOf(request),
})

export async function tenancyOf(
  deps: Deps,
  placed: PlacedTenant,
  actor: Actor,
  pages: EnginePages | null,
): Promise<Tenancy> {
  const { tenant, issuer, settings } = placed
  const store = new RequestStore(deps, tenant.row.id, issuer.id)
  const signer = await oauthSignersOf(deps).ofEntry(tenant)
  return { deps, tenant, issuer, settings, signer, rsaSigner: undefined, store, actor, pages }
}

/** Gives the engine the origin of the issuer in place of whatever the request says about its origin. */
function place({ raw }: FastifyRequest, { issuer }: PlacedTenant) {
  const { headers } = raw
  headers.host = issuer.host
  headers['x-forwarded-host'] = issuer.host
  headers['x-forwarded-proto'] = 'https'
  delete headers['x-forwarded-for']
  raw.url = (raw.url ?? '').slice(issuer.path.length)
}

export async function answerByEngine(
  deps: Deps,
  placed: PlacedTenant,
  request: FastifyRequest,
  reply: FastifyReply,
  draw: DrawEnginePages,
) {
  const ms = readMsAhead(deps.config, placed.tenant)
  const tenancy = await tenancyOf(deps, placed, anonymousActor(request), draw(deps, placed, request))
  answer ??= engineProvider().callback()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  reply.hijack()
  place(request, placed)
  await aheadBy(ms, () => runInTenancy(tenancy, () => answer?.(request.raw, raw)))
}

/**
 * Returns a client that describes itself in a document, which is read through the guarded outbound client; undefined if it cannot be read.
 */
export async function findSelfDescribed(deps: Deps, tenant: TenantEntry, clientId: string) {
  const settings = await oauthSettingsOf(deps.db, tenant)
  const placed = { tenant, settings, issuer: issuerOfTenant(deps, tenant, settings) }
  const tenancy = await tenancyOf(deps, placed, { type: 'anonymous', id: null, ip: null, ua: null }, null)
  try {
    return await runInTenancy(tenancy, () => engineProvider().Client.find(clientId))
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) return undefined
    throw error
  }
}
