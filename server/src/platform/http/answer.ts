// The answers of nearly all requests, and how they are sent.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cutIfUnread } from './limits/unread-answers.ts'

export const json = 'application/json; charset=utf-8'

/** A streamed body, or one with a media type of its own. */
export class Content {
  readonly type: string
  readonly body: string | Uint8Array | Readable
  constructor(type: string, body: string | Uint8Array | Readable) {
    this.type = type
    this.body = body
  }
}

/** The data of an answer as JSON text that is made while it is sent, for nothing bounds how long it is. */
export class DataStream {
  readonly texts: AsyncIterable<string>
  constructor(texts: AsyncIterable<string>) {
    this.texts = texts
  }
}

/** How long a reader may leave what waits for it unread. */
const stalledMsDefault = 60_000

/**
 * Makes a stream that is a batch or two ahead of a slow reader, whatever their size. A reader that takes nothing is cut off,
 * because it would keep its place, and what was read for it, for ever.
 */
export function streamOf(texts: AsyncIterable<string>, stalledMs = stalledMsDefault): Readable {
  const cut = () => stream.destroy(new Error('the reader takes nothing'))
  const stream: Readable = Readable.from(whileRead(texts, cut, stalledMs), {
    objectMode: true,
    highWaterMark: 1,
  })
  return stream
}

/** Yields the texts, and cuts off readers that leave one of them unread for too long. */
export async function* whileRead(texts: AsyncIterable<string>, cut: () => void, stalledMs: number) {
  for await (const text of texts) {
    const timer = setTimeout(cut, stalledMs)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
}

export type Answer = Serialized | Content

/**
 * A body that is already JSON text, made by the same serialiser as any other. A serialiser's result is a chain of pieces, which the engine
 * would have to flatten and convert while it writes; it is made into bytes once, and measured.
 */
export class Serialized implements Sendable {
  readonly json: string
  /** Each character is one byte of UTF-8: that is written together with the headers, without being converted. */
  readonly #bytes: string

  constructor(text: string) {
    const bytes = Buffer.from(text)
    this.#bytes = bytes.toString('latin1')
    this.json = bytes.length === text.length ? this.#bytes : bytes.toString()
  }

  /** Sends the answer without Fastify's general body handling; listeners for the end of an answer are still called. */
  send(reply: FastifyReply) {
    const headers = reply.hijack().getHeaders() as Record<string, string>
    headers['content-type'] = json
    headers['content-length'] = String(this.#bytes.length)
    cutIfUnread(reply.raw, this.#bytes.length)
    reply.raw.writeHead(reply.statusCode, headers)
    reply.raw.end(this.#bytes, 'latin1')
  }
}

/** An answer whose bytes are in memory. */
export interface Sendable {
  /** Sends it without Fastify's general body handling, once the reply is hijacked. */
  send(reply: FastifyReply): void
}

interface Ready {
  readonly answer: Sendable
  readonly reply: FastifyReply
}

/** Answers that are ready to be sent; undefined if there are none. */
let ready: Ready[] | undefined

/**
 * Sends an answer from memory after all requests that have arrived by now are answered. Answers written together wake a reader of many
 * connections only once; each wake-up costs more than making such an answer.
 */
export function sendSoon(answer: Sendable, reply: FastifyReply) {
  if (ready !== undefined) return void ready.push({ answer, reply })
  ready = [{ answer, reply }]
  setImmediate(sendReady)
}

function sendReady() {
  const sends = ready ?? []
  ready = undefined
  for (const each of sends) each.answer.send(each.reply)
}

/** Sends an answer. An answer to HEAD has no body, so a stream is not even started. */
export function sendAnswer(answer: Answer, request: FastifyRequest, reply: FastifyReply) {
  if (answer instanceof Serialized) return sendSoon(answer, reply)
  const { type, body } = answer
  void reply.header('content-type', type)
  if (request.method !== 'HEAD' || !(body instanceof Readable)) return void reply.send(body)
  body.destroy()
  void reply.send()
}
