// The pool of PostgreSQL connections. It decides which caller gets a connection, how long callers wait, and the counter shard of each
// connection. A connection counts until the server is known to be finished with it, so that the server never has more of them than the pool
// may open. Writers never have all of them: while commits hang, because a synchronous standby is away, reads still get a connection.
import { type ClientConfig, types } from 'pg'
import { counterShards } from '../counters.ts'
import { DatabaseUnavailable } from '../database.ts'
import { type Statement, sql } from '../sql.ts'
import { PostgresqlConnection } from './connection.ts'
import { hasNoneLeft } from './errors.ts'
import type { PostgresqlServers } from './servers.ts'
import { parserFor } from './statement-query.ts'

const poolWaitMilliseconds = 2000
/** Applies while a connection is being opened, which may need the second or third host. */
const openWaitMilliseconds = 5000
/** In milliseconds. */
export const timeouts = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
} as const
const idleLookMilliseconds = 10_000
/** Connections that were unused at this many checks are closed. */
const idleLooksMax = 3
/** How long a server without free connections is not asked for another. */
const noneLeftMilliseconds = 1000

/**
 * Every statement finds its rows by an index, and what a deployment reads is mostly in memory. By its default, which is meant for spinning
 * disks, PostgreSQL would rather read a table of a thousand users as a whole than twenty of them by their index.
 */
const indexesFirst = '-c random_page_cost=1.1'

/** Parses as SQLite does. The service asks for text alone. */
const typeParser = (oid: number, format?: 'text' | 'binary'): unknown =>
  format === 'binary' ? types.getTypeParser(oid, 'binary') : parserFor(oid)

/** The settings of connections to a pooler, which refuses what it would have to set on each connection of its own. */
const pooledSettings: ClientConfig = {
  types: { getTypeParser: typeParser as typeof types.getTypeParser },
  // Several statements may be under way at once, each answered separately, so that BEGIN costs no round trip of its own.
  pipeline: true,
}

/** The settings of connections that run the service's statements. */
export const statementSettings: ClientConfig = { ...pooledSettings, ...timeouts, options: indexesFirst }

interface BackendRow {
  readonly pid: number
  readonly is_idle: 0 | 1
}

/** Also ends backends that are idle, because their next statement will never come. */
const selectBackends = (pids: readonly number[]) => sql`SELECT pid, state LIKE 'idle%' AS is_idle,
  CASE WHEN state LIKE 'idle%' THEN pg_terminate_backend(pid) END AS is_ended
  FROM pg_stat_activity WHERE pid = ANY(CAST(string_to_array(${pids.join(',')}, ',') AS integer[]))`

/** Whether a caller may change data. */
export type Use = 'read' | 'write'

/** One connection in so many, and at least one where there are two, is left to reads. */
const readShare = 5

