// Bodies that are read while they arrive may take hours, so the time-out of a request does not hold for them: they are cut
// off when nothing has moved for a minute, in neither direction.
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'
import { ndjsonType } from './ndjson.ts'

const idleTimeoutMs = 60_000
const contentType = /^application\/x-ndjson[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

const streaming = new WeakSet<Socket>()
/** Those whose connections nothing else is going to close. */
const lasting = new WeakSet<FastifyReply>()

/** Whether the request time-out of this connection is to be passed over. */
export const isStreaming = (socket: Socket): boolean => streaming.has(socket)

/** Hands a body of newline-delimited JSON over unread; which operations take one is up to {@link streamedBody}. */
export function acceptStreamedBodies(app: FastifyInstance) {
  app.addContentTypeParser(ndjsonType, (_request, payload, done) => done(null, payload))
}

/** Before the body of an operation that streams it: its own time-out, and no request after it on the same connection. */
export function expectStream(request: FastifyRequest, reply: FastifyReply) {
  const { socket } = request.raw
  if (!reply.hasHeader('connection')) lasting.add(reply)
  // What is left of a body that was not read to its end would be taken for the next request.
  reply.header('connection', 'close')
  streaming.add(socket)
  reply.raw.setTimeout(idleTimeoutMs, () => socket.destroy())
}

/** Before the answer: where the body was read to its end after all, the next request may come on the same connection. */
export function endStream({ raw }: FastifyRequest, reply: FastifyReply) {
  if (!raw.readableEnded || !lasting.has(reply)) return
  reply.removeHeader('connection')
  streaming.delete(raw.socket)
}

/**
 * The body as a stream where the operation takes one, and only there.
 * @throws ApiError unsupported_media_type
 */
export function checkStreamed(request: FastifyRequest, isStreamed: boolean) {
  const isStream = request.body instanceof Readable
  const isDeclared = contentType.test(request.headers['content-type'] ?? '')
  if (isStream === isStreamed && (!isStreamed || isDeclared)) return
  throw new ApiError('unsupported_media_type', {
    detail: isStreamed ? `Send the body as ${ndjsonType} in UTF-8.` : 'Send the body as application/json in UTF-8.',
  })
}
