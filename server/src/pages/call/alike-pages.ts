// Pages that are alike for all visitors, such as the first page of a sign-in, kept in bounded memory as the bytes that are sent. What
// belongs to one visitor is not in them: the form token has a hole, which is filled for each answer, and cookies are headers. A page is
// found only by everything that it was made from, so nothing has to be forgotten: a changed tenant is another object. See
// docs/decisions/0023-pages-in-memory.md.
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { base62, createRandomText } from '../../platform/crypto/random-text.ts'
import type { Sendable } from '../../platform/http/answer.ts'

const bytesMax = 8 * 1024 * 1024
/** Stands where a form token will be. It is in no page that is sent, so nobody can put it into a text. */
const hole = createRandomText(base62)(43)

/** The pieces of a page around its form tokens. Each character is one byte of UTF-8: that is written without being converted. */
type Pieces = readonly string[]

const kept = new LRUCache<string, Pieces>({
  maxSize: bytesMax,
  sizeCalculation: (pieces, key) => 2 * key.length + pieces.reduce((sum, { length }) => sum + length, 0),
})

/** A page with the form token of the visitor to whom it is sent. */
class FilledPage implements Sendable {
  readonly #bytes: string

  constructor(bytes: string) {
    this.#bytes = bytes
  }

  send(reply: FastifyReply) {
    const headers = reply.getHeaders() as Record<string, string>
    headers['content-type'] = 'text/html; charset=utf-8'
    headers['content-length'] = String(this.#bytes.length)
    reply.raw.writeHead(reply.statusCode, headers)
    reply.raw.end(this.#bytes, 'latin1')
  }
}

/**
 * Returns a page from memory, or renders it.
 * @param key everything that the page is made from, except the form token.
 * @param render makes the page with the given form token.
 * @param formToken the visitor's, without characters that HTML escapes.
 */
export function alikePage(key: string, render: (formToken: string) => string, formToken: string): Sendable {
  let pieces = kept.get(key)
  if (pieces === undefined) {
    pieces = Buffer.from(render(hole)).toString('latin1').split(hole)
    kept.set(key, pieces)
  }
  return new FilledPage(pieces.join(formToken))
}
