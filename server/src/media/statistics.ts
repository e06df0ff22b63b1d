import type { MediaStatistic } from '@bailiwick/contract'
import { readCounters } from '../platform/db/counters.ts'
import type { TenantId } from '../platform/ids.ts'
import { type DayCountName, daysBefore, readDays, windowDays } from '../platform/statistics/day-counters.ts'
import { getTenant } from '../tenancy/tenants/tenants.ts'
import { fileBytesCounter, filesCounter } from './counts.ts'
import type { Deps } from './deps.ts'

/** Returns the last 30 days, with zeros for days without events. @throws ApiError not_found */
export async function countMediaByDay(deps: Deps, tenantId: TenantId, name: 'files_created' | 'file_bytes_created') {
  await getTenant(deps, tenantId)
  return readDays(deps, tenantId, name, daysBefore(deps.clock.now(), 0, windowDays))
}

function statistic(name: MediaStatistic['name'], value: number, change: number): MediaStatistic {
  return { name, value, change, changeType: change === 0 ? 'none' : change > 0 ? 'up' : 'down' }
}

/** @throws ApiError not_found */
export async function readMediaStatistics(deps: Deps, tenantId: TenantId): Promise<MediaStatistic[]> {
  await getTenant(deps, tenantId)
  const now = deps.clock.now()
  const current = daysBefore(now, 0, windowDays)
  const previous = daysBefore(now, windowDays, windowDays)
  const sum = async (name: DayCountName, days: readonly string[]) => {
    const counts = await readDays(deps, tenantId, name, days)
    return counts.reduce((total, { count }) => total + count, 0)
  }
  const [totals, files, filesBefore, filesDeleted, bytes, bytesBefore, bytesDeleted] = await Promise.all([
    readCounters(deps.db, tenantId, [filesCounter, fileBytesCounter]),
    sum('files_created', current),
    sum('files_created', previous),
    sum('files_deleted', current),
    sum('file_bytes_created', current),
    sum('file_bytes_created', previous),
    sum('file_bytes_deleted', current),
  ])
  return [
    statistic('Total Files', totals.get(filesCounter) ?? 0, files - filesDeleted),
    statistic('Total Bytes', totals.get(fileBytesCounter) ?? 0, bytes - bytesDeleted),
    statistic('Files Uploaded', files, files - filesBefore),
    statistic('Bytes Uploaded', bytes, bytes - bytesBefore),
  ]
}
