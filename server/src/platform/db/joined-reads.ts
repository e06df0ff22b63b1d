// Reads that are asked for at the same moment, sent to PostgreSQL as one statement: a round trip costs more than most of what it asks.
import { isSharded } from './citus/is-sharded.ts'
import type { Database, Reader } from './database.ts'
import { type Statement, joinReads } from './sql.ts'

interface Asked {
  readonly statement: Statement
  readonly resolve: (rows: object[]) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Gathers what is asked for before anything else runs. Citus keeps the plan of a statement about one tenant, but plans a join of several each
 * time, so that it is asked one by one. Rows pass through JSON, so that columns are text and numbers. */
class JoinedReads implements Reader {
  readonly #db: Database
  #asked: Asked[] = []

  constructor(db: Database) {
    this.#db = db
  }

  all<Row extends object>(statement: Statement): Promise<Row[]> {
    return new Promise<object[]>((resolve, reject) => {
      if (this.#asked.length === 0) queueMicrotask(() => void this.#send())
      this.#asked.push({ statement, resolve, reject })
    }) as Promise<Row[]>
  }

  async first<Row extends object>(statement: Statement): Promise<Row | undefined> {
    const [row] = await this.all<Row>(statement)
    return row
  }

  async #send(): Promise<void> {
    const asked = this.#asked
    this.#asked = []
    try {
      if (asked.length === 1 || (await isSharded(this.#db))) {
        for (const { statement, resolve, reject } of asked) void this.#db.all(statement).then(resolve, reject)
        return
      }
      const joined = joinReads(asked.map(({ statement }) => statement))
      const row = await this.#db.first<Readonly<Record<string, object[] | null>>>(joined)
      for (const [index, { resolve }] of asked.entries()) resolve(row?.[`r${index + 1}`] ?? [])
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
}

/** Returns a reader for a few reads at the same moment. They see one state of the database. SQLite, which waits for nobody, needs none. */
export const joinedReads = (db: Database): Reader => (db.engine === 'sqlite' ? db : new JoinedReads(db))
