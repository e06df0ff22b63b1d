// The deployment as commands use it: its database and everything that operations need, opened before and closed after.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { destination } from 'pino'
import type { Deps } from '../identity/deps.ts'
import type { Config } from '../platform/config.ts'
import { DatabaseUnavailable } from '../platform/db/database.ts'
import { type OpenDatabase, openDatabase } from '../platform/db/open.ts'
import { resumeRestoredLog } from '../platform/events/restored-log.ts'
import { createLog } from '../platform/log.ts'
import { assertMasterKeyFits, assertMasterKeyIsThere } from '../tenancy/signing-keys/fitting-master-key.ts'
import { buildDeps, openConfiguredDatabase } from './main.ts'
import { CommandRefused } from './outcome.ts'

export interface CommandDeps extends Deps {
  readonly db: OpenDatabase
}

/** Warnings and errors go to standard error: standard output belongs to the command. */
export const commandLog = (config: Config) =>
  createLog({ logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel }, destination({ dest: 2, sync: true }))

export const sqliteFile = (config: Config) => join(config.dataDir, 'bailiwick.db')

/** Opens the database for reading only, also while a service is running. */
export async function openForReading(config: Config): Promise<{ db: OpenDatabase; release: () => Promise<void> }> {
  if (config.databaseUrl !== undefined) return openConfiguredDatabase(config, { isReadOnly: true })
  const file = sqliteFile(config)
  if (!existsSync(file)) throw new CommandRefused(`there is no database in ${config.dataDir}`)
  const db = await openDatabase({ kind: 'sqlite', file, isReadOnly: true })
  return { db, release: () => db.close() }
}

/** @throws CommandRefused if the schema is not that of this version. */
export async function assertCurrent(db: OpenDatabase) {
  try {
    await db.check()
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    throw new CommandRefused('the database schema is that of another version: run bailiwick migrate')
  }
}

async function run<T>(
  config: Config,
  opened: { db: OpenDatabase; release: () => Promise<void> },
  body: (deps: CommandDeps) => Promise<T>,
): Promise<T> {
  const { db, release } = opened
  try {
    await assertCurrent(db)
    await assertMasterKeyIsThere(config, db)
    const deps = { ...(await buildDeps(config, db, commandLog(config))), db }
    await assertMasterKeyFits(db, deps.sealer)
    return await body(deps)
  } finally {
    await release()
  }
}

/** The schema must be current. On SQLite this also works while the service runs. */
export const reading = async <T>(config: Config, body: (deps: CommandDeps) => Promise<T>): Promise<T> =>
  run(config, await openForReading(config), body)

/** The schema must be current. On SQLite the data directory is held meanwhile, so no service may use it. */
export const writing = async <T>(config: Config, body: (deps: CommandDeps) => Promise<T>): Promise<T> =>
  run(config, await openConfiguredDatabase(config), async (deps) => {
    await resumeRestoredLog(deps)
    return body(deps)
  })
