// What resource servers read to verify tokens. Public, and the same for everybody: no origin is asked for.
import type { FastifyRequest } from 'fastify'
import type { FrontendRouter } from '../frontend/frontend-route.ts'
import { tenantOfRequest } from '../frontend/tenant-of-request.ts'
import { notFound } from '../http/api-error.ts'
import { issuerOf } from './session-jwt.ts'
import { keySetOf } from './key-set.ts'

const cacheControl = 'public, max-age=600'
const publicHeaders = { 'access-control-allow-origin': '*', 'cache-control': cacheControl }

export function wellKnownRoutes({ app, deps }: FrontendRouter) {
  const tenantOf = async (request: FastifyRequest) => {
    const found = await tenantOfRequest(deps, request, new URL(deps.config.baseUrl).host)
    if (found === undefined) throw notFound()
    return found.tenant
  }

  app.get('/.well-known/jwks.json', async (request, reply) => {
    const { row } = await tenantOf(request)
    return reply.headers(publicHeaders).send(await keySetOf(deps.db, row.id))
  })

  app.get('/.well-known/openid-configuration', async (request, reply) => {
    const tenant = await tenantOf(request)
    const issuer = issuerOf(deps, tenant)
    return reply.headers(publicHeaders).send({
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json?publicKey=${tenant.row.public_key}`,
      response_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      claims_supported: ['iss', 'sub', 'aud', 'iat', 'nbf', 'exp', 'jti', 'claims'],
    })
  })
}
