// A receiver of webhooks that behaves as a test says, and remembers what it received.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly url: string
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage, received: Received) => void

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end()

export class WebhookReceiver {
  readonly received: Received[] = []
  behaviour: Behaviour = answer(200)
  concurrent = 0
  concurrentMax = 0
  // A receiver may get the port of one that was stopped. What is still sent to that one is not for it.
  readonly #path = `/in/${randomUUID()}`
  readonly #server = createServer((request, response) => void this.#take(request, response))

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`
  }

  /** The ids of the messages, in the order of their arrival. */
  get ids(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']))
  }

  async #take(request: IncomingMessage, response: ServerResponse) {
    if (request.url?.split('?', 1)[0] !== this.#path) {
      response.writeHead(404).end()
      return
    }
    this.concurrent++
    this.concurrentMax = Math.max(this.concurrentMax, this.concurrent)
    response.once('close', () => this.concurrent--)
    let body = ''
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString()
    const received = { headers: request.headers, body, url: request.url ?? '' }
    this.received.push(received)
    this.behaviour(response, request, received)
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
