// The connections of a server as a whole: those that never send a byte, and the end of listening.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** How many silent connections are closed before requests are served again. */
const closedAtOnce = 100
const firstByteMsDefault = 1000
const lookEveryMs = 20

/**
 * Closes connections that never sent a byte, some at a time. Thousands that are opened together come to their time-out together too; an
 * answer for each, all in one turn of the event loop, would hold up every request meanwhile.
 */
export class SilentConnections {
  readonly #sockets: Socket[] = []
  #isClosing = false

  close(socket: Socket): void {
    this.#sockets.push(socket)
    if (!this.#isClosing) void this.#closeEach()
  }

  async #closeEach(): Promise<void> {
    this.#isClosing = true
    while (this.#sockets.length > 0) {
      for (const socket of this.#sockets.splice(0, closedAtOnce)) socket.destroy()
      await nextTurn()
    }
    this.#isClosing = false
  }
}

/** Knows the connections of a server that have not sent a byte. */
/** @param firstByteMs how long a client that has just connected may take to send something, once listening ends. */
export function followConnections(server: Server, firstByteMs = firstByteMsDefault) {
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const isFresh = (socket: Socket) => socket.bytesRead === 0

  return {
    /**
     * Ends listening, so that new connections are refused, and resolves when the last that came have sent the beginning of a request or
     * had the time to. Requests under way go on.
     */
    async stopListening(): Promise<void> {
      // Right after the system was asked for new connections: what it accepts between this and the end of listening would be reset.
      await nextTurn()
      server.close()
      const fresh = [...connections].filter(isFresh)
      const until = performance.now() + firstByteMs
      while (performance.now() < until && fresh.some((socket) => !socket.destroyed && isFresh(socket))) {
        await sleep(lookEveryMs)
      }
    },
  }
}
