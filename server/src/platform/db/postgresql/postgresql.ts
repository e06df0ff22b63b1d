// The engine for services that run on more than one machine.
import { setTimeout as sleep } from 'node:timers/promises'
import type { DistributeOptions, Distributed, ShardedTable } from '../citus/distribute.ts'
import { isCreatedAtCollision } from '../constraints.ts'
import {
  type Database,
  DatabaseUnavailable,
  NothingChanged,
  type Reader,
  type Transaction,
  type WriteContext,
  type WriteOptions,
  runAfterCommit,
} from '../database.ts'
import { type RegisteredMigration, assertSchemaIsCurrent } from '../migrate.ts'
import { type Statement, combine, combineUnlessUnchanged, sql } from '../sql.ts'
import type { PostgresqlConnection } from './connection.ts'
import { isDivisionByZero, isSerialisationFailure } from './errors.ts'
import { PostgresqlListener } from './listener.ts'
import { migratePostgresql } from './migrate-postgresql.ts'
import { type PoolLoad, PostgresqlPool } from './pool.ts'
import { assertTimeouts } from './pooler.ts'
import { PostgresqlServers, type ServerKind } from './servers.ts'
import { tryTransaction } from './transaction.ts'

const rerunsMax = 5
const backOffMilliseconds = 5

/** Receives notifications of one channel. */
export interface Listening {
  /** Reads over the listening connection, outside the pool. Fails within two seconds when the server does not answer. */
  all<Row extends object>(statement: Statement): Promise<Row[]>
  stop(): Promise<void>
}

interface PostgresqlOptions {
  readonly poolSize: number
  readonly servers: ServerKind
  /** Given if `url` leads to a pooler in transaction mode: the address of the same database without the pooler. */
  readonly directUrl?: string | undefined
}

export class PostgresqlDatabase implements Database {
  readonly engine = 'postgresql'
  readonly #servers: PostgresqlServers
  /** Where connections lead that keep a state: those that listen or migrate. */
  readonly #directServers: PostgresqlServers
  readonly #isPooled: boolean
  readonly #migrations: readonly RegisteredMigration[]
  readonly #pool: PostgresqlPool
  readonly #listeners = new Set<PostgresqlListener>()
  #closed: Promise<void> | undefined

  constructor(
    url: string,
    { poolSize, servers, directUrl }: PostgresqlOptions,
    migrations: readonly RegisteredMigration[],
  ) {
    this.#isPooled = directUrl !== undefined
    this.#servers = new PostgresqlServers(url, servers)
    this.#directServers = directUrl === undefined ? this.#servers : new PostgresqlServers(directUrl, servers)
    this.#migrations = migrations
    this.#pool = new PostgresqlPool(this.#servers, poolSize, { isPooled: this.#isPooled })
  }

  get load(): PoolLoad {
    return this.#pool.load
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    const { rows } = await this.#pool.use('read', (connection) => connection.query<Row>(statement))
    return rows
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    const rows = await this.all<Row>(statement)
    return rows[0]
  }

