// Answers that stand ready in memory, and how they leave: this is the way of nearly every request.
import type { FastifyReply } from 'fastify'

export const json = 'application/json; charset=utf-8'

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
export function sendSoon(answer: Serialized, reply: FastifyReply) {
  if (ready !== undefined) return void ready.push({ answer, reply })
  ready = [{ answer, reply }]
  setImmediate(sendReady)
}

function sendReady() {
  const sends = ready ?? []
  ready = undefined
  for (const each of sends) each.answer.send(each.reply)
}
