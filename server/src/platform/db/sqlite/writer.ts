// SQLite's one writer. Queued transactions run as a group under one COMMIT, which makes each of them durable at a fraction of the cost;
// none is acknowledged before it. Between slices of a group, and while the disk writes, the event loop continues and the next transactions gather.
import { keepingTime } from '../../clock.ts'
import { isCreatedAtCollision } from '../constraints.ts'
import {
  DatabaseUnavailable,
  NothingChanged,
  type Transaction,
  type TransactionOptions,
  type WriteContext,
  type WriteOptions,
  runAfterCommit,
} from '../database.ts'
import { type Statement, sql } from '../sql.ts'
import type { Checkpoints } from './checkpoint.ts'
import type { SqliteConnection } from './connection.ts'
import { fullDisk, isDiskFull } from './disk-full.ts'
import { Slices, patientSliceMs, patientSliceMsBeforeCommit, sliceMs } from './slices.ts'
import { SqliteTransaction } from './transaction.ts'

const groupSizeMax = 256
const rerunsMax = 5
/** How many groups use savepoints after a group in which a transaction failed. */
const carefulGroups = 16
const context: WriteContext = { shard: 0 }
/** Changes nothing, but is written to the log as one page. */
const smallestWrite = sql`PRAGMA user_version = 0`

/** The reason of a rejection, wrapped in an object because any value may be thrown, even undefined. */
interface Failure {
  readonly reason: unknown
}

interface WriteJob {
  readonly build: (context: WriteContext) => readonly Statement[]
  readonly isPatient: false
  readonly isProvisional: boolean
  readonly mustChange: boolean
  readonly resolve: (changed: number) => void
  readonly reject: (reason: unknown) => void
  failure: Failure | undefined
  /** How many rows its last statement changed. */
  changed: number
}

interface BodyJob {
  readonly build: undefined
  readonly isProvisional: false
  readonly body: (tx: Transaction) => Promise<unknown>
  readonly isPatient: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  failure: Failure | undefined
  value: unknown
  actions: readonly (() => void)[]
}

type Job = WriteJob | BodyJob

/** The engine ended the transaction that the whole group shares. */
class GroupLost extends Error {}

const foreignAwait = () =>
  new Error(
    'a transaction body awaited something other than its own statements: hashing, network, timers and files go before it',
  )

export class SqliteWriter {
  readonly #connection: SqliteConnection
  readonly #checkpoints: Checkpoints
  readonly #directory: string
  readonly #slices = new Slices()
  #queue: Job[] = []
  #isBusy = false
  #isClosing = false
  /** Set once the disk has failed. Its content is then unknown, so no further writes may build on it. */
  #broken: DatabaseUnavailable | undefined
  /** Set while the disk is full. Writes are tried all the same. */
  #full: DatabaseUnavailable | undefined
  #carefulGroupsLeft = 0
  #whenIdle: (() => void) | undefined
  /** Fails the running body; set while one runs. */
  #interruptBody: (() => void) | undefined

  /** @param directory where the file is, for messages. */
  constructor(connection: SqliteConnection, checkpoints: Checkpoints, directory: string) {
    this.#connection = connection
    this.#checkpoints = checkpoints
    this.#directory = directory
  }

