// Statements run with the drivers, bypassing the product: to damage what a check must find, and to inspect what is stored.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { Deployment } from './service-process.ts'

type Row = Readonly<Record<string, unknown>>

/** The rows of one statement, of the test's own text. */
export async function rawSql({ dataDir, databaseUrl }: Deployment, text: string): Promise<Row[]> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, 'bailiwick.db'), { timeout: 5000 })
    try {
      return database.prepare(text).all()
    } finally {
      database.close()
    }
  }
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
