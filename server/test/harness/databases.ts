// New databases for tests. Every suite runs on both engines; if PostgreSQL is missing the tests fail, because a skipped test proves
// nothing.
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { Client } from 'pg'
import type { EngineName } from '../../src/platform/db/database.ts'
import { openDatabase, type DatabaseOptions, type OpenDatabase } from '../../src/platform/db/open.ts'
import { checkAppendedEvents } from './event-shapes.ts'

checkAppendedEvents()

export interface TestDatabase {
  readonly engine: EngineName
  /** Open and migrated. */
  readonly database: OpenDatabase
  /** For a second process or connection that opens the same database. */
  readonly options: DatabaseOptions
}

/** Both engines, or the one that `npm test -- --engine=…` asks for. */
export const engines = (['sqlite', 'postgresql'] as const).filter(
  (engine) => (process.env['TEST_ENGINE'] ?? engine) === engine,
)

export type Define = (open: () => Promise<TestDatabase>) => void

/** Defines the suite once for each engine. `open` returns an empty, migrated database, which is removed after the suite. */
export const describeOnEachEngine = (title: string, define: Define): void => describeOnEngines(engines, title, define)

/** Does the same as {@link describeOnEachEngine} for some engines only. */
export function describeOnEngines(on: readonly EngineName[], title: string, define: Define): void {
  for (const engine of on) {
    describe(`${title} (${engine})`, () => {
      const removals: (() => Promise<void>)[] = []
      after(async () => {
        for (const remove of removals) await remove()
      })
      define(async () => {
        const { options, remove } = await newDatabase(engine)
        const database = await openDatabase(options)
        removals.push(async () => {
          await database.close()
          await remove()
        })
        return { engine, database, options }
      })
    })
  }
}

interface NewDatabase {
  readonly options: DatabaseOptions
  readonly remove: () => Promise<void>
}

/** A database with every migration, which this process applies once. */
export const newDatabase = (engine: EngineName): Promise<NewDatabase> =>
  engine === 'sqlite' ? newMigratedSqliteFile() : newPostgresqlDatabase()

let migratedFile: Promise<string> | undefined
let removeFile: (() => Promise<void>) | undefined

async function newMigratedSqliteFile() {
  const created = newSqliteFile()
  migratedFile ??= migrateFile()
  copyFileSync(await migratedFile, created.options.file)
  return created
}

/** Closing it has put everything into one file. */
async function migrateFile(): Promise<string> {
  const { options, remove } = newSqliteFile()
  removeFile = remove
  const database = await openDatabase(options)
  await database.migrate()
  await database.close()
  return options.file
}

/** An empty SQLite file in a directory of its own. */
export function newSqliteFile(): NewDatabase & {
  readonly options: { readonly kind: 'sqlite'; readonly file: string }
} {
  const directory = mkdtempSync(join(tmpdir(), 'bailiwick-test-'))
  return {
    options: { kind: 'sqlite', file: join(directory, 'bailiwick.db') },
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** The server on which tests may create databases. */
export function testServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined || url === '') {
    throw new Error('TEST_DATABASE_URL is not set: run `npm test`, or `npm test -- <file>`, which starts a PostgreSQL')
  }
  return url
}

let template: Promise<string> | undefined

/** A copy of a database that this process has migrated once. */
export async function newPostgresqlDatabase(): Promise<
  NewDatabase & { readonly options: { readonly kind: 'postgresql'; readonly url: string } }
> {
  template ??= migratedTemplate()
  const name = await createDatabase(await template)
  return { options: { kind: 'postgresql', url: urlOf(name) }, remove: () => dropDatabase(name) }
}

/** A database without any schema. */
export async function newEmptyPostgresqlDatabase(): Promise<
  NewDatabase & { readonly options: { readonly kind: 'postgresql'; readonly url: string } }
> {
  const name = await createDatabase('template1')
  return { options: { kind: 'postgresql', url: urlOf(name) }, remove: () => dropDatabase(name) }
}

async function migratedTemplate(): Promise<string> {
  const name = await createDatabase('template1')
  const database = await openDatabase({ kind: 'postgresql', url: urlOf(name), poolSize: 1 })
  await database.migrate()
  await database.close()
  return name
}

after(async () => {
  await removeFile?.()
  if (template !== undefined) await dropDatabase(await template)
})

function urlOf(databaseName: string): string {
  const url = new URL(testServerUrl())
  url.pathname = `/${databaseName}`
  return url.href
}

let strategy: Promise<string> | undefined

/** Copying files takes half the time of the usual way, but first writes everything to the disk. */
async function copyStrategy(): Promise<string> {
  const [row] = await onServer<{ fsync: string }>('SHOW fsync')
  return row?.fsync === 'off' ? 'STRATEGY FILE_COPY' : ''
}

async function createDatabase(source: string): Promise<string> {
  const name = `bailiwick_test_${randomBytes(8).toString('hex')}`
  strategy ??= copyStrategy()
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${source} ${await strategy}`)
  return name
}

async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
}

async function onServer<Row extends object>(statement: string): Promise<Row[]> {
  const client = new Client(testServerUrl())
  await client.connect()
  try {
    const { rows } = await client.query<Row>(statement)
    return rows
  } finally {
    await client.end()
  }
}
