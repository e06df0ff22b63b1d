// What resource servers read to verify tokens. It is public and the same for everybody, so no origin is checked.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keySetOf } from '../../identity/session-tokens/key-set.ts'
import { issuerOf } from '../../identity/session-tokens/session-jwt.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type Frontend, withoutTenant } from './frontend-steps.ts'
import { byHost, tenantOfRequest } from './tenant-of-request.ts'

const maxAge = 'max-age=600'

/**
 * Lets caches keep an answer. The tenant depends on the address (host and query) and on the header x-public-key. Some shared caches ignore
 * `Vary`, so an answer that was chosen by a header is only for the caller's own cache.
 */
function describe({ headers }: FastifyRequest, reply: FastifyReply) {
  const isByAddress = headers['x-public-key'] === undefined
  reply.headers({
    'access-control-allow-origin': '*',
    'cache-control': `${isByAddress ? 'public' : 'private'}, ${maxAge}`,
    vary: 'x-public-key, Host',
  })
}

export function wellKnownRoutes({ app, deps }: Frontend) {
  const ownHost = new URL(deps.config.baseUrl).host
  const publish = (path: string, make: (tenant: TenantEntry) => object | Promise<object>) =>
    app.get(path, async (request, reply) => {
      const found = await tenantOfRequest(deps, request, ownHost)
      if (found === undefined) throw withoutTenant(request)
      request.frontendTenantId = found.tenant.row.id
      const answer = await make(found.tenant)
      describe(request, reply)
      return reply.send(answer)
    })

  /** The same for a verified domain in the path. Clients that were written for another server read `data`. */
  const publishByDomain = (path: string, make: (tenant: TenantEntry) => Promise<object>) =>
    app.get<{ Params: { domain: string } }>(`${path}/:domain`, async (request, reply) => {
      const tenant = await byHost(deps, request.params.domain)
      if (tenant === undefined) throw new ApiError('not_found')
      request.frontendTenantId = tenant.row.id
      const answer = await make(tenant)
      describe(request, reply)
      return reply.send({ ...answer, status: 'success', data: answer })
    })

  publish('/.well-known/jwks.json', ({ row }) => keySetOf(deps.db, row.id))
  publishByDomain('/.well-known/jwks', async ({ row }) => {
    const jwks = await keySetOf(deps.db, row.id)
    return { ...jwks, jwks }
  })

  const describeIssuer = (tenant: TenantEntry) => {
    const issuer = issuerOf(deps, tenant)
    return {
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json?publicKey=${tenant.row.public_key}`,
      response_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      claims_supported: ['iss', 'sub', 'aud', 'iat', 'nbf', 'exp', 'jti', 'claims'],
    }
  }
  publish('/.well-known/openid-configuration', describeIssuer)
  publishByDomain('/.well-known/openid-configuration', async (tenant) => describeIssuer(tenant))
}
