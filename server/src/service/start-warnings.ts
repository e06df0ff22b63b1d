// Says in the log what will hurt, once at each start. `bailiwick doctor` looks at the same and at much more.
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { OpenDatabase } from '../platform/db/open.ts'
import { checkBackup } from './checks/backup.ts'
import type { Finding } from './checks/check.ts'
import { checkClock } from './checks/database.ts'
import { checkConnections, checkLimits, checkMailChannel, checkMedia } from './checks/operation.ts'

/** In production alone: whoever tries the service out has no use for any of this. */
export async function warnAtStart(config: Config, db: OpenDatabase, clock: Clock, log: Logger): Promise<void> {
  if (config.env !== 'production') return
  const findings: Finding[] = [checkMailChannel(config), checkMedia(config), checkLimits()]
  try {
    findings.push(
      await checkBackup({ config, db }),
      await checkClock({ db, clock }),
      await checkConnections(db, config),
    )
  } catch (err) {
    log.warn({ err }, 'what the start warns of could not all be looked at')
  }
  for (const { check, status, detail, hint } of findings) {
    if (status !== 'ok') log.warn({ check, hint }, `${check}: ${detail}`)
  }
}
