// Where a tenant's log begins. Old events are removed from its beginning only, and the anchor keeps the hash of the last seal that was
// removed, so that what is left is verified from there. The anchor is sealed under the master key and not signed by the tenant's key, because
// that key is rotated and deleted while the anchor stays.
import type { Timestamp } from '../clock.ts'
import { SealError, type Sealer } from '../crypto/sealed.ts'
import type { Reader } from '../db/database.ts'
import type { RowOf } from '../db/table.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantId } from '../ids.ts'
import { chainStart } from './chain.ts'
import { type FeedCursor, isBefore, parseFeedCursor, shownEvents } from './feed.ts'
import { eventAnchors } from './tables.ts'

export type AnchorRow = RowOf<typeof eventAnchors>

/** The seal after which a log begins; number 0 if nothing was removed. */
export interface LogStart {
  readonly sequence: number
  readonly hash: string
}

const wholeLog: LogStart = { sequence: 0, hash: chainStart }

export const findAnchor = (db: Reader, tenantId: TenantId): Promise<AnchorRow | undefined> =>
  eventAnchors.byKey(db, tenantId)

export const startOfLog = (anchor: AnchorRow | undefined): LogStart => anchor ?? wholeLog

type Proven = Pick<AnchorRow, 'tenant_id' | 'sequence' | 'hash' | 'newest_created_at'>

const proofText = ({ sequence, hash, newest_created_at: newest }: Proven) =>
  JSON.stringify(['bailiwick anchor 1', sequence, hash, newest])

/** Returns what the row must have as its proof. */
export const proveAnchor = (sealer: Sealer, anchor: Proven): string =>
  sealer.seal(proofText(anchor), eventAnchors.place('sealed_proof', anchor))

/** Whether the service itself has written the anchor as it is. */
export function isAnchorGenuine(sealer: Sealer, anchor: AnchorRow): boolean {
  try {
    return sealer.open(anchor.sealed_proof, eventAnchors.place('sealed_proof', anchor)) === proofText(anchor)
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}

/** Returns the tenant's oldest event that exists. */
export const findFirstEvent = (
  db: Reader,
  tenantId: TenantId,
): Promise<{ readonly id: string; readonly created_at: Timestamp } | undefined> =>
  shownEvents.first(db)`tenant_id = ${tenantId} ORDER BY created_at LIMIT 1`

/**
 * Resolves if every event of the tenant after this place exists.
 * @throws ApiError events_removed, which says where the reader can go on
 */
export async function assertNothingMissed(db: Reader, tenantId: TenantId, place: FeedCursor): Promise<void> {
  const anchor = await findAnchor(db, tenantId)
  const removed = anchor && parseFeedCursor(anchor.feed_place)
  if (anchor === undefined || removed === undefined || !isBefore(place, removed)) return
  const first = await findFirstEvent(db, tenantId)
  const from = first === undefined ? '' : ` The first event that exists is ${first.id} of ${first.created_at}.`
  throw new ApiError('events_removed', {
    detail: `Events after this place were removed because of their age.${from} Send Last-Event-ID: ${anchor.feed_place} to go on with what exists.`,
  })
}