interface Waiter {
  /** Counts up, so that the caller that has waited longest is served first. */
  readonly ticket: number
  readonly use: Use
  readonly resolve: (connection: PostgresqlConnection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

interface Idle {
  readonly connection: PostgresqlConnection
  looks: number
}

/** How the connections of a process are used at this moment. */
export interface PoolLoad {
  /** How many may be open. */
  readonly max: number
  /** How many are open or being opened, with those that the server may still be busy with. */
  readonly open: number
  readonly idle: number
  /** How many callers wait for one. */
  readonly waiting: number
}

export class PostgresqlPool {
  readonly #servers: PostgresqlServers
  readonly #size: number
  readonly #isPooled: boolean
  readonly #shardsTaken = new Set<number>()
  /** Random, so that nodes of the same pool size spread over all shards. */
  readonly #firstShard = Math.floor(Math.random() * counterShards)
  readonly #idle: Idle[] = []
  readonly #waiting: Readonly<Record<Use, Waiter[]>> = { read: [], write: [] }
  /** Connections that were lent to writers and that the server may still be busy with. */
  readonly #writing = new Set<PostgresqlConnection>()
  /** Connections that are no longer used but that the server may still be busy with. */
  readonly #leaving = new Set<PostgresqlConnection>()
  readonly #stopFollowing: () => void
  readonly #looking: NodeJS.Timeout
  /** How many connections are being opened, idle, lent or leaving. */
  #count = 0
  #opening = 0
  #tickets = 0
  #max: number
  #inUse = 0
  #isClosing = false
  #whenUnused: (() => void) | undefined
  #whenEmpty: (() => void) | undefined

  /** @param options.isPooled whether `servers` is a pooler in transaction mode. */
  constructor(servers: PostgresqlServers, size: number, { isPooled = false } = {}) {
    if (!Number.isInteger(size) || size < 1 || size > counterShards) {
      throw new RangeError(`the pool of connections has 1 to ${counterShards}, not ${size}`)
    }
    this.#servers = servers
    this.#size = size
    this.#isPooled = isPooled
    this.#max = size
    this.#stopFollowing = servers.onRetired(() => this.#endIdle(0))
    this.#looking = setInterval(() => this.#look(), idleLookMilliseconds).unref()
  }

  get load(): PoolLoad {
    const { read, write } = this.#waiting
    return { max: this.#size, open: this.#count, idle: this.#idle.length, waiting: read.length + write.length }
  }

  /** How many more connections writers may have. */
  get #writePlaces(): number {
    const kept = this.#max > 1 ? Math.ceil(this.#max / readShare) : 0
    return Math.max(0, this.#max - kept - this.#writing.size)
  }

  /**
   * Lends a connection to `step` and takes it back. One that comes back broken or within a transaction is ended. A step must not wait for
   * another connection of this pool.
   */
  async use<T>(use: Use, step: (connection: PostgresqlConnection) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new DatabaseUnavailable('the database is closing')
    this.#inUse++
    try {
      const connection = this.#takeIdle(use) ?? (await this.#wait(use))
      try {
        return await step(connection)
      } finally {
        this.#take(connection)
      }
    } finally {
      this.#inUse--
      if (this.#inUse === 0) this.#whenUnused?.()
    }
  }

  /**
   * Closes abandoned connections that the server is no longer busy with, because its answer was lost.
   * @param all runs a query over another connection.
   */
  async reclaim(all: (statement: Statement) => Promise<BackendRow[]>): Promise<void> {
    const unanswered = [...this.#leaving].filter((connection) => connection.isUnanswered)
    if (unanswered.length === 0) return
    const rows = await all(selectBackends(unanswered.map(({ pid }) => pid)))
    const busy = new Set(rows.filter(({ is_idle: isIdle }) => isIdle === 0).map(({ pid }) => pid))
    for (const connection of unanswered) if (!busy.has(connection.pid)) connection.destroy()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#looking)
    this.#stopFollowing()
    if (this.#inUse > 0) await new Promise<void>((resolve) => (this.#whenUnused = resolve))
    this.#endIdle(0)
    // Callers that waited for their answers were told long ago that there is none.
    for (const connection of this.#leaving) if (connection.isUnanswered) connection.destroy()
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#whenEmpty = resolve))
  }

  #takeIdle(use: Use): PostgresqlConnection | undefined {
    if (use === 'write' && this.#writePlaces === 0) return undefined
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.connection.isReusable) return this.#lend(idle.connection, use)
      // The server has ended it meanwhile.
      void this.#end(idle.connection)
    }
    return undefined
  }

  #lend(connection: PostgresqlConnection, use: Use): PostgresqlConnection {
    if (use === 'write') this.#writing.add(connection)
    return connection
  }

  /** Waits for the next connection that is given back or opened. */
  #wait(use: Use): Promise<PostgresqlConnection> {
    const waiting = this.#waiting[use]
    return new Promise((resolve, reject) => {
      const mayOpen = this.#count < this.#max && (use === 'read' || this.#writePlaces > 0)
      const ms = mayOpen ? openWaitMilliseconds : poolWaitMilliseconds
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(new DatabaseUnavailable(`no connection to PostgreSQL was free to ${use} for ${ms} ms`))
      }, ms)
      const waiter = { use, ticket: ++this.#tickets, resolve, reject, timer }
      waiting.push(waiter)
      this.#openAsNeeded()
    })
  }

  /** Takes the caller that has waited longest out of the queue, leaving out writers where they have all that they may have. */
  #nextWaiter(): Waiter | undefined {
    const { read, write } = this.#waiting
    const [reader] = read
    const writer = this.#writePlaces > 0 ? write[0] : undefined
    const isWriter = writer !== undefined && (reader === undefined || writer.ticket < reader.ticket)
    const waiter = isWriter ? write.shift() : read.shift()
    clearTimeout(waiter?.timer)
    return waiter
  }

  #openAsNeeded(): void {
    const { read, write } = this.#waiting
    const wanted = read.length + Math.min(write.length, this.#writePlaces)
    while (this.#count < this.#max && this.#opening < wanted) void this.#open()
  }

  async #open(): Promise<void> {
    this.#count++
    this.#opening++
    try {
      const server = await this.#servers.connect(this.#isPooled ? pooledSettings : statementSettings)
      const onServerGone = () => this.#servers.retire(server.generation)
      this.#opening--
      this.#take(new PostgresqlConnection(server, this.#takeShard(), { prepares: !this.#isPooled, onServerGone }))
    } catch (error) {
      this.#opening--
      this.#count--
      this.#refuse(error)
    }
  }

  /** When the server has no connection left, callers wait for those that the pool already has. */
  #refuse(error: unknown): void {
    const live = this.#count - this.#opening
    if (error instanceof DatabaseUnavailable && hasNoneLeft(error) && live > 0) this.#keepTo(live)
    else this.#nextWaiter()?.reject(error)
    this.#dropped()
  }

