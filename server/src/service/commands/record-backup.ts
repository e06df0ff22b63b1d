import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { lastBackupFile } from '../backup/backup-folder.ts'
import { recordBackup } from '../checks/backup.ts'
import { openConfiguredDatabase } from '../main.ts'
import { assertCurrent } from '../open-deployment.ts'
import { CommandRefused, type Outcome } from '../outcome.ts'

/** Records that the database was just backed up by other means, for `doctor`, `/deployment/health` and the metrics. */
export async function recordBackupCommand(config: Config): Promise<Outcome> {
  const at = new Date().toISOString()
  if (config.databaseUrl === undefined) {
    if (!existsSync(config.dataDir)) throw new CommandRefused(`there is no data directory ${config.dataDir}`)
    await writeFile(join(config.dataDir, lastBackupFile), `${JSON.stringify({ at, to: null })}\n`, { mode: 0o600 })
  } else {
    const { db, release } = await openConfiguredDatabase(config)
    try {
      await assertCurrent(db)
      await db.write(() => [recordBackup(at)])
    } finally {
      await release()
    }
  }
  return { text: `Recorded a backup at ${at}.`, json: { at } }
}
