// Decides which of the servers of DATABASE_URL is used: one at a time, and one that takes writes. All connections of a process are opened
// here. Once a connection finds that the server is gone, read-only or a different one, earlier connections are given up.
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { DatabaseUnavailable } from '../database.ts'
import { type PostgresqlHost, parsePostgresqlAddress } from './address.ts'
import { translateConnectionError } from './errors.ts'
import { followLogin } from './login.ts'
import type { ChannelBinding } from './parameters.ts'

/** How often to try again when the server in use changed, or was found to be gone, while connecting. */
const triesMax = 3
const goodbyeMilliseconds = 1000

/** Selects the state of the server as one row. Servers are told apart by the microsecond in which they started. */
export const serverState = `SELECT CASE WHEN pg_is_in_recovery() THEN 'a standby'
  WHEN current_setting('transaction_read_only') = 'on' THEN 'read-only' ELSE 'writable' END AS state,
  CAST(extract(epoch FROM pg_postmaster_start_time()) AS text) AS server, CAST(pg_backend_pid() AS text) AS pid,
  CAST((SELECT count(*) FROM pg_extension WHERE extname = 'citus') AS integer) AS sharded`

export interface ServerStateRow {
  readonly state: 'writable' | 'read-only' | 'a standby'
  readonly server: string
  readonly pid: string
  /** 1 if the database has the extension that spreads its tables over several servers. */
  readonly sharded: number
}

/** Which servers are used: those that take writes, any (for callers that only read), or standbys alone. */
export type ServerKind = 'writable' | 'any' | 'standby'

/** A connection, and the generation that decides whether it may still be used. */
export interface ServerConnection {
  readonly client: Client
  /** The id of the server's process that serves the connection. */
  readonly pid: number
  /** See {@link PostgresqlServers.isCurrent}. */
  readonly generation: number
  /** Whether tables may be spread over several servers. */
  readonly isSharded: boolean
  /** Ends the session with the server; resolves once the socket is closed, with or without the server's answer. */
  end(): Promise<void>
  /** Closes the socket at once, even if statements are under way. */
  destroy(): void
}

interface Found {
  readonly client: Client
  readonly socket: Socket
  readonly server: string
  readonly pid: number
  readonly isSharded: boolean
}

export class PostgresqlServers {
  readonly #hosts: readonly PostgresqlHost[]
  readonly #connectMilliseconds: number
  readonly #channelBinding: ChannelBinding
  readonly #wanted: ServerKind
  readonly #open = new Map<ServerConnection, string>()
  readonly #listeners = new Set<() => void>()
  #generation = 0
  #server: string | undefined
  /** The host that was used last, which is tried first. */
  #host: PostgresqlHost

  constructor(url: string, wanted: ServerKind) {
    const { hosts, connectMilliseconds, channelBinding } = parsePostgresqlAddress(url, wanted === 'standby')
    const [first] = hosts
    if (first === undefined) throw new Error('the address names no host')
    this.#hosts = hosts
    this.#host = first
    this.#connectMilliseconds = connectMilliseconds
    this.#channelBinding = channelBinding
    this.#wanted = wanted
  }

  /**
   * Opens a connection to the server that takes writes.
   * @throws DatabaseUnavailable when none of the hosts takes writes.
   */
  async connect(settings: ClientConfig = {}): Promise<ServerConnection> {
    for (let tries = 1; tries <= triesMax; tries++) {
      const generation = this.#generation
      const found = await this.#find(settings)
      if (generation === this.#generation) return this.#admit(found)
      // The state that was found may be out of date.
      found.socket.destroy()
    }
    throw new DatabaseUnavailable('the server that takes writes keeps changing')
  }

  /** Whether a connection of that generation may be used. */
  isCurrent(generation: number): boolean {
    return generation === this.#generation
  }

  /** Replaces every connection of this generation: idle ones at once, others when they are given back. */
  retire(generation: number): void {
    if (generation !== this.#generation) return
    this.#generation++
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` whenever connections are retired; returns a function that stops this. */
  onRetired(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  isUsable({ state }: ServerStateRow): boolean {
    if (this.#wanted === 'standby') return state === 'a standby'
    return state === 'writable' || this.#wanted === 'any'
  }

  #admit(found: Found): ServerConnection {
    const { server, client } = found
    if (this.#server !== undefined && this.#server !== server) {
      this.retire(this.#generation)
      // Two servers are never used at once, so statements under way at the other one are lost.
      for (const [other, otherServer] of this.#open) if (otherServer !== server) other.destroy()
    }
    this.#server = server
    const connection = serverConnection(found, this.#generation)
    this.#open.set(connection, server)
    client.once('end', () => this.#open.delete(connection))
    return connection
  }

  /** Tries one host after the other, beginning with the one used last. */
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
    const enableChannelBinding = this.#channelBinding !== 'disable'
    const client = new Client({ ...common, ...settings, ...config, enableChannelBinding, stream: () => socket })
    const login = followLogin(client, this.#channelBinding, (error) => socket.destroy(error))
    // Without a listener, losing a connection would end the process; the caller that uses the connection gets the error anyway.
    client.on('error', () => undefined)
    const timer = setTimeout(() => {
      socket.destroy(new Error(`no answer within ${this.#connectMilliseconds} ms`))
    }, this.#connectMilliseconds)
    try {
      await client.connect()
      login.assertBound()
      const { rows } = await client.query<ServerStateRow>(serverState)
      const row = rows[0]
      if (row === undefined || !this.isUsable(row)) throw new Error(`the server is ${row?.state ?? 'unknown'}`)
      return { client, socket, server: row.server, pid: Number(row.pid), isSharded: row.sharded > 0 }
    } catch (error) {
      socket.destroy()
      throw login.reason(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

const common = { application_name: 'bailiwick', keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

function serverConnection({ client, socket, pid, isSharded }: Found, generation: number): ServerConnection {
  const ended = new Promise<void>((resolve) => void client.once('end', resolve))
  return {
    client,
    pid,
    generation,
    isSharded,
    async end() {
      void client.end().catch(() => undefined)
      await Promise.race([ended, sleep(goodbyeMilliseconds, undefined, { ref: false })])
      socket.destroy()
      await ended
    },
    destroy: () => void socket.destroy(),
  }
}
