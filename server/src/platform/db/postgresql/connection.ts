// A pooled connection: its counter shard, the statements it has prepared, and whether it may be used again.
import { DatabaseUnavailable } from '../database.ts'
import type { Statement } from '../sql.ts'
import { endsConnection, isServerGone, translateStatementError } from './errors.ts'
import { type ServerConnection, type ServerStateRow, serverState } from './servers.ts'
import { type Answer, type Columns, type Sent, StatementQuery } from './statement-query.ts'

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
  readonly #prepares: boolean
  readonly #server: ServerConnection
  readonly #onServerGone: () => void
  /** The statements that are prepared, or would be, by name, each with what it returns, once the server has said so. */
  readonly #prepared = new Map<string, Columns | undefined>()
  #isBroken = false
  /** Whether the client was told of a commit that the standby may not have. */
  #isUnreplicated = false
  #underWay = 0
  #whenQuiet: (() => void) | undefined

  /**
   * @param options.prepares false if the next transaction may run over another connection to the server, as behind a pooler.
   * @param options.onServerGone called when an answer shows that no other connection can be trusted either.
   */
  constructor(
    server: ServerConnection,
    shard: number,
    { prepares, onServerGone }: { readonly prepares: boolean; readonly onServerGone: () => void },
  ) {
    this.#prepares = prepares
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

  /** Whether tables may be spread over several servers. */
  get isSharded(): boolean {
    return this.#server.isSharded
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

  async query<Row extends object>(statement: Statement): Promise<Answer<Row>> {
    const { postgresqlText: text, values } = statement
    const name = this.#prepares ? this.#preparedName(statement) : undefined
    if (name === undefined) return this.#ask<Row>({ text, values })
    const known = this.#prepared.get(name)
    const answer = await this.#ask<Row>({ name, text, values, columns: known })
    if (known === undefined) this.#prepared.set(name, answer.columns)
    return answer
  }

  /** Asks for the present state of its server. */
  async state(): Promise<ServerStateRow> {
    const { rows } = await this.#ask<ServerStateRow>({ text: serverState, values: [] })
    return rows[0] ?? { state: 'read-only', server: '', pid: '', sharded: 0 }
  }

  /** Runs a statement without parameters, written in the code: BEGIN, COMMIT, ROLLBACK. */
  async command(text: string): Promise<string> {
    const { command } = await this.#ask({ text, values: [] })
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

  async #ask<Row extends object>(sent: Sent): Promise<Answer<Row>> {
    if (this.#isBroken) throw new DatabaseUnavailable('the connection to PostgreSQL was lost')
    try {
      return await this.#answer<Row>(sent)
    } catch (error) {
      // Shows the caller's stack instead of the socket's.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw translateStatementError(error)
    }
  }

  #answer<Row extends object>(sent: Sent): Promise<Answer<Row>> {
    this.#underWay++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isBroken = true
        reject(new DatabaseUnavailable(`PostgreSQL has not answered for ${answerMilliseconds} ms`))
      }, answerMilliseconds)
      const answered = (error: Error | null, answer: Answer<object>) => {
        clearTimeout(timer)
        if (error !== null && endsConnection(error)) this.#lose(error)
        if (--this.#underWay === 0) this.#whenQuiet?.()
        if (error) reject(error)
        else if (this.#isUnreplicated) reject(this.#unreplicated())
        else resolve(answer as Answer<Row>)
      }
      this.#server.client.query(new StatementQuery(sent, answered))
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
    if (this.#prepared.has(statement.name)) return statement.name
    if (this.#prepared.size >= preparedStatementsMax) return undefined
    this.#prepared.set(statement.name, undefined)
    return statement.name
  }
}
