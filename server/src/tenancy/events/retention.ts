// For how long a tenant's events are kept: as its settings say, within the bounds of the deployment.
import type { EventRetention } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import { findAnchor, findFirstEvent } from '../../platform/events/anchor.ts'
import { cursorText, feedStart } from '../../platform/events/feed.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { getTenant } from '../tenants/tenants.ts'

type Bounds = Config['eventRetention']

/** Returns after how many days events are removed; null if they are kept as long as the tenant. */
export function retentionDays({ daysMin, daysMax }: Bounds, setting: number): number | null {
  if (setting === 0) return daysMax ?? null
  return Math.min(Math.max(setting, daysMin), daysMax ?? Number.POSITIVE_INFINITY)
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function getEventRetention(deps: Deps, tenantId: TenantId): Promise<EventRetention> {
  const { auth } = await getTenant(deps, tenantId)
  const [anchor, first] = [await findAnchor(deps.db, tenantId), await findFirstEvent(deps.db, tenantId)]
  return {
    days: retentionDays(deps.config.eventRetention, auth.eventRetentionDays),
    removed: anchor?.sequence ?? 0,
    newestRemovedAt: anchor?.newest_created_at ?? null,
    firstEventAt: first?.created_at ?? null,
    lastEventId: anchor?.feed_place ?? cursorText(feedStart),
  }
}
