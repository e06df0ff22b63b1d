// What will hurt in production: settings that work until somebody needs the part that they leave out. The start warns of the same.
import { readFileSync } from 'node:fs'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Finding, ok, warn } from './check.ts'

const openFilesLow = 4096
const memoryLow = 512 * 1024 * 1024
const mebibyte = 1024 * 1024

/** Without a mail server of the deployment, only tenants with a channel of their own can reach their users. */
export function checkMailChannel({ env, smtpUrl }: Pick<Config, 'env' | 'smtpUrl'>): Finding {
  const check = 'mail'
  if (smtpUrl !== undefined) return ok(check, 'goes through BAILIWICK_SMTP_URL if a tenant has no channel')
  if (env === 'development') return ok(check, 'is shown at /dev/inbox if a tenant has no channel')
  const detail = 'tenants without a channel of their own send nothing: no codes, links or invitations'
  return warn(check, detail, 'set BAILIWICK_SMTP_URL and BAILIWICK_SMTP_FROM, or give every tenant a channel')
}

/** Nodes share a PostgreSQL, but not each other's disks. */
export function checkMedia({ env, databaseUrl, s3 }: Pick<Config, 'env' | 'databaseUrl' | 's3'>): Finding {
  const check = 'media'
  if (s3 !== undefined) return ok(check, `are in the bucket ${s3.bucket}`)
  if (databaseUrl === undefined || env === 'development') return ok(check, 'are in the data directory')
  const detail = 'are in the data directory, which other nodes on the same database do not see'
  return warn(check, detail, 'set the BAILIWICK_S3_ variables before a second node is started')
}

/** Returns the soft limit on open files; undefined if the system does not report it. */
function openFilesMax(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

export function checkLimits(
  openFiles: number | undefined = openFilesMax(),
  memory: number = process.constrainedMemory(),
): Finding {
  const check = 'limits'
  if (openFiles !== undefined && openFiles < openFilesLow) {
    const detail = `the process may open ${openFiles} files, and each connection is one`
    return warn(check, detail, 'raise the limit: ulimit -n 65536, or LimitNOFILE= of systemd')
  }
  // Without a limit it is 0 or more than any machine has.
  if (memory > 0 && memory < memoryLow) {
    const detail = `the process may use ${Math.floor(memory / mebibyte)} MiB of memory`
    return warn(check, detail, 'give it 512 MiB or more; processing an image takes up to 200 MiB')
  }
  return ok(check, openFiles === undefined ? 'unknown on this system' : `${openFiles} open files`)
}

/** Checks that PostgreSQL has room for two nodes, because one is started while the other still runs. */
export async function checkConnections(
  db: Database,
  { databasePool, processes }: Pick<Config, 'databasePool' | 'processes'>,
): Promise<Finding> {
  const check = 'connections'
  if (db.engine === 'sqlite') return ok(check, 'SQLite has none')
  const row = await db.first<{ most: number }>(
    sql`SELECT CAST(current_setting('max_connections') AS integer)
      - CAST(current_setting('superuser_reserved_connections') AS integer) AS most`,
  )
  const [most, each] = [row?.most ?? 0, (databasePool + 1) * processes]
  const detail = `PostgreSQL allows ${most}; each node takes up to ${each}`
  if (most >= 2 * each) return ok(check, detail)
  return warn(check, detail, 'raise max_connections or lower BAILIWICK_DATABASE_POOL')
}
