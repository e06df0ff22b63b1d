// The place of one server's data: a folder of its own, and on PostgreSQL a database of its own.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

export type EngineName = 'sqlite' | 'postgresql'

export interface Store {
  readonly engine: EngineName
  readonly dataDir: string
  /** The file of the SQLite database; unused on PostgreSQL. */
  readonly sqliteFile: string
  /** Undefined on SQLite. */
  readonly databaseUrl: string | undefined
  readonly operatorKey: string
}

/** @param postgresUrl a database on the server where new ones are created; undefined creates SQLite stores. */
export async function createStore(directory: string, label: string, postgresUrl: string | undefined): Promise<Store> {
  const engine = postgresUrl === undefined ? 'sqlite' : 'postgresql'
  const name = `${engine}_${label}`
  const dataDir = join(directory, name)
  mkdirSync(dataDir)
  let databaseUrl: string | undefined
  if (postgresUrl !== undefined) {
    const url = new URL(postgresUrl)
    url.pathname = `/${name}`
    databaseUrl = url.href
    await onPostgresql(postgresUrl, (client) => client.query(`CREATE DATABASE ${name}`))
  }
  const operatorKey = `op_${randomBytes(32).toString('hex')}`
  return { engine, dataDir, sqliteFile: join(dataDir, 'bailiwick.db'), databaseUrl, operatorKey }
}

export async function onPostgresql<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
