// A tenant's events as server-sent events. Each event's id is its position in the feed, so that a client that reconnects with the last id
// continues after it: nothing is skipped and nothing is repeated.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { whileRead } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantId } from '../ids.ts'
import { ownTurn } from '../turns/loop-turns.ts'
import { type FeedCursor, cursorOf, cursorText, feedEnd, isBefore, readTenantFeed } from './feed.ts'
import { presentEvents } from './present.ts'

const pollMs = 500
const heartbeatMs = 15_000
const batch = 20
/** `stalledMs`: how long a reader may leave waiting data unread. */
const limits = { perTenantMax: 10, perNodeMax: 500, stalledMs: 30_000 }
const retryAfterSeconds = 5
const reconnectMs = 2000

export interface StreamRequest {
  readonly tenantId: TenantId
  /** The credential that opened the stream; each credential has a share of the tenant's streams. */
  readonly credential: string
  /** Undefined means from now on. */
  readonly after: FeedCursor | undefined
  /** Cuts the connection of a reader that has fallen behind. */
  readonly cut: () => void
  /** Registers an action for when the connection is gone. */
  readonly onClosed: (action: () => void) => void
  /** Rejects once the caller may not read on; called before anything is sent. */
  readonly mayGoOn: () => Promise<void>
}

export interface EventStreams {
  /** @throws ApiError too_many_streams */
  open(request: StreamRequest): Promise<Readable>
  /** Ends every stream and opens no more. */
  end(): void
}

type StreamDeps = Pick<Deps, 'db' | 'personal' | 'log'>

async function* frames(deps: StreamDeps, request: StreamRequest, start: FeedCursor, signal: AbortSignal) {
  const { tenantId, mayGoOn } = request
  let place = start
  let lastSentAt = performance.now()
  // Sets a client's last id without sending an event, so that it can reconnect before the first one arrives.
  yield `retry: ${reconnectMs}\nid: ${cursorText(place)}\n\n`
  while (!signal.aborted) {
    const rows = await readTenantFeed(deps.db, tenantId, place, batch)
    const events = await presentEvents(deps, tenantId, rows)
    // Checked after reading, because the event just read may be the one that ended the caller's permission.
    await mayGoOn()
    for (const [index, row] of rows.entries()) {
      place = cursorOf(row)
      yield `id: ${cursorText(place)}\ndata: ${JSON.stringify(events[index])}\n\n`
      if (signal.aborted) return
    }
    if (rows.length > 0) lastSentAt = performance.now()
    if (rows.length === batch) {
      await ownTurn()
      continue
    }
    if (performance.now() - lastSentAt >= heartbeatMs) {
      yield ': still here\n\n'
      lastSentAt = performance.now()
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

interface Place {
  readonly credential: string
  readonly ending: AbortController
}

/** Tests pass their own limits. */
export function createEventStreams(
  deps: StreamDeps,
  { perTenantMax, perNodeMax, stalledMs }: typeof limits = limits,
): EventStreams {
  /** The streams in the order in which they were opened. */
  const open = new Map<TenantId, Set<Place>>()
  let total = 0
  let hasEnded = false

  /**
   * Ends the oldest stream of the largest group if that group has at least two more than the caller's; otherwise clients would only replace
   * each other.
   */
  function makeRoom(tenantId: TenantId, groups: readonly (readonly Place[])[], own: number): boolean {
    const largest = groups.reduce<readonly Place[]>((most, each) => (each.length > most.length ? each : most), [])
    const [oldest] = largest
    if (oldest === undefined || largest.length < own + 2) return false
    release(tenantId, oldest)
    return true
  }
  function makeRoomInTenant(tenantId: TenantId, places: ReadonlySet<Place>, credential: string): boolean {
    const groups = Map.groupBy(places, (place) => place.credential)
    return makeRoom(tenantId, [...groups.values()], groups.get(credential)?.length ?? 0)
  }
  function makeRoomOnNode(own: number): boolean {
    const [largest] = [...open].toSorted(([, one], [, other]) => other.size - one.size)
    return largest !== undefined && makeRoom(largest[0], [[...largest[1]]], own)
  }

  function take({ tenantId, credential }: StreamRequest): Place {
    const places = open.get(tenantId) ?? new Set()
    const isRoom =
      !hasEnded &&
      (places.size < perTenantMax || makeRoomInTenant(tenantId, places, credential)) &&
      (total < perNodeMax || makeRoomOnNode(places.size))
    if (!isRoom) throw new ApiError('too_many_streams', { retryAfterSeconds })
    const place = { credential, ending: new AbortController() }
    open.set(tenantId, places.add(place))
    total++
    return place
  }
  function release(tenantId: TenantId, place: Place) {
    place.ending.abort()
    const places = open.get(tenantId)
    if (places?.delete(place) !== true) return
    total--
    if (places.size === 0) open.delete(tenantId)
  }

  return {
    async open(request) {
      const place = take(request)
      const { ending } = place
      try {
        const end = await feedEnd(deps.db)
        // A cursor beyond the present end comes from before the database was restored; without this, nothing would be sent until the end
        // reaches it.
        const start = request.after === undefined || isBefore(end, request.after) ? end : request.after
        // Produces one chunk at a time, at most one ahead of the reader, so that a slow reader costs no memory.
        const stream = Readable.from(
          whileRead(untilEnded(deps, request, start, ending.signal), request.cut, stalledMs),
          {
            highWaterMark: 1,
          },
        )
        // The stream itself closes only after its source has ended, which may still be waiting for an event.
        request.onClosed(() => ending.abort())
        stream.once('close', () => release(request.tenantId, place))
        return stream
      } catch (error) {
        release(request.tenantId, place)
        throw error
      }
    },
    end() {
      hasEnded = true
      for (const places of open.values()) for (const { ending } of places) ending.abort()
    },
  }
}

/** An error cannot be reported within a stream, so the stream ends. The client reconnects and gets the error then. */
async function* untilEnded(deps: StreamDeps, request: StreamRequest, start: FeedCursor, signal: AbortSignal) {
  try {
    yield* frames(deps, request, start, signal)
  } catch (err) {
    if (!(err instanceof ApiError)) deps.log.warn({ err, tenantId: request.tenantId }, 'an event stream broke off')
  }
}
