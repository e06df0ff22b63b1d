// How often a device asks for its tokens (RFC 8628 section 3.5). Each node counts by itself.
import { LRUCache } from 'lru-cache'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { entriesAtMost } from '../../../platform/cache/memory.ts'
import { toMs } from '../../../platform/clock.ts'
import type { AlreadyUsed } from '../requests/held-writes.ts'
import { hashOfId } from '../requests/request-store.ts'
import { currentTenancy } from '../tenancy.ts'

/** Devices wait five seconds unless they are told otherwise; a poll that comes a little early is answered, too. */
const pauseMs = 4000
const devicesMax = 20_000
const lastPolls = new LRUCache<string, number>(entriesAtMost(devicesMax))

export const tooSoon = 'wait five seconds longer between two polls'

/** Replaces the answer to a device that has polled a moment ago, and whose user has not answered yet. */
export function slowDown(ctx: KoaContextWithOIDC) {
  const { error } = (ctx.body ?? {}) as { readonly error?: unknown }
  const code = ctx.oidc.params?.['device_code']
  if (error !== 'authorization_pending' || typeof code !== 'string') return
  const { deps, tenant } = currentTenancy()
  const key = `${tenant.row.id} ${hashOfId(code)}`
  const now = deps.clock.nowMs()
  const last = lastPolls.get(key)
  lastPolls.set(key, now)
  if (last !== undefined && now - last < pauseMs) ctx.body = { error: 'slow_down', error_description: tooSoon }
}

/** Returns whether a device's code was redeemed a moment ago: the device has polled twice at once, and nobody has stolen anything. */
export function isRecentPoll({ kind, row }: AlreadyUsed): boolean {
  if (kind !== 'DeviceCode') return false
  const at = row?.consumed_at ?? null
  return at === null || currentTenancy().deps.clock.nowMs() - toMs(at) < pauseMs
}
