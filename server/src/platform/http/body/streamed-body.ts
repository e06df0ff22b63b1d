// Bodies that are read while they arrive may take hours, so the request time-out does not apply to them. They are cut off when nothing has
// moved in either direction for a minute.
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.ts'
import { ndjsonType } from './ndjson.ts'

const idleTimeoutMs = 60_000
/** The media types that operations read while the body arrives, and what their Content-Type looks like. */
const contentTypes = {
  [ndjsonType]: /^application\/x-ndjson[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i,
  'multipart/form-data': /^multipart\/form-data[ \t]*;/i,
} as const
type StreamedType = keyof typeof contentTypes

const streaming = new WeakSet<Socket>()
/** Streams whose connections nothing else will close. */
const lasting = new WeakSet<FastifyReply>()

/** Whether the request time-out does not apply to this connection. */
export const isStreaming = (socket: Socket): boolean => streaming.has(socket)

/** Passes bodies that are streamed on unread; {@link checkStreamed} decides which operations accept one. */
export function acceptStreamedBodies(app: FastifyInstance) {
  app.addContentTypeParser(Object.keys(contentTypes), (_request, payload, done) => done(null, payload))
}

/** Runs before the body is streamed: sets its own time-out, and allows no further request on the connection. */
export function expectStream(request: FastifyRequest, reply: FastifyReply) {
  const { socket } = request.raw
  if (!reply.hasHeader('connection')) lasting.add(reply)
  // The unread rest of a body would be taken for the next request.
  reply.header('connection', 'close')
  streaming.add(socket)
  reply.raw.setTimeout(idleTimeoutMs, () => socket.destroy())
}

/** Runs before the answer: if the body was read to its end, the connection may be used again. */
export function endStream({ raw }: FastifyRequest, reply: FastifyReply) {
  if (!raw.readableEnded || !lasting.has(reply)) return
  reply.removeHeader('connection')
  streaming.delete(raw.socket)
}

/**
 * Checks that the body is a stream of the right type where the operation takes one, and that it is not one elsewhere.
 * @throws ApiError unsupported_media_type
 */
export function checkStreamed(request: FastifyRequest, bodyType: StreamedType | undefined) {
  const isStream = request.body instanceof Readable
  const given = request.headers['content-type'] ?? ''
  if (bodyType === undefined ? !isStream : isStream && contentTypes[bodyType].test(given)) return
  const wanted = bodyType === ndjsonType ? `${ndjsonType} in UTF-8` : (bodyType ?? 'application/json in UTF-8')
  throw new ApiError('unsupported_media_type', { detail: `Send the body as ${wanted}.` })
}
