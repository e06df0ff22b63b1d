// The steps of a request that sends the bytes of an upload; its address is the credential. Their order is in service/interfaces.ts.
import { aroundFileBytesMax, binaryEndpoints } from '@bailiwick/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasValidChecksum } from '../../platform/crypto/tokens.ts'
import { Content, json } from '../../platform/http/answer.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { endStream, expectStream } from '../../platform/http/body/streamed-body.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { Exchange, type Step, type Steps, bind, routePath, userAgentOf } from '../../platform/http/pipeline.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { checkUnclaimed } from '../claim.ts'
import type { Deps } from '../deps.ts'
import { type UploadRow, selectUploadByToken } from '../queries.ts'
import { fileOfMultipart, isMultipart } from './multipart.ts'
import { receiveUpload } from './receive.ts'
import type { UploadLimits } from './upload-limits.ts'

const { sendUploadContent } = binaryEndpoints
/** How long a sender may continue after a refusal, so that it can read the answer. */
const drainMs = 10_000

/** Pages of any origin may send to an address that they were given, because nothing but the address grants access. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '600',
}

/** One request that sends bytes. */
export class UploadCall extends Exchange {
  /** Filled in by `authenticate`. */
  upload!: UploadRow
  /** Filled in by `checkHeaders`: whether the bytes are a part of a form. */
  isForm = false
}

async function findUpload({ db }: Deps, id: string, token: unknown): Promise<UploadRow> {
  if (typeof token !== 'string' || !hasValidChecksum(token)) throw notFound()
  const row = await selectUploadByToken(db, id, token)
  if (row === undefined) throw notFound()
  return row
}

/** Refuses what can be refused before a byte is read. Returns whether the bytes are a part of a form. */
function checkHeaders({ headers }: FastifyRequest, { size, mime }: UploadRow): boolean {
  const type = headers['content-type']
  const isForm = isMultipart(type)
  // Browsers send `image/svg+xml;charset=utf-8` for text that a page has made.
  const essence = type?.split(';', 1)[0]?.trim().toLowerCase()
  if (!isForm && essence !== undefined && essence !== mime && essence !== 'application/octet-stream') {
    throw new ApiError('unsupported_media_type', { detail: `Send the bytes as ${mime}, or as multipart/form-data.` })
  }
  if (headers['content-encoding'] !== undefined) {
    throw new ApiError('unsupported_media_type', { detail: 'Send the bytes without a Content-Encoding.' })
  }
  const length = Number(headers['content-length'] ?? 0)
  if (length > size + (isForm ? aroundFileBytesMax : 0)) {
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

export function createUploadSteps(deps: Deps, limits: UploadLimits) {
  return {
    /** Lets pages of any origin read the answer. */
    allowAnyOrigin: ({ reply }) => void reply.headers(crossOrigin),

    /** Gives the body, which is read while it arrives, its own time-out. */
    expectBody: ({ request, reply }) => expectStream(request, reply),

    /** Refuses an address that has sent too many requests. */
    limit: ({ request, reply }) => limits.arrive(request, reply),

    /** Finds the upload by the token in the address. */
    authenticate: async (call) => {
      const { id } = call.request.params as { id: string }
      call.upload = await findUpload(deps, id, (call.request.query as { token?: unknown }).token)
    },

    /** Refuses an upload that was tried too often. */
    limitUpload: ({ reply, upload }) => limits.send(reply, upload.tenant_id, upload.id),

    /** Refuses bytes whose headers do not match the upload. */
    checkHeaders: (call) => {
      call.isForm = checkHeaders(call.request, call.upload)
    },

    /** Refuses an upload whose tenant is gone, or whose bytes have arrived or are arriving. */
    authorize: async ({ upload }) => {
      await getTenant(deps, upload.tenant_id)
      checkUnclaimed(upload, deps.clock.now())
    },

    present: (call) => {
      call.answer = new Content(json, call.serializeBy(sendUploadContent.response, call.result))
    },
  } satisfies Record<string, Step<UploadCall>>
}

/** Registers the routes that receive uploads' bytes, without Fastify's body parsers. */
export function uploadContentRoutes(app: FastifyInstance, deps: Deps, steps: Steps<UploadCall>) {
  async function handler({ request, upload, isForm }: UploadCall) {
    const openBody = () => (isForm ? fileOfMultipart(request.raw) : request.raw)
    await receiveUpload(deps, upload, openBody, actorOf(upload, request))
    return { status: 'success', id: upload.id }
  }

  app.register((raw, _options, done) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    raw.addHook('onSend', (request, reply, _payload, next) => {
      endStream(request, reply)
      next()
    })
    raw.addHook('onError', (request, _reply, _error, next) => {
      const hangUp = setTimeout(() => request.raw.destroy(), drainMs).unref()
      request.raw.once('close', () => clearTimeout(hangUp))
      next()
    })
    bind(raw, { endpoint: sendUploadContent, handler }, (request, reply) => new UploadCall(request, reply), steps)
    const url = routePath(sendUploadContent.path)
    raw.route({
      method: 'OPTIONS',
      url,
      handler: async (_request, reply) => reply.headers(crossOrigin).code(204).send(),
    })
    done()
  })
}