  transaction<T>(body: (tx: Transaction) => Promise<T>, { isPatient = false }: TransactionOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = resolve as (value: unknown) => void
      this.#enqueue({
        build: undefined,
        isProvisional: false,
        body: keepingTime(body),
        isPatient,
        resolve: settle,
        reject,
        failure: undefined,
        value: undefined,
        actions: [],
      })
    })
  }

  write(
    build: (context: WriteContext) => readonly Statement[],
    { isProvisional = false, mustChange = false }: WriteOptions = {},
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const atItsTime = keepingTime(build)
      const outcome = { failure: undefined, changed: 0 }
      this.#enqueue({ build: atItsTime, isPatient: false, isProvisional, mustChange, resolve, reject, ...outcome })
    })
  }

  /** Refuses new transactions and resolves when the queued ones are done. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#isBusy) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
    await this.#checkpoints.stop()
  }

  /** Why writes are refused, for now or until the process is started again; undefined while they are not. */
  get refusal(): DatabaseUnavailable | undefined {
    return this.#broken ?? this.#full
  }

  get isBroken(): boolean {
    return this.#broken !== undefined
  }

  /** @throws DatabaseUnavailable once the disk has failed, until the process restarts and SQLite recovers what is intact. */
  assertWhole(): void {
    if (this.#broken !== undefined) throw this.#broken
  }

  /** Refuses every write from now on. */
  giveUp(reason: DatabaseUnavailable): void {
    this.#broken ??= reason
  }

  /** Writes one page, to find out whether the disk takes it. Where it does and there is room for more, the disk is no longer full. */
  async tryRoom(hasRoom: boolean): Promise<void> {
    try {
      await this.write(() => [smallestWrite], { isProvisional: true })
      if (hasRoom) this.#full = undefined
    } catch {
      // The reason was noted.
    }
  }

  #enqueue(job: Job): void {
    const refusal = this.#isClosing ? new DatabaseUnavailable('the database is closing') : this.#broken
    if (refusal !== undefined) {
      job.reject(refusal)
      return
    }
    this.#queue.push(job)
    if (!this.#isBusy) this.#schedule()
  }

  #schedule(): void {
    this.#isBusy = true
    setImmediate(() => void this.#drain())
  }

  async #drain(): Promise<void> {
    const group = this.#queue.length > groupSizeMax ? this.#queue.splice(0, groupSizeMax) : this.#queue
    if (group === this.#queue) this.#queue = []
    let lost: Failure | undefined
    try {
      this.assertWhole()
      await this.#runGroup(group)
      if (group.some((job) => !job.isProvisional)) await this.#sync()
    } catch (error) {
      lost = { reason: error instanceof GroupLost ? error.cause : error }
    }
    for (const job of group) {
      const failure = lost ?? job.failure
      if (failure !== undefined && isDiskFull(failure.reason)) {
        this.#full ??= fullDisk(this.#directory, failure.reason)
      }
      acknowledge(job, failure)
    }
    if (this.#queue.length > 0) {
      this.#schedule()
    } else {
      this.#isBusy = false
      this.#whenIdle?.()
    }
  }

  async #sync(): Promise<void> {
    try {
      await this.#connection.sync()
      this.#checkpoints.look()
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#broken = error
      throw error
    }
  }

  /**
   * Runs writes that are all expected to succeed, without the savepoints that let a single one fail: those cost as much as the statements
   * themselves. Returns whether they succeeded; if not, nothing has happened.
   */
  async #runHopefully(group: readonly Job[]): Promise<boolean> {
    if (this.#carefulGroupsLeft > 0) {
      this.#carefulGroupsLeft--
      return false
    }
    if (group.length === 1 || group.some((job) => job.build === undefined)) return false
    this.#connection.execute('BEGIN IMMEDIATE')
    try {
      for (const job of group) {
        await this.#slices.next(sliceMs)
        if (job.build !== undefined) this.#runStatements(job)
      }
      await this.#slices.next(sliceMs)
      this.#connection.execute('COMMIT')
      return true
    } catch {
      // Running them again, each with a savepoint, shows which one fails.
      if (this.#connection.isInTransaction) this.#connection.execute('ROLLBACK')
      this.#carefulGroupsLeft = carefulGroups
      return false
    }
  }

  async #runGroup(group: readonly Job[]): Promise<void> {
    this.#slices.begin()
    if (await this.#runHopefully(group)) return
    const watch = watchForeignAwaits(() => {
      if (!this.#slices.isTurning) this.#interruptBody?.()
    })
    try {
      this.#connection.execute('BEGIN IMMEDIATE')
      const isShared = group.length > 1
      for (const job of group) {
        await this.#slices.next(sliceMs)
        if (isShared) this.#connection.execute('SAVEPOINT job')
        if (job.build !== undefined) this.#runWrite(job, isShared)
        else await this.#runBody(job, isShared)
        if (isShared) this.#connection.execute('RELEASE job')
      }
      await this.#slices.next(group.some((job) => job.isPatient) ? patientSliceMsBeforeCommit : sliceMs)
      this.#connection.execute('COMMIT')
    } catch (error) {
      if (this.#connection.isInTransaction) this.#connection.execute('ROLLBACK')
      throw error
    } finally {
      watch.stop()
    }
  }

  #runStatements(job: WriteJob): void {
    job.changed = this.#connection.runAll(job.build(context))
    if (job.mustChange && job.changed === 0) throw new NothingChanged()
  }

  #runWrite(job: WriteJob, isShared: boolean): void {
    for (let reruns = 0; ; reruns++) {
      try {
        this.#runStatements(job)
        return
      } catch (error) {
        this.#undo(error, isShared)
        if (isCreatedAtCollision(error) && reruns < rerunsMax) continue
        job.failure = { reason: error }
        return
      }
    }
  }

  async #runBody(job: BodyJob, isShared: boolean): Promise<void> {
    for (let reruns = 0; ; reruns++) {
      const tx = new SqliteTransaction(this.#connection, this.#slices, job.isPatient ? patientSliceMs : sliceMs)
      const failure = await this.#outcome(job, tx)
      tx.end()
      if (failure === undefined) {
        job.actions = tx.actions
        return
      }
      const cause = (tx.failure ?? failure).reason
      this.#undo(cause, isShared)
      if (isCreatedAtCollision(cause) && reruns < rerunsMax) continue
      job.failure = failure
      return
    }
  }

  /** Resolves with what the body failed with, if it did; never rejects. */
  #outcome(job: BodyJob, tx: SqliteTransaction): Promise<Failure | undefined> {
    return new Promise((resolve) => {
      const settle = (failure: Failure | undefined) => {
        this.#interruptBody = undefined
        resolve(failure)
      }
      let isInterrupted = false
      this.#interruptBody = () => {
        isInterrupted = true
        settle({ reason: foreignAwait() })
      }
      let running: Promise<unknown>
      try {
        running = job.body(tx)
      } catch (error) {
        settle({ reason: error })
        return
      }
      running.then(
        (value) => {
          if (isInterrupted) return
          job.value = value
          // As on PostgreSQL, a failed statement fails the transaction, even when the body ignores the error.
          settle(tx.failure)
        },
        (error: unknown) => {
          if (!isInterrupted) settle({ reason: error })
        },
      )
    })
  }

  /** Rolls back one transaction and keeps those of the group before it. */
  #undo(reason: unknown, isShared: boolean): void {
    // If the disk is full or broken, SQLite may have rolled back everything by itself.
    if (!this.#connection.isInTransaction) throw new GroupLost('the group was rolled back', { cause: reason })
    if (isShared) {
      this.#connection.execute('ROLLBACK TO job')
    } else {
      this.#connection.execute('ROLLBACK')
      this.#connection.execute('BEGIN IMMEDIATE')
    }
  }
}

/** Statements resolve within microtasks or slices, so the event loop turns at other times only if a body awaits something else. */
function watchForeignAwaits(onTurn: () => void): { stop(): void } {
  let timer = setImmediate(function turn() {
    onTurn()
    timer = setImmediate(turn)
  })
  return { stop: () => clearImmediate(timer) }
}

function acknowledge(job: Job, failure: Failure | undefined): void {
  if (failure !== undefined) {
    job.reject(failure.reason)
  } else if (job.build !== undefined) {
    job.resolve(job.changed)
  } else {
    runAfterCommit(job.actions)
    job.resolve(job.value)
  }
}
