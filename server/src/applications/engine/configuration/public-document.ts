// A document that is the same for every caller, as the bytes that are sent: a tenant's metadata and its key set.
import type { FastifyReply } from 'fastify'
import type { Sendable } from '../../../platform/http/answer.ts'
import { entityTag, matchesTag } from '../../../platform/http/entity-tags.ts'

/** How long caches may keep a document, in seconds. */
export const documentMaxAge = 300

export class PublicDocument implements Sendable {
  readonly type: string
  /** Each character is one byte of UTF-8: that is written together with the headers, without being converted. */
  readonly bytes: string
  readonly #tag: string

  constructor(type: string, value: object) {
    const bytes = Buffer.from(JSON.stringify(value))
    this.type = type
    this.bytes = bytes.toString('latin1')
    this.#tag = entityTag(bytes)
  }

  send(reply: FastifyReply) {
    const { raw, request } = reply
    const headers = reply.getHeaders() as Record<string, string>
    headers['cache-control'] = `public, max-age=${documentMaxAge}`
    headers['access-control-allow-origin'] = '*'
    headers['vary'] = 'Host'
    headers['etag'] = this.#tag
    if (matchesTag(request.headers['if-none-match'], this.#tag)) {
      raw.writeHead(304, headers)
      raw.end()
      return
    }
    headers['content-type'] = this.type
    headers['content-length'] = String(this.bytes.length)
    raw.writeHead(200, headers)
    raw.end(this.bytes, 'latin1')
  }
}

/** Returns how much memory a document takes with its key, in bytes. */
export const sizeInMemory = ({ bytes }: PublicDocument, key: string) => bytes.length + 2 * key.length + 200
