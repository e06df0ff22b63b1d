// What is known about backups: the time of the last `bailiwick backup`, which is in the data directory, and of the last
// `bailiwick record-backup`, which tells of a backup by other means. On PostgreSQL that time is in the database, where all nodes see it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import type { Reader } from '../../platform/db/database.ts'
import { deployment } from '../../platform/db/tables.ts'
import { lastBackupFile } from '../backup/backup-folder.ts'
import { type Finding, ok, warn } from './check.ts'

const daysMax = 7
const dayMs = 24 * 60 * 60 * 1000
const recordName = 'backup.recorded_at'

/** For a transaction: records in the database when it was backed up. */
export const recordBackup = (at: string) => deployment.upsert('value')({ name: recordName, value: at })

function storedTime(dataDir: string): string | undefined {
  try {
    return String((JSON.parse(readFileSync(join(dataDir, lastBackupFile), 'utf8')) as { readonly at?: unknown }).at)
  } catch {
    return undefined
  }
}

interface Sources {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'env'>
  readonly db: Reader
}

/**
 * Returns when the database was last backed up, as far as is known, in milliseconds since 1970. On PostgreSQL, `bailiwick backup` copies
 * only the files, so it does not count.
 */
export async function lastBackupAt({ config, db }: Sources): Promise<number | undefined> {
  const text =
    config.databaseUrl === undefined ? storedTime(config.dataDir) : (await deployment.byKey(db, recordName))?.value
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}

/** In production, the database needs a backup. */
export async function checkBackup(sources: Sources): Promise<Finding> {
  const check = 'backup'
  const { config } = sources
  const at = await lastBackupAt(sources)
  const hint =
    config.databaseUrl === undefined
      ? 'run bailiwick backup <folder> every day, or bailiwick record-backup after a backup by other means'
      : 'back up PostgreSQL every day, and run bailiwick record-backup after each backup'
  const isOld = at === undefined || Date.now() - at > daysMax * dayMs
  const detail =
    at === undefined ? 'no backup of the database is known' : `the last one was made at ${new Date(at).toISOString()}`
  return isOld && config.env === 'production' ? warn(check, detail, hint) : ok(check, detail)
}
