// Metrics of what a node depends on, for alerts: the database, the disk, backups, and codes that wait to be sent. They are read while the
// database is away, so each of them answers in any case or is absent.
import { existsSync, statfsSync } from 'node:fs'
import type { Deps } from '../identity/deps.ts'
import { selectOldestWaitingCode } from '../messaging/notifications/messages/waiting-messages.ts'
import { toMs } from '../platform/clock.ts'
import type { OpenDatabase } from '../platform/db/open.ts'
import type { Health } from '../platform/http/health.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { withinTime } from '../platform/telemetry/within-time.ts'
import { lastBackupAt } from './checks/backup.ts'

const databaseMsMax = 2000
const reasons = ['stopping', 'database', 'read_only'] as const

function addDatabase(metrics: Metrics, db: OpenDatabase, health: Health) {
  metrics.addGauge({
    name: 'database_up',
    help: '1 if this node can use its database, 0 if not; a database that does not answer within 2 s counts as away',
    async read() {
      const isUp = await withinTime(databaseMsMax, db.check()).then(
        () => true,
        () => false,
      )
      return [{ value: Number(isUp) }]
    },
  })
  metrics.addGauge({
    name: 'not_ready',
    help: '1 for the reason why this node answers /readyz with 503; all are 0 while it is ready',
    labels: ['reason'],
    async read() {
      const found = await withinTime(databaseMsMax, health.notReady()).catch(() => 'database' as const)
      return reasons.map((reason) => ({ labels: { reason }, value: Number(reason === found) }))
    },
  })
}

/** Adds what alerts are made of. */
export function addHealth(metrics: Metrics, deps: Deps, db: OpenDatabase, health: Health) {
  const { config, clock } = deps
  addDatabase(metrics, db, health)
  metrics.addGauge({
    name: 'disk_free_bytes',
    help: 'Free bytes on the disk of the data directory',
    read() {
      if (!existsSync(config.dataDir)) return []
      const { bavail, bsize } = statfsSync(config.dataDir)
      return [{ value: bavail * bsize }]
    },
  })
  metrics.addGauge({
    name: 'backup_age_seconds',
    help: 'Time since the last backup that this deployment knows of; absent if it knows of none',
    async read() {
      const at = await lastBackupAt(deps)
      return at === undefined ? [] : [{ value: Math.max(0, (clock.nowMs() - at) / 1000) }]
    },
  })
  metrics.addGauge({
    name: 'codes_oldest_waiting_seconds',
    help: 'How long the oldest message with a code or link has waited to be sent; 0 if none waits',
    async read() {
      const oldest = await selectOldestWaitingCode(deps.db, clock.now())
      return [{ value: oldest === undefined ? 0 : Math.max(0, (clock.nowMs() - toMs(oldest)) / 1000) }]
    },
  })
}
