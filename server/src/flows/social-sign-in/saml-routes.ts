// The addresses of a SAML connection, outside both interfaces: providers call them, and know them by heart.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findConnection } from '../../enterprise/connections/find-connection.ts'
import { hasSingleLogout, samlSettings } from '../../enterprise/connections/saml-settings.ts'
import { acsUrl, ownEntityId, ownSloUrl } from '../../enterprise/saml/addresses.ts'
import type { SentMessage } from '../../enterprise/saml/logout/read-logout.ts'
import { nameIdUrn } from '../../enterprise/saml/saml-names.ts'
import { SamlRefusal } from '../../enterprise/saml/saml-refusal.ts'
import type { Deps } from '../../identity/deps.ts'
import { aheadBy } from '../../platform/clock.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { createAddressLimiter } from '../../platform/http/limits/address-limit.ts'
import { limitFactor } from '../../platform/http/limits/rate-limit.ts'
import { userAgentOf } from '../../platform/http/pipeline.ts'
import { msAheadAt } from '../../tenancy/test-mode/test-mode.ts'
import { acceptSamlResponse } from './saml-response.ts'

const perMinute = 300
/** A response of the greatest length, in base64, with its characters escaped. */
const formBytesMax = 256 * 1024

interface Params {
  readonly tenant: string
  readonly connection: string
}

async function writeMetadata(deps: Deps, { tenant, connection }: Params): Promise<string> {
  const known = await deps.tenants.byId(tenant)
  const row = known?.row.id === tenant ? await findConnection(deps.db, known.row.id, connection) : undefined
  if (row?.type !== 'saml') throw notFound()
  const { ownMetadataXml } = await import('../../enterprise/saml/provider/own-metadata.ts')
  const { nameIdFormat, ownCertificate } = samlSettings(row)
  return ownMetadataXml({
    entityId: ownEntityId(deps.config, row),
    acsUrl: acsUrl(deps.config, row),
    sloUrl: ownSloUrl(deps.config, row),
    nameIdFormat: nameIdUrn(nameIdFormat),
    certificate: ownCertificate,
  })
}

/**
 * Returns the address at which a browser continues that brings a message about signing out.
 * @throws ApiError not_found unless the connection has single logout, oauth_state_invalid for a message that is not believed.
 */
async function continueLogout(deps: Deps, request: FastifyRequest<{ Params: Params }>, sent: SentMessage) {
  const { tenant, connection } = request.params
  const known = await deps.tenants.byId(tenant)
  const row = known?.row.id === tenant ? await findConnection(deps.db, known.row.id, connection) : undefined
  if (row?.type !== 'saml' || row.state !== 'live' || !hasSingleLogout(samlSettings(row))) throw notFound()
  const { takeLogout } = await import('../../enterprise/single-logout/single-logout.ts')
  const actor = { type: 'system', id: row.id, ip: request.ip, ua: userAgentOf(request) } as const
  try {
    return await takeLogout(deps, row, sent, actor)
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error
    const { reason, message } = error
    deps.log.warn(
      { tenantId: tenant, connectionId: row.id, reason },
      `a message about signing out was refused: ${message}`,
    )
    throw new ApiError('oauth_state_invalid', { cause: error })
  }
}

/** @param fail answers with a page in a browser. */
export function samlRoutes(
  root: FastifyInstance,
  deps: Deps,
  fail: (deps: Deps, error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) {
  const count = perMinute * limitFactor(deps.config)
  const limiter = createAddressLimiter({ name: 'saml', count, windowSeconds: 60, clock: deps.clock })
  root.register(
    (app, _options, done) => {
      app.setErrorHandler(async (error, request, reply) => fail(deps, error, request, reply))
      app.removeAllContentTypeParsers()
      app.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: formBytesMax },
        (_request, body, parsed) => parsed(null, new URLSearchParams(body as string)),
      )
      app.get<{ Params: Params }>('/metadata', async (request, reply) => {
        limiter.take(request, reply)
        const xml = await writeMetadata(deps, request.params)
        return reply.header('content-type', 'application/samlmetadata+xml; charset=utf-8').send(xml)
      })
      app.post<{ Params: Params }>('/acs', async (request, reply) => {
        limiter.take(request, reply)
        if (!(request.body instanceof URLSearchParams)) throw new ApiError('oauth_state_invalid')
        const { tenant: tenantId, connection: connectionId } = request.params
        const actor = { type: 'anonymous', id: null, ip: request.ip, ua: userAgentOf(request) } as const
        const place = { tenantId, connectionId }
        const { body } = request
        const accept = () => acceptSamlResponse(deps, place, body, actor)
        return reply.redirect(await aheadBy(await msAheadAt(deps, tenantId), accept), 303)
      })
      // Its signature covers the query as it was sent. HEAD would sign people out, too.
      app.get<{ Params: Params }>('/slo', { config: { withoutHead: true } }, async (request, reply) => {
        limiter.take(request, reply)
        const url = request.raw.url ?? ''
        const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
        return reply.redirect(await continueLogout(deps, request, { query }), 303)
      })
      app.post<{ Params: Params }>('/slo', async (request, reply) => {
        limiter.take(request, reply)
        if (!(request.body instanceof URLSearchParams)) throw new ApiError('oauth_state_invalid')
        return reply.redirect(await continueLogout(deps, request, { form: request.body }), 303)
      })
      done()
    },
    { prefix: '/t/:tenant/saml/:connection' },
  )
}
