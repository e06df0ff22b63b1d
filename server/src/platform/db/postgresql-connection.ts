// A pooled connection: its counter shard, the statements it has prepared, and whether it may be used again.
import type { QueryConfig, QueryResult } from 'pg'
import { DatabaseUnavailable } from './database.ts'
import { endsConnection, isServerGone, translateStatementError } from './postgresql-errors.ts'
import { type ServerConnection, type ServerStateRow, serverState } from './postgresql-servers.ts'
import type { Statement } from './sql.ts'

/** The server keeps every prepared statement as long as the connection lives; statements beyond this number are sent unnamed. */
const preparedStatementsMax = 1000
/**
 * The server itself cancels statements after 5 s. If it has not answered by then, a commit is waiting for a standby or the server cannot be
 * reached. Neither is cancelled here: a cancelled commit would take effect on that server alone.
 */
const answerMilliseconds = 8000
/** The function in the server whose warning says that a commit stopped waiting for the standby. */
const waitForStandby = 'SyncRepWaitForLSN'

export class PostgresqlConnection {
  readonly shard: number
  readonly #server: ServerConnection
  readonly #onServerGone: () => void
  readonly #names = new Set<string>()
  #isBroken = false
  /** Whether the client was told of a commit that the standby may not have. */
  #isUnreplicated = false
  #underWay = 0
  #whenQuiet: (() => void) | undefined

  /** @param onServerGone called when an answer shows that no other connection can be trusted either. */
  constructor(server: ServerConnection, shard: number, onServerGone: () => void) {
    this.#server = server
    this.shard = shard
    this.#onServerGone = onServerGone
    server.client.on('error', (error) => this.#lose(error))
    server.client.on('notice', ({ routine }) => {
      if (routine === waitForStandby) this.#isUnreplicated = true
    })
  }

  get generation(): number {
    return this.#server.generation
  }

  /** The id of the server's process. */
  get pid(): number {
    return this.#server.pid
  }

  /** Whether the connection is intact, outside any transaction, and has no unanswered statements. */
  get isReusable(): boolean {
    return !this.#isBroken && this.#underWay === 0 && this.#server.client.getTransactionStatus() === 'I'
  }

  /** Whether the server has yet to answer a statement. */
  get isUnanswered(): boolean {
    return this.#underWay > 0
  }

  query<Row extends object>(statement: Statement): Promise<QueryResult<Row>> {
    return this.#ask<Row>({
      name: this.#preparedName(statement),
      text: statement.postgresqlText,
      // pg reads the array and does not keep it.
      values: statement.values as unknown[],
    })
  }

  /** Asks for the present state of its server. */
  async state(): Promise<ServerStateRow> {
    const { rows } = await this.#ask<ServerStateRow>({ text: serverState })
    return rows[0] ?? { state: 'read-only', server: '', pid: '' }
  }

  /** Runs a statement without parameters, written in the code: BEGIN, COMMIT, ROLLBACK. */
  async command(text: string): Promise<string> {
    const { command } = await this.#ask({ text })
    return command
  }

  /**
   * Ends the connection after the server has answered everything, because until then it may still be working. Resolves when it has ended.
   */
  async end(): Promise<void> {
    this.#isBroken = true
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#whenQuiet = resolve))
    await this.#server.end()
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#isBroken = true
    this.#server.destroy()
  }

  async #ask<Row extends object>(config: QueryConfig): Promise<QueryResult<Row>> {
    if (this.#isBroken) throw new DatabaseUnavailable('the connection to PostgreSQL was lost')
    try {
      return await this.#answer<Row>(config)
    } catch (error) {
      // Shows the caller's stack instead of the socket's.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw translateStatementError(error)
    }
  }

  #answer<Row extends object>(config: QueryConfig): Promise<QueryResult<Row>> {
    this.#underWay++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isBroken = true
        reject(new DatabaseUnavailable(`PostgreSQL has not answered for ${answerMilliseconds} ms`))
      }, answerMilliseconds)
      this.#server.client.query<Row>(config, (error: Error | null, result) => {
        clearTimeout(timer)
        if (error !== null && error !== undefined && endsConnection(error)) this.#lose(error)
        if (--this.#underWay === 0) this.#whenQuiet?.()
        if (error) reject(error)
        else if (this.#isUnreplicated) reject(this.#unreplicated())
        else resolve(result)
      })
    })
  }

  #unreplicated(): DatabaseUnavailable {
    this.#isBroken = true
    return new DatabaseUnavailable('a commit may not be on the standby: its wait was cancelled')
  }

  /** Only the first reason counts, because the others follow from it. */
  #lose(error: unknown): void {
    if (this.#isBroken) return
    this.#isBroken = true
    if (isServerGone(error)) this.#onServerGone()
  }

  #preparedName(statement: Statement): string | undefined {
    if (this.#names.has(statement.name)) return statement.name
    if (this.#names.size >= preparedStatementsMax) return undefined
    this.#names.add(statement.name)
    return statement.name
  }
}
