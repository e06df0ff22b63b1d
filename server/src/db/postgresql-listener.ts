// LISTEN on one channel over a connection of its own, made anew whenever it is lost.
import { Client, type ClientConfig } from 'pg'
import { translateConnectionError } from './postgresql-errors.ts'

const retryMilliseconds = 100
const retryMillisecondsMax = 5000

export interface ListenerEvents {
  readonly onPayload: (payload: string) => void
  readonly onReconnect: () => void
}

export class PostgresqlListener {
  readonly #config: ClientConfig
  readonly #channel: string
  readonly #events: ListenerEvents
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(config: ClientConfig, channel: string, events: ListenerEvents) {
    if (!/^[a-z_]+$/.test(channel)) throw new TypeError('not a channel name')
    this.#config = config
    this.#channel = channel
    this.#events = events
  }

  /** @throws DatabaseUnavailable when the first connection cannot be made; later ones are tried until one can. */
  async start(): Promise<void> {
    await this.#connect()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#retry)
    await this.#client?.end()
  }

  async #connect(): Promise<void> {
    const client = new Client(this.#config)
    let isListening = false
    client.on('error', () => undefined)
    client.on('notification', ({ payload }) => {
      this.#events.onPayload(payload ?? '')
    })
    client.on('end', () => {
      if (isListening) this.#reconnect(0)
    })
    this.#client = client
    try {
      await client.connect()
      await client.query(`LISTEN ${this.#channel}`)
      isListening = true
      if (this.#isStopped) await client.end()
    } catch (error) {
      await client.end().catch(() => undefined)
      throw translateConnectionError(error)
    }
  }

  #reconnect(failures: number): void {
    if (this.#isStopped) return
    const wait = Math.min(retryMilliseconds * 2 ** failures, retryMillisecondsMax) * (0.5 + Math.random() / 2)
    this.#retry = setTimeout(() => {
      this.#connect().then(
        () => {
          this.#events.onReconnect()
        },
        () => {
          this.#reconnect(failures + 1)
        },
      )
    }, wait)
  }
}
