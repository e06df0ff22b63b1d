// The two addresses of a SAML connection, outside both interfaces: providers call them, and know them by heart.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findConnection } from '../../enterprise/connections/find-connection.ts'
import { samlSettings } from '../../enterprise/connections/saml-settings.ts'
import { acsUrl, ownEntityId } from '../../enterprise/saml/addresses.ts'
import { nameIdUrn } from '../../enterprise/saml/saml-names.ts'
import type { Deps } from '../../identity/deps.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { createAddressLimiter } from '../../platform/http/limits/address-limit.ts'
import { limitFactor } from '../../platform/http/limits/rate-limit.ts'
import { userAgentOf } from '../../platform/http/pipeline.ts'
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
    nameIdFormat: nameIdUrn(nameIdFormat),
    certificate: ownCertificate,
  })
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
        return reply.redirect(await acceptSamlResponse(deps, place, request.body, actor), 303)
      })
      done()
    },
    { prefix: '/t/:tenant/saml/:connection' },
  )
}
