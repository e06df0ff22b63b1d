// A standby that answers lists. It is asked only once it has replayed everything that the primary had made durable when the operation began,
// so that nobody misses a change that was acknowledged before, whichever node made it. Otherwise the primary answers.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database, Reader } from '../database.ts'
import { type Statement, sql } from '../sql.ts'
import type { PostgresqlDatabase } from './postgresql.ts'

/** How long a list waits for the standby to catch up. */
const catchUpMs = 100
/** Includes the time to get a connection. */
const waitMs = 300
const pauseMs = 3
/** How often the standby is looked at, and so for how long it is left alone once it was behind or gone. */
const lookEveryMs = 1000

export type ReplicaState = 'usable' | 'behind' | 'away'

/** Who answered the lists' reads: the replica, or the primary because the replica was behind or away. */
export type ReplicaReads = Record<'replica' | 'behind' | 'away', number>

interface Reading {
  /** The position in the primary's log that the standby must have replayed. */
  required?: Promise<string>
}

const readings = new AsyncLocalStorage<Reading>()

/** Runs an operation whose reads outside transactions may come from the replica. */
export const fromReplica = <T>(operation: () => T): T => readings.run({}, operation)

/** A standby receives what the primary has flushed, which includes each acknowledged commit. */
const selectEndOfLog = sql`SELECT CAST(pg_current_wal_flush_lsn() AS text) AS lsn`

/** A standby that receives nothing may follow a primary that is no longer the primary. */
const selectProgress = (lsn: string) => sql`SELECT CAST(pg_wal_lsn_diff(CAST(CAST(${lsn} AS text) AS pg_lsn),
    pg_last_wal_replay_lsn()) AS double precision) AS lag,
  pg_is_in_recovery() AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver) AS is_following`

interface Progress {
  /** In bytes of the write-ahead log, not positive when it has caught up; null on a server that replays nothing. */
  readonly lag: number | null
  readonly is_following: 0 | 1
}

export async function endOfLog(primary: Reader): Promise<string> {
  const row = await primary.first<{ lsn: string }>(selectEndOfLog)
  if (row === undefined) throw new Error('PostgreSQL has not told the end of its log')
  return row.lsn
}

/** Waits until the standby has replayed up to `lsn`, for some milliseconds, and returns how many bytes are missing. */
export async function lagAfterWaiting(standby: Reader, lsn: string): Promise<number> {
  const until = performance.now() + catchUpMs
  for (;;) {
    const progress = await standby.first<Progress>(selectProgress(lsn))
    if (progress === undefined || progress.lag === null || progress.is_following === 0) {
      throw new Error('the server follows no primary')
    }
    if (progress.lag <= 0 || performance.now() > until) return Math.max(0, progress.lag)
    await sleep(pauseMs)
  }
}

export class ReadReplica {
  readonly #primary: Reader
  readonly #standby: PostgresqlDatabase
  readonly #log: Logger
  readonly #reads: ReplicaReads = { replica: 0, behind: 0, away: 0 }
  #state: ReplicaState = 'away'
  #lag: number | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(primary: Reader, standby: PostgresqlDatabase, log: Logger) {
    this.#primary = primary
    this.#standby = standby
    this.#log = log
  }

  get state(): ReplicaState {
    return this.#state
  }

  get reads(): Readonly<ReplicaReads> {
    return this.#reads
  }

  /** Bytes of the primary's log that were missing when the standby was last looked at; undefined while it is away. */
  get lag(): number | undefined {
    return this.#lag
  }

  /** Looks at the standby from now on. A list never waits for one that is known to be behind or away. */
  async start(): Promise<void> {
    await this.#look()
    if (this.#state !== 'usable') this.#log.warn({ replica: this.#state }, 'lists are read from the primary')
    this.#lookLater()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    await this.#standby.close()
  }

  /** Returns the rows of a statement, or undefined if the primary has to be asked. */
  async read<Row extends object>(reading: Reading, statement: Statement): Promise<Row[] | undefined> {
    if (this.#state === 'usable') {
      try {
        reading.required ??= endOfLog(this.#primary)
        const rows = await this.#readAt<Row>(await reading.required, statement)
        this.#reads[rows === undefined ? 'behind' : 'replica']++
        if (rows === undefined) this.#become('behind')
        return rows
      } catch (err) {
        this.#become('away', err)
      }
    }
    this.#reads[this.#state === 'behind' ? 'behind' : 'away']++
    return undefined
  }

  async #readAt<Row extends object>(lsn: string, statement: Statement): Promise<Row[] | undefined> {
    const hasCaughtUp = Promise.withResolvers<boolean>()
    const until = performance.now() + waitMs
    // Over one connection, since another one could lead to another standby.
    const rows = this.#standby.session(async (reader) => {
      const isUsed = (await lagAfterWaiting(reader, lsn)) === 0 && performance.now() < until
      hasCaughtUp.resolve(isUsed)
      return isUsed ? reader.all<Row>(statement) : undefined
    })
    rows.catch(hasCaughtUp.reject)
    const isUsed = await Promise.race([hasCaughtUp.promise, sleep(waitMs, undefined, { ref: false })])
    if (isUsed === undefined) throw new Error(`the replica has not answered within ${waitMs} ms`)
    return isUsed ? rows : undefined
  }

  async #look(): Promise<void> {
    try {
      await this.#standby.check()
      const lsn = await endOfLog(this.#primary)
      this.#lag = await this.#standby.session((reader) => lagAfterWaiting(reader, lsn))
      this.#become(this.#lag === 0 ? 'usable' : 'behind')
    } catch (err) {
      this.#lag = undefined
      this.#become('away', err)
    }
  }

  #lookLater(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => this.#lookLater())
    }, lookEveryMs).unref()
  }

  #become(state: ReplicaState, err?: unknown): void {
    if (state === this.#state) return
    this.#state = state
    if (state === 'usable') this.#log.info('lists are read from the replica')
    else this.#log.warn({ replica: state, ...(err === undefined ? {} : { err }) }, 'lists are read from the primary')
  }
}

/** Returns the database as the operations of requests use it: reads of lists come from the replica where that is possible. */
export function withReplica(db: Database, replica: ReadReplica): Database {
  const all = async <Row extends object>(statement: Statement): Promise<Row[]> => {
    const reading = readings.getStore()
    const rows = reading === undefined ? undefined : await replica.read<Row>(reading, statement)
    return rows ?? db.all<Row>(statement)
  }
  return {
    engine: db.engine,
    all,
    first: async <Row extends object>(statement: Statement) => (await all<Row>(statement))[0],
    // Whatever runs in a transaction, and what it calls, is the primary's business.
    transaction: (body, options) => readings.exit(() => db.transaction(body, options)),
    write: (build, options) => db.write(build, options),
    snapshot: (read) => readings.exit(() => db.snapshot(read)),
    check: () => db.check(),
    close: () => db.close(),
  }
}