  async transaction<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let reruns = 0; ; reruns++) {
      const outcome = await this.#pool.use('write', (connection) => tryTransaction(connection, body))
      if (outcome.kind === 'committed') {
        runAfterCommit(outcome.actions)
        return outcome.value
      }
      if (!mayRunAgain(outcome.cause)) throw outcome.reason
      if (reruns === rerunsMax) throw givenUp(outcome.reason)
      await backOff(reruns)
    }
  }

  async write(
    build: (context: WriteContext) => readonly Statement[],
    { isProvisional = false, mustChange = false }: WriteOptions = {},
  ): Promise<number> {
    for (let reruns = 0; ; reruns++) {
      try {
        return await this.#pool.use('write', (connection) => {
          const statements = build({ shard: connection.shard })
          return connection.isSharded
            ? writeEach(connection, statements, mustChange)
            : writeAtOnce(connection, statements, { isProvisional, mustChange })
        })
      } catch (error) {
        if (mustChange && isDivisionByZero(error)) throw new NothingChanged()
        if (!mayRunAgain(error)) throw error
        if (reruns === rerunsMax) throw givenUp(error)
      }
      await backOff(reruns)
    }
  }

  /** Runs reads over one connection that all see the same moment, however long they take. */
  snapshot<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#pool.use('read', async (connection) => {
      await connection.command('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await connection.command('SET LOCAL idle_in_transaction_session_timeout = 0')
      try {
        return await read(readerOf(connection))
      } finally {
        // If this fails, the connection is not reusable and the server ends the transaction by itself.
        await connection.command('ROLLBACK').catch(() => undefined)
      }
    })
  }

  /** Runs reads over one connection, each of which sees the latest state of its server. */
  session<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#pool.use('read', (connection) => read(readerOf(connection)))
  }

  async check(): Promise<void> {
    await this.#pool.use('read', async (connection) => {
      const state = await connection.state()
      if (this.#servers.isUsable(state)) return
      this.#servers.retire(connection.generation)
      throw new DatabaseUnavailable(`the PostgreSQL server is ${state.state}`)
    })
    await assertSchemaIsCurrent(this, this.#migrations)
  }

  /** Brings the schema up to date and returns the ids of the migrations that this call applied. */
  async migrate(): Promise<string[]> {
    const applied = await migratePostgresql(this.#directServers, this.#migrations)
    if (this.#isPooled) await assertTimeouts(this)
    return applied
  }

  /** Spreads tables over the servers of a Citus cluster, see {@link distributeTables}. */
  async distribute(tables: readonly ShardedTable[], options?: DistributeOptions): Promise<Distributed> {
    const { distributeTables } = await import('../citus/distribute.ts')
    return distributeTables(this.#directServers, tables, options)
  }

  /**
   * Calls `onPayload` for each NOTIFY on the channel, over a connection of its own that is reopened whenever it is lost. Notifications sent
   * meanwhile are lost, so `onReconnect` tells the caller to look for changes. Resolves once it listens.
   */
  async listen(
    channel: string,
    onPayload: (payload: string) => void,
    onReconnect: () => void = () => undefined,
  ): Promise<Listening> {
    if (this.#closed !== undefined) throw new DatabaseUnavailable('the database is closing')
    const listener = new PostgresqlListener(this.#directServers, channel, { onPayload, onReconnect })
    await listener.start()
    this.#listeners.add(listener)
    return {
      all: async <Row extends object>(statement: Statement) => {
        const rows = await listener.all<Row>(statement)
        // The processes of the server belong to a pooler, if there is one.
        if (!this.#isPooled) await this.#pool.reclaim((backends) => listener.all(backends))
        return rows
      },
      stop: async () => {
        this.#listeners.delete(listener)
        await listener.stop()
      },
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await Promise.all([this.#pool.close(), ...[...this.#listeners].map((listener) => listener.stop())])
  }
}

function readerOf(connection: PostgresqlConnection): Reader {
  const all = async <Row extends object>(statement: Statement) => (await connection.query<Row>(statement)).rows
  return { all, first: async <Row extends object>(statement: Statement) => (await all<Row>(statement))[0] }
}

async function writeAtOnce(
  connection: PostgresqlConnection,
  statements: readonly Statement[],
  { isProvisional, mustChange }: Required<WriteOptions>,
): Promise<number> {
  if (statements.length === 0) return 0
  const write = mustChange ? combineUnlessUnchanged(statements) : combine(statements)
  const statement = isProvisional ? withoutWaiting(write) : write
  const { rows, rowCount } = await connection.query<{ readonly changed: number }>(statement)
  return (mustChange ? rows[0]?.changed : rowCount) ?? 0
}

/**
 * Writes one statement after the other. Citus keeps the plan of a statement about one tenant; it would plan a combination of them at each
 * execution, and run its parts one after the other, too.
 */
async function writeEach(
  connection: PostgresqlConnection,
  statements: readonly Statement[],
  mustChange: boolean,
): Promise<number> {
  const [only, another] = statements
  if (only === undefined) return 0
  const checked = (changed: number) => {
    if (mustChange && changed === 0) throw new NothingChanged()
    return changed
  }
  if (another === undefined) return checked((await connection.query(only)).rowCount ?? 0)
  const outcome = await tryTransaction(connection, async (tx) => checked(await tx.runAll(statements)))
  if (outcome.kind === 'failed') throw outcome.reason
  return outcome.value
}

/**
 * Returns a write that is committed without waiting for the disk or a standby. The next commit that waits makes it durable too, because the
 * server writes its log in order.
 */
const withoutWaiting = (write: Statement) => sql`${write} RETURNING set_config('synchronous_commit', 'off', true)`

/** Retries only if the server has said that nothing took effect; a lost connection leaves that open. */
function mayRunAgain(cause: unknown): boolean {
  return isSerialisationFailure(cause) || isCreatedAtCollision(cause)
}

function givenUp(reason: unknown): unknown {
  if (!isSerialisationFailure(reason)) return reason
  return new DatabaseUnavailable('the transaction kept colliding with others', { cause: reason })
}

async function backOff(reruns: number): Promise<void> {
  await sleep(Math.random() * backOffMilliseconds * 2 ** reruns)
}
