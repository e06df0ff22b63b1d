// One try of a transaction on PostgreSQL, over one connection, at READ COMMITTED.
import { DatabaseUnavailable, type Transaction } from '../database.ts'
import { combine, type Statement } from '../sql.ts'
import type { PostgresqlConnection } from './connection.ts'
import type { Answer } from './statement-query.ts'

const onlyReads = /^\s*select\b/i

/** The outcome of a try; `cause` decides whether there is another try. */
export type Outcome<T> =
  | { readonly kind: 'committed'; readonly value: T; readonly actions: readonly (() => void)[] }
  | { readonly kind: 'failed'; readonly reason: unknown; readonly cause: unknown }

class PostgresqlTransaction implements Transaction {
  readonly engine = 'postgresql'
  readonly shard: number
  readonly actions: (() => void)[] = []
  /** The first statement that failed. */
  failure: { readonly reason: unknown } | undefined
  readonly #connection: PostgresqlConnection
  readonly #underWay = new Set<Promise<unknown>>()
  #begin: Promise<string> | undefined
  #hasBegun = false
  #onlyReadsYet = true
  #hasEnded = false
  /** What is sent together with COMMIT. */
  #last: readonly Statement[] | undefined

  constructor(connection: PostgresqlConnection) {
    this.#connection = connection
    this.shard = connection.shard
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    const { rows } = await this.#guarded<Row>(statement)
    return rows
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    const { rows } = await this.#guarded<Row>(statement)
    return rows[0]
  }

  async run(statement: Statement): Promise<number> {
    const { rowCount } = await this.#guarded(statement)
    return rowCount ?? 0
  }

  async runAll(statements: readonly Statement[]): Promise<number> {
    if (!this.#connection.isSharded) return statements.length === 0 ? 0 : this.run(combine(statements))
    // All are sent at once; after one that fails, the server refuses the rest.
    const changed = await Promise.all(statements.map((statement) => this.run(statement)))
    return changed.at(-1) ?? 0
  }

  runLast(statements: readonly Statement[]): void {
    this.#assertOpen()
    this.#last = statements
  }

  afterCommit(action: () => void): void {
    if (this.#hasEnded) throw new Error('the transaction has ended')
    this.actions.push(action)
  }

  /** Waits for the statements that the body did not await, so that their failures count. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    this.#hasEnded = true
  }

  /**
   * Runs the last statements and commits.
   * @throws what one of them failed with, if the server has rolled everything back.
   * @throws DatabaseUnavailable if COMMIT was not confirmed, so that the transaction may have taken effect.
   */
  async commit(): Promise<void> {
    const last = this.#last ?? []
    if (last.length > 0) this.#begin ??= this.#start()
    if (this.#begin === undefined) return
    await this.#begin
    const steps = this.#connection.isSharded || last.length === 0 ? last : [combine(last)]
    // After one that fails, the server refuses the rest, and COMMIT rolls back.
    const running = steps.map((statement) => this.#connection.query(statement))
    const [ended, ...outcomes] = await Promise.allSettled([this.#connection.command('COMMIT'), ...running])
    if (ended.status === 'rejected') throw unconfirmed(ended.reason)
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    // If PostgreSQL considers the transaction failed, COMMIT succeeds but rolls it back.
    if (ended.value !== 'COMMIT') throw new Error(`COMMIT was answered with ${ended.value}`)
  }

  async rollBack(): Promise<void> {
    this.#hasEnded = true
    if (this.#begin === undefined) return
    // If these fail, the connection is not reusable and the server rolls back by itself.
    await this.#begin.catch(() => undefined)
    await this.#connection.command('ROLLBACK').catch(() => undefined)
  }

  async #guarded<Row extends object>(statement: Statement): Promise<Answer<Row>> {
    this.#assertOpen()
    const result = this.#send<Row>(statement)
    this.#underWay.add(result)
    try {
      return await result
    } catch (error) {
      this.failure ??= { reason: error }
      throw error
    } finally {
      this.#underWay.delete(result)
    }
  }

  #assertOpen(): void {
    if (this.#hasEnded) throw new Error('the transaction has ended')
    if (this.#last !== undefined) throw new Error('the last statements of the transaction were given before')
  }

  async #send<Row extends object>(statement: Statement): Promise<Answer<Row>> {
    if (this.#hasBegun) return this.#connection.query<Row>(statement)
    this.#begin ??= this.#start()
    // Reads do no harm if BEGIN fails, so the first ones are sent together with it. A write would then run outside the transaction.
    this.#onlyReadsYet &&= onlyReads.test(statement.postgresqlText)
    if (this.#onlyReadsYet) {
      const [, result] = await Promise.all([this.#begin, this.#connection.query<Row>(statement)])
      return result
    }
    await this.#begin
    return this.#connection.query<Row>(statement)
  }

  async #start(): Promise<string> {
    const command = await this.#connection.command('BEGIN ISOLATION LEVEL READ COMMITTED')
    this.#hasBegun = true
    return command
  }
}

function unconfirmed(error: unknown): unknown {
  if (!(error instanceof DatabaseUnavailable)) return error
  return new DatabaseUnavailable('COMMIT was not confirmed: the transaction may have taken effect', { cause: error })
}

/** Runs `body` once, commits or rolls back, and resolves with the outcome. */
export async function tryTransaction<T>(
  connection: PostgresqlConnection,
  body: (tx: Transaction) => Promise<T>,
): Promise<Outcome<T>> {
  const tx = new PostgresqlTransaction(connection)
  let value: T
  try {
    value = await body(tx)
    await tx.settle()
    // A failed statement fails the transaction, even when the body ignores the error.
    if (tx.failure !== undefined) throw tx.failure.reason
  } catch (error) {
    await tx.rollBack()
    return { kind: 'failed', reason: error, cause: tx.failure === undefined ? error : tx.failure.reason }
  }
  try {
    await tx.commit()
  } catch (error) {
    return { kind: 'failed', reason: error, cause: error }
  }
  return { kind: 'committed', value, actions: tx.actions }
}
