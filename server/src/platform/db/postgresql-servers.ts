// Which of the servers of DATABASE_URL is used: one at a time, and one that takes writes. All connections of a process are
// opened here. Once one of them learns that the server is gone, read-only or another, those from before are given up.
import { setTimeout as sleep } from 'node:timers/promises'
import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { DatabaseUnavailable } from './database.ts'
import { type PostgresqlHost, parsePostgresqlAddress } from './postgresql-address.ts'
import { translateConnectionError } from './postgresql-errors.ts'

/** After each try the server was another than at its beginning, or found to be gone. */
const triesMax = 3
const goodbyeMilliseconds = 1000

/** Of the server that is asked, as one row. A server is told from others by the microsecond at which it started. */
export const serverState = `SELECT CASE WHEN pg_is_in_recovery() THEN 'a standby'
  WHEN current_setting('transaction_read_only') = 'on' THEN 'read-only' ELSE 'writable' END AS state,
  CAST(extract(epoch FROM pg_postmaster_start_time()) AS text) AS server, CAST(pg_backend_pid() AS text) AS pid`

export interface ServerStateRow {
  readonly state: 'writable' | 'read-only' | 'a standby'
  readonly server: string
  readonly pid: string
}

/** A connection, with what tells whether it is still to be used. */
export interface ServerConnection {
  readonly client: Client
  /** Of the server's process that answers it. */
  readonly pid: number
  /** See {@link PostgresqlServers.isCurrent}. */
  readonly generation: number
  /** Says goodbye to the server; resolves once the socket is closed, with or without its answer. */
  end(): Promise<void>
  /** Closes the socket at once, whatever is under way. */
  destroy(): void
}

interface Found {
  readonly client: Client
  readonly socket: Socket
  readonly server: string
  readonly pid: number
}

export class PostgresqlServers {
  readonly #hosts: readonly PostgresqlHost[]
  readonly #connectMilliseconds: number
  readonly #mayBeReadOnly: boolean
  readonly #open = new Map<ServerConnection, string>()
  readonly #listeners = new Set<() => void>()
  #generation = 0
  #server: string | undefined
  /** The host that was used last, which is asked first. */
  #host: PostgresqlHost

  /** @param mayBeReadOnly for those who only read, whom a standby can serve. */
  constructor(url: string, mayBeReadOnly: boolean) {
    const { hosts, connectMilliseconds } = parsePostgresqlAddress(url)
    const [first] = hosts
    if (first === undefined) throw new Error('the address names no host')
    this.#hosts = hosts
    this.#host = first
    this.#connectMilliseconds = connectMilliseconds
    this.#mayBeReadOnly = mayBeReadOnly
  }

  /**
   * Opens a connection to the server that takes writes.
   * @throws DatabaseUnavailable when none of the hosts is one.
   */
  async connect(settings: ClientConfig = {}): Promise<ServerConnection> {
    for (let tries = 1; tries <= triesMax; tries++) {
      const generation = this.#generation
      const found = await this.#find(settings)
      if (generation === this.#generation) return this.#admit(found)
      // What it was found to be may no longer be so.
      found.socket.destroy()
    }
    throw new DatabaseUnavailable('the server that takes writes keeps changing')
  }

  /** Whether a connection of that generation may be used. */
  isCurrent(generation: number): boolean {
    return generation === this.#generation
  }

  /** Has every connection of this generation made anew: those that are idle at once, others when they are given back. */
  retire(generation: number): void {
    if (generation !== this.#generation) return
    this.#generation++
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` whenever connections are retired; the result ends that. */
  onRetired(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  isUsable({ state }: ServerStateRow): boolean {
    return state === 'writable' || this.#mayBeReadOnly
  }

  #admit(found: Found): ServerConnection {
    const { server, client } = found
    if (this.#server !== undefined && this.#server !== server) {
      this.retire(this.#generation)
      // No two servers at once: what is under way at the other is lost.
      for (const [other, otherServer] of this.#open) if (otherServer !== server) other.destroy()
    }
    this.#server = server
    const connection = serverConnection(found, this.#generation)
    this.#open.set(connection, server)
    client.once('end', () => this.#open.delete(connection))
    return connection
  }

  /** Asks one host after the other, first the one that was used last. */
  async #find(settings: ClientConfig): Promise<Found> {
    const failures: { readonly name: string; readonly error: unknown }[] = []
    for (const host of new Set([this.#host, ...this.#hosts])) {
      try {
        const found = await this.#attempt(host, settings)
        this.#host = host
        return found
      } catch (error) {
        failures.push({ name: host.name, error })
      }
    }
    throw translateConnectionError(failures)
  }

  async #attempt({ config }: PostgresqlHost, settings: ClientConfig): Promise<Found> {
    const socket = new Socket()
    const client = new Client({ ...common, ...settings, ...config, stream: () => socket })
    // Without a listener the loss of a connection would end the process; whoever uses it hears of it.
    client.on('error', () => undefined)
    const timer = setTimeout(() => {
      socket.destroy(new Error(`no answer within ${this.#connectMilliseconds} ms`))
    }, this.#connectMilliseconds)
    try {
      await client.connect()
      const { rows } = await client.query<ServerStateRow>(serverState)
      const row = rows[0]
      if (row === undefined || !this.isUsable(row)) throw new Error(`the server is ${row?.state ?? 'unknown'}`)
      return { client, socket, server: row.server, pid: Number(row.pid) }
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

const common = { application_name: 'bailiwick', keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

function serverConnection({ client, socket, pid }: Found, generation: number): ServerConnection {
  const ended = new Promise<void>((resolve) => void client.once('end', resolve))
  return {
    client,
    pid,
    generation,
    async end() {
      void client.end().catch(() => undefined)
      await Promise.race([ended, sleep(goodbyeMilliseconds, undefined, { ref: false })])
      socket.destroy()
      await ended
    },
    destroy: () => void socket.destroy(),
  }
}
