// A pooled connection: its counter shard, the statements it has prepared, and whether it may be used again.
import type { PoolClient, QueryResult } from 'pg'
import { isServerError, isStaleStatement, translateStatementError } from './postgresql-errors.ts'
import type { Statement } from './sql.ts'

/** The server keeps every prepared statement as long as the connection lives; those beyond this many are sent unnamed. */
const preparedStatementsMax = 1000

export class PostgresqlConnection {
  readonly shard: number
  readonly #client: PoolClient
  readonly #names = new Set<string>()
  #isBroken = false

  constructor(client: PoolClient, shard: number) {
    this.#client = client
    this.shard = shard
    // Without a listener the loss of the connection would end the process; the statement under way reports it.
    client.on('error', () => {
      this.#isBroken = true
    })
  }

  /** Whether it is whole and outside any transaction. */
  get isReusable(): boolean {
    return !this.#isBroken && this.#client.getTransactionStatus() === 'I'
  }

  async query<Row extends object>(statement: Statement): Promise<QueryResult<Row>> {
    try {
      return await this.#client.query<Row>({
        name: this.#preparedName(statement),
        text: statement.postgresqlText,
        // pg reads the array and does not keep it.
        values: statement.values as unknown[],
      })
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /** Runs a text of the code's own without parameters: BEGIN, COMMIT, ROLLBACK. */
  async command(text: string): Promise<string> {
    try {
      const { command } = await this.#client.query(text)
      return command
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /** Gives it back to the pool, which ends it when `mayBeReused` is false. */
  release(mayBeReused: boolean): void {
    this.#client.release(!mayBeReused)
  }

  #preparedName(statement: Statement): string | undefined {
    if (this.#names.has(statement.name)) return statement.name
    if (this.#names.size >= preparedStatementsMax) return undefined
    this.#names.add(statement.name)
    return statement.name
  }

  #translated(error: unknown): unknown {
    if (!isServerError(error) || isStaleStatement(error)) this.#isBroken = true
    return translateStatementError(error)
  }
}
