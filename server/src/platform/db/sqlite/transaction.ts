// The transaction on SQLite. Every statement has run when its method returns; promises only satisfy the interface.
import type { Transaction } from '../database.ts'
import type { Statement } from '../sql.ts'
import type { SqliteConnection } from './connection.ts'

export class SqliteTransaction implements Transaction {
  readonly engine = 'sqlite'
  readonly shard = 0
  readonly actions: (() => void)[] = []
  /** The first statement that failed. */
  failure: { readonly reason: unknown } | undefined
  readonly #connection: SqliteConnection
  #hasEnded = false
  /** Whether its last statements have run. */
  #isComplete = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.#guarded(() => this.#connection.all<Row>(statement))
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    return this.#guarded(() => this.#connection.first<Row>(statement))
  }

  async run(statement: Statement): Promise<number> {
    return this.#guarded(() => this.#connection.run(statement))
  }

  async runAll(statements: readonly Statement[]): Promise<number> {
    return this.#guarded(() => this.#connection.runAll(statements))
  }

  runLast(statements: readonly Statement[]): void {
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
