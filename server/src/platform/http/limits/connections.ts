// Handles all connections of a server: those that never send a byte, and the end of listening.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** How many silent connections are closed before requests are served again. */
const closedAtOnce = 100
const firstByteMsDefault = 1000
const lookEveryMs = 20

/**
 * Closes connections that never sent a byte, some at a time. Thousands that were opened together also time out together; closing all of
 * them in one turn of the event loop would delay every request.
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

/** In a turn of the event loop that takes no longer, hardly a connection arrives. */
const quietMs = 0.2
/** How many turns follow each other before the process sleeps again. */
const turnsAwake = 20
const asleepMs = 2
const quietMsMax = 10_000

/**
 * Acts when the system had no new connection a moment ago. One that waits there when listening ends, or comes meanwhile, is reset by the
 * system, and a proxy that has sent a POST over it cannot send it again. A turn of the event loop takes one connection at most, and one
 * that answers requests takes milliseconds, so this waits for a short turn that took none. It sleeps in between: on a busy machine the
 * system is likely to stop a process that never sleeps for some milliseconds, perhaps between that turn and the action.
 */
async function inQuietTurn(accepted: () => number, action: () => void): Promise<void> {
  const until = performance.now() + quietMsMax
  while (performance.now() < until) {
    await sleep(asleepMs)
    for (let turns = 0; turns < turnsAwake; turns++) {
      const [startedAt, before] = [performance.now(), accepted()]
      await nextTurn()
      if (accepted() === before && performance.now() - startedAt < quietMs) return action()
    }
  }
  action()
}

/** Makes ending to listen a matter of microseconds: the first time, Node still has to compile what it runs. */
async function rehearseClosing(): Promise<void> {
  for (let times = 0; times < 3; times++) {
    const server = new NetServer()
    await once(server.listen({ port: 0, host: '127.0.0.1', exclusive: true }), 'listening')
    NetServer.prototype.close.call(server)
  }
}

/**
 * Keeps track of a server's connections.
 * @param firstByteMs how long a new client may take to send something once listening ends.
 */
export function followConnections(server: Server, firstByteMs = firstByteMsDefault) {
  const connections = new Set<Socket>()
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted++
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const isFresh = (socket: Socket) => socket.bytesRead === 0

  return {
    /**
     * Ends listening, so that new connections are refused. Resolves when the most recent clients have begun to send a request or have had
     * the time for it. Requests under way continue, and idle connections stay open: a proxy that is just sending a request over one would
     * be reset, and cannot repeat a POST.
     */
    async stopListening(): Promise<void> {
      await rehearseClosing()
      await inQuietTurn(
        () => accepted,
        () => void NetServer.prototype.close.call(server),
      )
      const fresh = [...connections].filter(isFresh)
      const until = performance.now() + firstByteMs
      while (performance.now() < until && fresh.some((socket) => !socket.destroyed && isFresh(socket))) {
        await sleep(lookEveryMs)
      }
    },

    /** Resolves when no connection is left, each closed with the answer to its last request, or after this time. */
    async unused(ms: number): Promise<void> {
      const until = performance.now() + ms
      while (performance.now() < until && connections.size > 0) await sleep(lookEveryMs)
    },
  }
}
