import type { Deps } from '../../identity/deps.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Feature, cleanUpPause } from '../../platform/feature.ts'
import type { TenantId } from '../../platform/ids.ts'
import { features } from '../features.ts'

/** Returns the position of the oldest event of a tenant that any feature may still have to read. */
export async function oldestNeeded(db: Reader, tenantId: TenantId): Promise<number | undefined> {
  let oldest: number | undefined
  for (const { oldestNeededEvent } of features) {
    const position = await oldestNeededEvent?.(db, tenantId)
    if (position !== undefined && position < (oldest ?? Number.POSITIVE_INFINITY)) oldest = position
  }
  return oldest
}

/** A node that has just started has other work, and reads the settings of all tenants later. */
const quietMs = 10 * 60_000

/** It runs once a day, so its code is loaded when it is first needed. */
export const feature: Feature<Deps> = {
  name: 'service/event-retention',
  loops: (deps) => {
    const startedAt = performance.now()
    let remove: (() => Promise<boolean>) | undefined
    const step = async () => {
      if (performance.now() < startedAt + quietMs) return false
      remove ??= (await import('./remove-old-events.ts')).createEventRemover(deps, oldestNeeded)
      return remove()
    }
    return [{ name: 'old events', ...cleanUpPause, step }]
  },
}