  #keepTo(connections: number): void {
    if (this.#max === this.#size) {
      setTimeout(() => {
        this.#max = this.#size
        this.#openAsNeeded()
      }, noneLeftMilliseconds).unref()
    }
    this.#max = Math.min(this.#max, connections)
  }

  /** Takes a free connection and lends it to the first waiting caller. */
  #take(connection: PostgresqlConnection): void {
    if (!connection.isReusable || !this.#servers.isCurrent(connection.generation)) {
      // A writer's place stays taken until it has ended.
      void this.#end(connection)
      return
    }
    this.#writing.delete(connection)
    const waiter = this.#nextWaiter()
    if (waiter !== undefined) waiter.resolve(this.#lend(connection, waiter.use))
    // The connection was being opened when nobody needed it any more.
    else if (this.#isClosing && this.#inUse === 0) void this.#end(connection)
    else this.#idle.push({ connection, looks: 0 })
    if (this.#waiting.write.length > 0) this.#lendIdle()
  }

  /** Writers may wait beside idle connections, until another writer's place is free. */
  #lendIdle(): void {
    while (this.#waiting.write.length > 0) {
      const connection = this.#takeIdle('write')
      if (connection === undefined) return
      const writer = this.#waiting.write.shift()
      clearTimeout(writer?.timer)
      writer?.resolve(connection)
    }
  }

  async #end(connection: PostgresqlConnection): Promise<void> {
    this.#leaving.add(connection)
    // Whether the server is still busy with it, only the pooler knows; it then gives up its own connection.
    if (this.#isPooled && connection.isUnanswered) connection.destroy()
    await connection.end()
    this.#leaving.delete(connection)
    this.#writing.delete(connection)
    this.#shardsTaken.delete(connection.shard)
    this.#count--
    this.#dropped()
  }

  #dropped(): void {
    if (this.#count === 0) this.#whenEmpty?.()
    this.#lendIdle()
    this.#openAsNeeded()
  }

  #takeShard(): number {
    let shard = this.#firstShard
    while (this.#shardsTaken.has(shard) && this.#shardsTaken.size < counterShards) shard = (shard + 1) % counterShards
    this.#shardsTaken.add(shard)
    return shard
  }

  #look(): void {
    for (const idle of this.#idle) idle.looks++
    this.#endIdle(idleLooksMax)
  }

  #endIdle(looks: number): void {
    const kept = this.#idle.filter((idle) => idle.looks < looks)
    const ended = this.#idle.filter((idle) => idle.looks >= looks)
    this.#idle.splice(0, this.#idle.length, ...kept)
    for (const { connection } of ended) void this.#end(connection)
  }
}
