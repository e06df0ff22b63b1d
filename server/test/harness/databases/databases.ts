// New databases for tests. Every suite runs on both engines; if PostgreSQL is missing the tests fail, because a skipped test proves
// nothing.
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { Client } from 'pg'
import { addCitus, startPrivateCitus } from '../../../../scripts/private-citus.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../../../../scripts/private-postgres.ts'
import type { EngineName } from '../../../src/platform/db/database.ts'
import { openDatabase, type DatabaseOptions, type OpenDatabase } from '../../../src/platform/db/open.ts'
import { shardedTables } from '../../../src/service/deployment/layout.ts'
import { checkAppendedEvents } from '../event-shapes.ts'
import { type Pristine, describePristine, emptyDatabase } from './emptied-databases.ts'
import { engines, isOnCitus } from './engines.ts'

checkAppendedEvents()

export interface TestDatabase {
  readonly engine: EngineName
  /** Open and migrated. */
  readonly database: OpenDatabase
  /** For a second process or connection that opens the same database. */
  readonly options: DatabaseOptions
}

export { engines, isOnCitus }

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

/** A database with every migration. */
export const newDatabase = (engine: EngineName): Promise<NewDatabase> =>
  engine === 'sqlite' ? newMigratedSqliteFile() : newPostgresqlDatabase()

let migratedFile: Promise<string> | undefined

async function newMigratedSqliteFile() {
  const created = newSqliteFile()
  migratedFile ??= findMigratedFile()
  copyFileSync(await migratedFile, created.options.file)
  return created
}

/** The folder in which the processes of one `npm test` share what they have migrated; undefined in a process that runs without it. */
const sharedFolder = process.env['TEST_FOLDER']
const removals: (() => Promise<void>)[] = []

/** Returns the file that some process of this run has migrated. */
async function findMigratedFile(): Promise<string> {
  const shared = sharedFolder === undefined ? undefined : join(sharedFolder, 'migrated.db')
  if (shared !== undefined && existsSync(shared)) return shared
  const { options, remove } = newSqliteFile()
  const database = await openDatabase(options)
  await database.migrate()
  // Closing it puts everything into one file.
  await database.close()
  if (shared === undefined) {
    removals.push(remove)
    return options.file
  }
  copyFileSync(options.file, `${shared}.${process.pid}`)
  renameSync(`${shared}.${process.pid}`, shared)
  await remove()
  return shared
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

interface Template {
  readonly name: string
  readonly pristine: Pristine
}

let template: Promise<Template> | undefined
/** The databases of suites that are over, emptied. */
const emptied: string[] = []
let isEnding = false

/** A copy of the migrated template, or the database of an earlier suite, which is empty again. */
export async function newPostgresqlDatabase(): Promise<
  NewDatabase & { readonly options: { readonly kind: 'postgresql'; readonly url: string; readonly directUrl?: string } }
> {
  template ??= findTemplate()
  const { name: source, pristine } = await template
  const name = (await reuseDatabase()) ?? (await createDatabase(source))
  const url = urlOf(name)
  return {
    options: { kind: 'postgresql', ...readAddresses(url) },
    async remove() {
      if (!isEnding && (await emptyDatabase(url, pristine))) emptied.push(name)
      else await dropDatabase(name)
    },
  }
}

/** With `npm test -- --pooler`, statements go through a pooler in transaction mode. */
function readAddresses(direct: string): { readonly url: string; readonly directUrl?: string } {
  const pooler = process.env['TEST_POOLER_URL']
  if (pooler === undefined) return { url: direct }
  const url = new URL(pooler)
  url.pathname = new URL(direct).pathname
  return { url: url.href, directUrl: direct }
}

/** Under another name, so that nothing that an earlier suite has left running connects to it again. */
async function reuseDatabase(): Promise<string | undefined> {
  const used = emptied.pop()
  if (used === undefined) return undefined
  const name = newName()
  if (isOnCitus) await endDaemon(used)
  await onServer(`ALTER DATABASE ${used} RENAME TO ${name}`)
  return name
}

/** A database without any schema. */
export async function newEmptyPostgresqlDatabase(): Promise<
  NewDatabase & { readonly options: { readonly kind: 'postgresql'; readonly url: string } }
> {
  const name = await createDatabase('template1')
  return { options: { kind: 'postgresql', url: urlOf(name) }, remove: () => dropDatabase(name) }
}

/** Returns the template of the run, which the first process migrates while the others wait, or one of this process. */
async function findTemplate(): Promise<Template> {
  if (sharedFolder === undefined) {
    const own = await migrateTemplate()
    removals.push(() => dropDatabase(own.name))
    return own
  }
  return withServer(async (client) => {
    // The lock ends with the connection.
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [sharedFolder])
    const record = join(sharedFolder, 'template.json')
    if (existsSync(record)) return JSON.parse(readFileSync(record, 'utf8')) as Template
    const migrated = await migrateTemplate()
    writeFileSync(record, JSON.stringify(migrated))
    return migrated
  })
}

async function migrateTemplate(): Promise<Template> {
  const name = await createDatabase('template1')
  await migrateEmpty(urlOf(name))
  const pristine = await describePristine(urlOf(name))
  if (isOnCitus) {
    await onServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await endDaemon(name)
  }
  return { name, pristine }
}

/** Makes the tables of an empty database and, on Citus, distributes them. */
async function migrateEmpty(url: string): Promise<void> {
  if (isOnCitus) await addCitus(url)
  const database = await openDatabase({ kind: 'postgresql', url, poolSize: 1 })
  await database.migrate()
  if (isOnCitus) await database.distribute?.(shardedTables())
  await database.close()
}

/** A durable PostgreSQL that a test may kill; with `--engine=citus`, a Citus on one server, whose tables are distributed already. */
export async function startOwnPostgres(): Promise<PrivatePostgres> {
  if (!isOnCitus) return startPrivatePostgres()
  const { coordinator } = await startPrivateCitus()
  await migrateEmpty(coordinator.url)
  return coordinator
}

/**
 * Ends what Citus runs in a database by itself, because one that somebody is connected to can be neither copied nor renamed. The next
 * connection starts it again.
 */
async function endDaemon(name: string): Promise<void> {
  await onServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
}

after(async () => {
  isEnding = true
  for (const remove of removals) await remove()
  for (const name of emptied) await dropDatabase(name)
})

function urlOf(databaseName: string): string {
  const url = new URL(testServerUrl())
  url.pathname = `/${databaseName}`
  return url.href
}

const newName = () => `bailiwick_test_${randomBytes(8).toString('hex')}`

let strategy: Promise<string> | undefined

/** Copying files takes half the time of the usual way, but first writes everything to the disk. */
async function copyStrategy(): Promise<string> {
  const [row] = await onServer<{ fsync: string }>('SHOW fsync')
  return row?.fsync === 'off' ? 'STRATEGY FILE_COPY' : ''
}

async function createDatabase(source: string): Promise<string> {
  const name = newName()
  strategy ??= copyStrategy()
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${source} ${await strategy}`)
  return name
}

async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
}

const onServer = <Row extends object>(statement: string): Promise<Row[]> =>
  withServer(async (client) => (await client.query<Row>(statement)).rows)

async function withServer<Result>(use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(testServerUrl())
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
