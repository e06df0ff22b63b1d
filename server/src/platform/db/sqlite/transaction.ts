// The transaction on SQLite. A statement runs as soon as it is given, unless the slice of time is over: then it runs in the next turn of the
// event loop.
import type { Transaction } from '../database.ts'
import type { Statement } from '../sql.ts'
import type { SqliteConnection } from './connection.ts'
import type { Slices } from './slices.ts'

export class SqliteTransaction implements Transaction {
  readonly engine = 'sqlite'
  readonly shard = 0
  readonly actions: (() => void)[] = []
  /** The first statement that failed. */
  failure: { readonly reason: unknown } | undefined
  readonly #connection: SqliteConnection
  readonly #slices: Slices
  readonly #sliceMs: number
  #hasEnded = false
  /** Whether its last statements have run. */
  #isComplete = false

  constructor(connection: SqliteConnection, slices: Slices, sliceMs: number) {
    this.#connection = connection
    this.#slices = slices
    this.#sliceMs = sliceMs
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    const turn = this.#slices.next(this.#sliceMs)
    if (turn !== undefined) await turn
    return this.#guarded(() => this.#connection.all<Row>(statement))
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    const turn = this.#slices.next(this.#sliceMs)
    if (turn !== undefined) await turn
    return this.#guarded(() => this.#connection.first<Row>(statement))
  }

  async run(statement: Statement): Promise<number> {
    const turn = this.#slices.next(this.#sliceMs)
    if (turn !== undefined) await turn
    return this.#guarded(() => this.#connection.run(statement))
  }

  async runAll(statements: readonly Statement[]): Promise<number> {
    let changed = 0
    for (const statement of statements) {
      const turn = this.#slices.next(this.#sliceMs)
      if (turn !== undefined) await turn
      changed = this.#guarded(() => this.#connection.run(statement))
    }
    return changed
  }

  runLast(statements: readonly Statement[]): void {
    if (this.#slices.isTurning) throw new Error('a statement of the transaction was not awaited')
    this.#guarded(() => this.#connection.runAll(statements))
    this.#isComplete = true
  }

  afterCommit(action: () => void): void {
    if (this.#hasEnded) throw new Error('the transaction has ended')
    this.actions.push(action)
  }

  end(): void {
    this.#hasEnded = true
  }

  #guarded<T>(step: () => T): T {
    if (this.#hasEnded) throw new Error('the transaction has ended')
    if (this.#isComplete) throw new Error('the last statements of the transaction were given before')
    try {
      return step()
    } catch (error) {
      this.failure ??= { reason: error }
      throw error
    }
  }
}
