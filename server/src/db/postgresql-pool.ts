// The pool of PostgreSQL connections: who waits for one and how long, and which counter shard each has.
import { Pool, types, type ClientConfig, type PoolClient } from 'pg'
import { counterShards } from './counters.ts'
import { DatabaseUnavailable } from './database.ts'
import { PostgresqlConnection } from './postgresql-connection.ts'
import { hasNoneLeft, translateConnectionError } from './postgresql-errors.ts'

const connectTimeoutMilliseconds = 3000
const poolWaitMilliseconds = 2000
const statementTimeoutMilliseconds = 5000
const lockTimeoutMilliseconds = 2000
const idleInTransactionTimeoutMilliseconds = 10_000
/** For a server that no longer answers at all; one that does keeps to its own time-out. */
const answerTimeoutMilliseconds = 8000
const idleConnectionMilliseconds = 30_000
/** So long a server that has no connection left is not asked for another. */
const noneLeftMilliseconds = 1000

const booleanType = 16
const int8Type = 20

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
  return value
}

/** As on SQLite: integers of 8 bytes are numbers, truth values 0 and 1. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === int8Type) return parseInt8
  if (oid === booleanType) return (text: string) => (text === 't' ? 1 : 0)
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
}

/** How every connection is made, those of migrations and listeners too. */
export function connectionConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'bailiwick',
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

export class PostgresqlPool {
  readonly #pool: Pool
  readonly #size: number
  readonly #connections = new WeakMap<PoolClient, PostgresqlConnection>()
  readonly #shardsTaken = new Set<number>()
  /** Random, so that nodes of the same pool size spread over all shards. */
  readonly #firstShard = Math.floor(Math.random() * counterShards)
  #inUse = 0
  #isClosing = false
  #asksForNoMore = false
  #whenUnused: (() => void) | undefined

  constructor(url: string, size: number) {
    if (!Number.isInteger(size) || size < 1 || size > counterShards) {
      throw new RangeError(`the pool of connections has 1 to ${counterShards}, not ${size}`)
    }
    this.#size = size
    this.#pool = new Pool({
      ...connectionConfig(url),
      max: size,
      idleTimeoutMillis: idleConnectionMilliseconds,
      statement_timeout: statementTimeoutMilliseconds,
      lock_timeout: lockTimeoutMilliseconds,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMilliseconds,
      query_timeout: answerTimeoutMilliseconds,
      types: { getTypeParser: typeParser as typeof types.getTypeParser },
      // Several statements may be under way at once, each answered for itself: BEGIN costs no round trip of its own.
      pipeline: true,
    })
    // An idle connection that breaks is out of the pool already; without a listener it would end the process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      this.#register(client)
    })
  }

  /** Lends a connection to `step` and takes it back, ending it when it was left broken or within a transaction. */
  async use<T>(step: (connection: PostgresqlConnection) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new DatabaseUnavailable('the database is closing')
    this.#inUse++
    try {
      const connection = await this.#acquire()
      try {
        return await step(connection)
      } finally {
        connection.release(connection.isReusable)
      }
    } finally {
      this.#inUse--
      if (this.#inUse === 0) this.#whenUnused?.()
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#inUse > 0) {
      await new Promise<void>((resolve) => {
        this.#whenUnused = resolve
      })
    }
    await this.#pool.end()
  }

  #register(client: PoolClient): void {
    let shard = this.#firstShard
    while (this.#shardsTaken.has(shard) && this.#shardsTaken.size < counterShards) shard = (shard + 1) % counterShards
    this.#shardsTaken.add(shard)
    client.on('end', () => {
      this.#shardsTaken.delete(shard)
    })
    this.#connections.set(client, new PostgresqlConnection(client, shard))
  }

  async #acquire(): Promise<PostgresqlConnection> {
    const client = await this.#client()
    const connection = this.#connections.get(client)
    if (connection === undefined) throw new Error('the pool gave a connection that it has not announced')
    return connection
  }

  /** Where the server has no connection left, whoever wanted one waits for those that the pool has got. */
  async #client(): Promise<PoolClient> {
    try {
      return await this.#clientInTime()
    } catch (error) {
      const live = this.#shardsTaken.size
      if (!(error instanceof DatabaseUnavailable) || !hasNoneLeft(error) || live === 0) throw error
      this.#keepTo(live)
      return this.#clientInTime()
    }
  }

  #keepTo(connections: number): void {
    const { options } = this.#pool
    options.max = Math.min(options.max, connections)
    if (this.#asksForNoMore) return
    this.#asksForNoMore = true
    setTimeout(() => {
      this.#asksForNoMore = false
      options.max = this.#size
    }, noneLeftMilliseconds).unref()
  }

  async #clientInTime(): Promise<PoolClient> {
    const mustWait =
      this.#pool.waitingCount > 0 || (this.#pool.idleCount === 0 && this.#pool.totalCount >= this.#pool.options.max)
    const connecting = this.#pool.connect()
    if (!mustWait) return connecting.catch(rethrowTranslated)
    return new Promise((resolve, reject) => {
      let hasGivenUp = false
      const timer = setTimeout(() => {
        hasGivenUp = true
        reject(new DatabaseUnavailable(`no connection to PostgreSQL was free for ${poolWaitMilliseconds} ms`))
      }, poolWaitMilliseconds)
      connecting.then(
        (client) => {
          clearTimeout(timer)
          if (hasGivenUp) client.release()
          else resolve(client)
        },
        (error: unknown) => {
          clearTimeout(timer)
          reject(translateConnectionError(error))
        },
      )
    })
  }
}

function rethrowTranslated(error: unknown): never {
  throw translateConnectionError(error)
}
