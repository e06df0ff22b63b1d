// What is sent, and how it leaves: this is the way of nearly every request.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

export const json = 'application/json; charset=utf-8'

/** A body of a media type of its own, or one that is streamed. */
export class Content {
  readonly type: string
  readonly body: string | Uint8Array | Readable
  constructor(type: string, body: string | Uint8Array | Readable) {
    this.type = type
    this.body = body
  }
}

export type Answer = Serialized | Content

/**
 * A body that is JSON text already, made by the same serialiser as any other. In one piece, measured once: of the many that a
 * serialiser joins, the engine would make one anew for every answer.
 */
export class Serialized {
  readonly json: string
  readonly #bytes: string
  /** Of ASCII alone both are the same bytes, and the engine writes the one without converting it. */
  readonly #encoding: 'latin1' | 'utf8'

  constructor(text: string) {
    const bytes = Buffer.from(text)
    this.json = bytes.toString()
    this.#bytes = String(bytes.length)
    this.#encoding = bytes.length === text.length ? 'latin1' : 'utf8'
  }

  /** Sends it past what Fastify does for bodies of any kind; whatever hears of an answer's end hears of this one's. */
  send(reply: FastifyReply) {
    const headers = reply.hijack().getHeaders() as Record<string, string>
    headers['content-type'] = json
    headers['content-length'] = this.#bytes
    reply.raw.writeHead(reply.statusCode, headers)
    reply.raw.end(this.json, this.#encoding)
  }
}

interface Ready {
  readonly answer: Serialized
  readonly reply: FastifyReply
}

/** Answers that are ready; undefined while none waits. */
let ready: Ready[] | undefined

/**
 * Sends an answer from memory when all requests that have arrived by now are answered: written one after the other they wake a
 * reader behind many connections once, which costs more than making such an answer.
 */
function sendSoon(answer: Serialized, reply: FastifyReply) {
  if (ready !== undefined) return void ready.push({ answer, reply })
  ready = [{ answer, reply }]
  setImmediate(sendReady)
}

function sendReady() {
  const sends = ready ?? []
  ready = undefined
  for (const each of sends) each.answer.send(each.reply)
}

/** Sends an answer. In answer to HEAD nothing of a stream is sent, so nothing of it is made either. */
export function sendAnswer(answer: Answer, request: FastifyRequest, reply: FastifyReply) {
  if (answer instanceof Serialized) return sendSoon(answer, reply)
  const { type, body } = answer
  void reply.header('content-type', type)
  if (request.method !== 'HEAD' || !(body instanceof Readable)) return void reply.send(body)
  body.destroy()
  void reply.send()
}
