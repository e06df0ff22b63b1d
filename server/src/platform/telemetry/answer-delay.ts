// How long callers wait for this node. The lag of the event loop counts single turns, but an answer takes several, and they add up.
import { type AddressInfo, type Server, connect } from 'node:net'

const pauseMs = 1000

/**
 * Connects to a server of this process each second and measures how long its answer takes, as it does for a caller without a connection. The
 * server answers anything that is sent.
 */
export class AnswerDelay {
  readonly #server: Server
  #timer: NodeJS.Timeout | undefined
  #waitsSince: number | undefined
  #longestMs = 0

  constructor(server: Server) {
    this.#server = server
    this.#schedule()
  }

  /** Returns the longest delay since the last call, in seconds. */
  take(): number {
    const waitedMs = this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince
    const longestMs = Math.max(this.#longestMs, waitedMs)
    this.#longestMs = 0
    return longestMs / 1000
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    // A timer that fires late has waited like everybody else.
    const dueAt = performance.now() + pauseMs
    this.#timer = setTimeout(() => this.#probe(dueAt), pauseMs).unref()
  }

  #probe(dueAt: number): void {
    const { address, port } = this.#server.address() as AddressInfo
    this.#waitsSince = dueAt
    const socket = connect({ host: address, port })
    socket.once('connect', () => socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'))
    socket.once('data', () => {
      this.#longestMs = Math.max(this.#longestMs, performance.now() - dueAt)
      this.#waitsSince = undefined
      socket.destroy()
    })
    // Nothing else of this process depends on this connection.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      this.#waitsSince = undefined
      if (this.#timer !== undefined) this.#schedule()
    })
    socket.unref()
  }
}
