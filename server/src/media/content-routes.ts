// Where the bytes of uploads arrive: beside the operations, for the body is no JSON and the address itself is the credential.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { uploadBytesMax } from '@bailiwick/contract'
import { hasValidChecksum, hashToken } from '../platform/crypto/tokens.ts'
import type { Deps } from './deps.ts'
import { ApiError, notFound } from '../platform/http/api-error.ts'
import type { Actor } from '../platform/http/principal.ts'
import { routePath, userAgentOf } from '../platform/http/route.ts'
import { endStream, expectStream } from '../platform/http/streamed-body.ts'
import { getTenant } from '../tenancy/tenants/tenants.ts'
import { checkUnclaimed } from './claim.ts'
import { fileOfMultipart, isMultipart } from './multipart.ts'
import { type UploadRow, selectUploadByToken } from './queries.ts'
import { receiveUpload } from './receive.ts'
import type { UploadLimits } from './upload-limits.ts'
import { contentPath } from './uploads.ts'

const path = contentPath('{id}')
/** For `http/methods.ts`, which knows paths by their operations. */
export const contentPaths = (['PUT', 'POST'] as const).map((method) => ({ method, path }))

/** What a multipart body may have beside the file. */
const aroundFileMax = 64 * 1024
/** What a sender may go on sending after a refusal, so that it gets to read the answer. */
const drainMs = 10_000

/** Anybody's pages may send to an address that they were given: nothing but the address lends any rights here. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '600',
}

async function findUpload({ db }: Deps, id: string, token: unknown): Promise<UploadRow> {
  if (typeof token !== 'string' || !hasValidChecksum(token)) throw notFound()
  const row = await selectUploadByToken(db, id, hashToken(token))
  if (row === undefined) throw notFound()
  return row
}

/** What is refused before a byte is read. */
function checkHeaders({ headers }: FastifyRequest, { size, mime }: UploadRow) {
  const type = headers['content-type']
  const isForm = isMultipart(type)
  // Browsers say `image/svg+xml;charset=utf-8` of text that a page has made.
  const essence = type?.split(';', 1)[0]?.trim().toLowerCase()
  if (!isForm && essence !== undefined && essence !== mime && essence !== 'application/octet-stream') {
    throw new ApiError('unsupported_media_type', { detail: `Send the bytes as ${mime}, or as multipart/form-data.` })
  }
  if (headers['content-encoding'] !== undefined) {
    throw new ApiError('unsupported_media_type', { detail: 'Send the bytes as they are, without a content coding.' })
  }
  const length = Number(headers['content-length'] ?? 0)
  if (length > size + (isForm ? aroundFileMax : 0)) {
    throw new ApiError('payload_too_large', { detail: `${size} bytes were announced.` })
  }
  return isForm
}

const actorOf = (upload: UploadRow, request: FastifyRequest): Actor => ({
  type: upload.actor_type,
  id: upload.actor_id,
  ip: request.ip,
  ua: userAgentOf(request),
})

export function uploadContentRoutes(app: FastifyInstance, deps: Deps, limits: UploadLimits) {
  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const { id } = request.params as { id: string }
    limits.arrive(request, reply)
    const found = await findUpload(deps, id, (request.query as { token?: unknown }).token)
    limits.send(reply, found.tenant_id, found.id)
    const isForm = checkHeaders(request, found)
    await getTenant(deps, found.tenant_id)
    checkUnclaimed(found, deps.clock.now())
    const openBody = () => (isForm ? fileOfMultipart(request.raw) : request.raw)
    await receiveUpload(deps, found, openBody, actorOf(found, request))
    return reply.send({ status: 'success', id: found.id })
  }

  app.register((raw, _options, done) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    raw.addHook('onRequest', (request, reply, next) => {
      reply.headers(crossOrigin)
      if (request.method !== 'OPTIONS') expectStream(request, reply)
      next()
    })
    raw.addHook('onSend', (request, reply, _payload, next) => {
      endStream(request, reply)
      next()
    })
    raw.addHook('onError', (request, _reply, _error, next) => {
      const hangUp = setTimeout(() => request.raw.destroy(), drainMs).unref()
      request.raw.once('close', () => clearTimeout(hangUp))
      next()
    })
    for (const method of ['PUT', 'POST'] as const) {
      raw.route({ method, url: routePath(path), bodyLimit: uploadBytesMax + aroundFileMax, handler: answer })
    }
    raw.route({ method: 'OPTIONS', url: routePath(path), handler: async (_request, reply) => reply.code(204).send() })
    done()
  })
}
