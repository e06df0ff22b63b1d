// Extracts the file from a multipart body (RFC 7578), as sent by browsers' forms.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { ApiError, invalid } from '../../platform/http/api-error.ts'

const boundary = /^multipart\/form-data[ \t]*;[ \t]*boundary=(?:"([^"\\]{1,70})"|([\w'()+,./:=?-]{1,70}))[ \t]*$/i
const partsMax = 20

export const isMultipart = (contentType: string | undefined) => /^multipart\//i.test(contentType ?? '')

const refused = (message: string) => invalid('/file', 'invalid', message)

/** Gets each part that comes before the file and is not one. */
export type OnField = (name: string, value: string) => void

/**
 * Returns the content of the field `file`. Earlier parts are left to `onField`; nothing but the end may follow.
 * @throws ApiError unsupported_media_type; the stream fails with validation_failed for anything but one file.
 */
export async function fileOfMultipart(request: IncomingMessage, onField?: OnField): Promise<Readable> {
  if (!boundary.test(request.headers['content-type'] ?? '')) {
    throw new ApiError('unsupported_media_type', {
      detail: 'Send multipart/form-data with a boundary of at most 70 characters, or only the bytes with PUT.',
    })
  }
  const { Busboy } = await import('@fastify/busboy')
  const parser = new Busboy({
    headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
    limits: {
      parts: partsMax,
      fields: partsMax - 1,
      files: 1,
      fieldNameSize: 100,
      fieldSize: 16_384,
      headerPairs: 20,
      headerSize: 8192,
    },
  })
  return Readable.from(contentOf(request, parser, onField), { objectMode: false, highWaterMark: 64 * 1024 })
}

type Parser = InstanceType<(typeof import('@fastify/busboy'))['Busboy']>

async function* contentOf(request: IncomingMessage, parser: Parser, onField?: OnField): AsyncGenerator<Buffer> {
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const found = new Promise<Readable>((resolve) => {
    parser.on('file', (name, stream) => {
      if (onField !== undefined) parser.off('field', onField)
      stream.on('error', fail)
      if (name === 'file') return resolve(stream)
      stream.resume()
      fail(refused('must be the name of the field'))
    })
  })
  if (onField !== undefined) parser.on('field', onField)
  const ended = new Promise<undefined>((resolve) => parser.once('finish', () => resolve(undefined)))
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.once(limit, () => fail(refused(`must be the only file, among at most ${partsMax} parts`)))
  }
  parser.on('error', () => fail(refused('must be in a well-formed multipart body')))
  request.once('error', fail)
  request.once('aborted', () => fail(new Error('the sender hung up')))
  // A sender who hung up before anybody listened is not heard of again; a request without a body has ended without being cut short.
  if (request.destroyed && !request.readableEnded) fail(new Error('the sender hung up'))
  request.pipe(parser)
  try {
    const stream = await Promise.race([found, ended, failed])
    if (stream === undefined) throw refused('is required')
    const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    for (;;) {
      const { done, value } = await Promise.race([chunks.next(), failed])
      if (done === true) break
      yield value
    }
    await Promise.race([ended, failed])
  } finally {
    request.unpipe(parser)
    parser.destroy()
  }
}
