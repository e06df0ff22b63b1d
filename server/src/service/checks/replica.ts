// Checks whether lists can be read from the standby that the configuration names.
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { openStandby } from '../../platform/db/open.ts'
import { endOfLog, lagAfterWaiting } from '../../platform/db/postgresql/read-replica.ts'
import { type Finding, ok, warn } from './check.ts'

const hint = 'until it is, lists are read from the primary; see BAILIWICK_DATABASE_REPLICA_URL'

export async function checkReplica(
  db: Database,
  { databaseReplicaUrl }: Pick<Config, 'databaseReplicaUrl'>,
): Promise<Finding> {
  const check = 'replica'
  if (databaseReplicaUrl === undefined) return ok(check, 'lists are read from the primary')
  const standby = await openStandby(databaseReplicaUrl.reveal(), 1)
  try {
    const lsn = await endOfLog(db)
    const lag = await standby.session((reader) => lagAfterWaiting(reader, lsn))
    if (lag === 0) return ok(check, 'it is up to date, lists are read from it')
    return warn(check, `it lacks ${lag} bytes of the write-ahead log`, hint)
  } catch (error) {
    return warn(check, `it cannot be used: ${error instanceof Error ? error.message : String(error)}`, hint)
  } finally {
    await standby.close()
  }
}
