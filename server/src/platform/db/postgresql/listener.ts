// Listens on one channel over a connection of its own, which is reopened whenever it is lost. It also answers reads that wait for no other
// statement, and is therefore the first to notice that the server is silent, read-only or a different one.
import { DatabaseUnavailable } from '../database.ts'
import type { Statement } from '../sql.ts'
import { translateStatementError } from './errors.ts'
import { statementSettings } from './pool.ts'
import { type PostgresqlServers, type ServerConnection, type ServerStateRow, serverState } from './servers.ts'

const retryMilliseconds = 100
const retryMillisecondsMax = 1000
/** A healthy server answers such small reads in a few milliseconds. */
const answerMilliseconds = 1500

/** Lets operators tell this connection from the others. */
const listenerName = 'bailiwick listener'

export interface ListenerEvents {
  readonly onPayload: (payload: string) => void
  readonly onReconnect: () => void
}

export class PostgresqlListener {
  readonly #servers: PostgresqlServers
  readonly #channel: string
  readonly #events: ListenerEvents
  readonly #stopFollowing: () => void
  #connection: ServerConnection | undefined
  #retry: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(servers: PostgresqlServers, channel: string, events: ListenerEvents) {
    if (!/^[a-z_]+$/.test(channel)) throw new TypeError('not a channel name')
    this.#servers = servers
    this.#channel = channel
    this.#events = events
    this.#stopFollowing = servers.onRetired(() => void this.#connection?.end())
  }

  /** @throws DatabaseUnavailable when the first connection fails. Later ones are retried until one succeeds. */
  async start(): Promise<void> {
    await this.#connect()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopFollowing()
    clearTimeout(this.#retry)
    await this.#connection?.end()
  }

  /**
   * Returns every row of a statement, whose text must limit their number.
   * @throws DatabaseUnavailable also when the answer takes longer than a healthy server needs.
   */
  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    const connection = this.#connection
    if (connection === undefined) throw new DatabaseUnavailable('the connection that listens is being made anew')
    // Other connections to an unresponsive server would notice much later.
    const timer = setTimeout(() => {
      this.#servers.retire(connection.generation)
      connection.destroy()
    }, answerMilliseconds)
    try {
      const { postgresqlText: text, values } = statement
      const [state, { rows }] = await Promise.all([
        connection.client.query<ServerStateRow>(serverState),
        connection.client.query<Row>({ text, values: values as unknown[] }),
      ])
      const row = state.rows[0]
      if (row !== undefined && this.#servers.isUsable(row)) return rows
      this.#servers.retire(connection.generation)
      throw new DatabaseUnavailable(`the PostgreSQL server is ${row?.state ?? 'unknown'}`)
    } catch (error) {
      throw translateStatementError(error)
    } finally {
      clearTimeout(timer)
    }
  }

  async #connect(): Promise<void> {
    const connection = await this.#servers.connect({ ...statementSettings, application_name: listenerName })
    const { client } = connection
    client.on('notification', ({ payload }) => {
      this.#events.onPayload(payload ?? '')
    })
    try {
      await client.query(`LISTEN ${this.#channel}`)
    } catch (error) {
      connection.destroy()
      throw translateStatementError(error)
    }
    if (this.#isStopped || !this.#servers.isCurrent(connection.generation)) {
      await connection.end()
      throw new DatabaseUnavailable('the connection that listens is no longer wanted')
    }
    this.#connection = connection
    client.once('end', () => {
      this.#connection = undefined
      this.#reconnect(0)
    })
  }

  #reconnect(failures: number): void {
    if (this.#isStopped) return
    const wait = Math.min(retryMilliseconds * 2 ** failures, retryMillisecondsMax) * (0.5 + Math.random() / 2)
    this.#retry = setTimeout(() => {
      this.#connect().then(
        () => {
          this.#events.onReconnect()
        },
        () => {
          this.#reconnect(failures + 1)
        },
      )
    }, wait)
  }
}
