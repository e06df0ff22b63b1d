// A tenant's events as server-sent events. A stream keeps its own place in the feed and sends it as each event's id, so that
// whoever comes back with the last id goes on behind it: nothing is skipped and nothing comes twice.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantId } from '../ids.ts'
import { type FeedCursor, cursorOf, cursorText, feedEnd, isBefore, readTenantFeed } from './feed.ts'
import { presentEvents } from './present.ts'

const pollMs = 500
const heartbeatMs = 15_000
const batch = 20
/** `stalledMs`: how long a reader may take none of what waits for it. */
const limits = { perTenantMax: 10, perNodeMax: 500, stalledMs: 30_000 }
const retryAfterSeconds = 5
const reconnectMs = 2000

export interface StreamRequest {
  readonly tenantId: TenantId
  /** Whose stream it is within the tenant; each credential has a share of the tenant's places. */
  readonly credential: string
  /** undefined: from now on. */
  readonly after: FeedCursor | undefined
  /** Cuts the connection of a reader that has fallen behind. */
  readonly cut: () => void
  /** Calls the action when the connection is gone. */
  readonly onClosed: (action: () => void) => void
  /** Throws once the caller may not read on; asked before anything is sent. */
  readonly mayGoOn: () => Promise<void>
}

export interface EventStreams {
  /** @throws ApiError too_many_streams */
  open(request: StreamRequest): Promise<Readable>
  /** Ends every stream, and opens no more. */
  end(): void
}

type StreamDeps = Pick<Deps, 'db' | 'personal' | 'log'>

async function* frames(deps: StreamDeps, request: StreamRequest, start: FeedCursor, signal: AbortSignal) {
  const { tenantId, mayGoOn } = request
  let place = start
  let lastSentAt = performance.now()
  // The place alone moves a client's last id without giving it an event, so that it can come back before the first one.
  yield `retry: ${reconnectMs}\nid: ${cursorText(place)}\n\n`
  while (!signal.aborted) {
    const rows = await readTenantFeed(deps.db, tenantId, place, batch)
    const events = await presentEvents(deps, tenantId, rows)
    // Asked last: what ended the caller's right may be the event that was just read.
    await mayGoOn()
    for (const [index, row] of rows.entries()) {
      place = cursorOf(row)
      yield `id: ${cursorText(place)}\ndata: ${JSON.stringify(events[index])}\n\n`
      if (signal.aborted) return
    }
    if (rows.length > 0) lastSentAt = performance.now()
    if (rows.length === batch) continue
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

/** The limits are replaced by tests. */
export function createEventStreams(
  deps: StreamDeps,
  { perTenantMax, perNodeMax, stalledMs }: typeof limits = limits,
): EventStreams {
  /** In the order in which they were opened. */
  const open = new Map<TenantId, Set<Place>>()
  let total = 0
  let hasEnded = false

  /** Ends the oldest of the largest group for somebody who has at least two fewer; taking turns would help neither. */
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
        // A place that is yet to come is one of the database before it was restored: nothing would be sent until it is reached.
        const start = request.after === undefined || isBefore(end, request.after) ? end : request.after
        // Text a chunk at a time, and no more than one ahead of the reader: a slow one costs no memory.
        const stream = Readable.from(
          whileRead(untilEnded(deps, request, start, ending.signal), request.cut, stalledMs),
          {
            highWaterMark: 1,
          },
        )
        // The stream itself closes only once what feeds it has ended, and that may be waiting for an event.
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

/** A reader that takes nothing would keep its place, and what was read for it, without an end. */
async function* whileRead(texts: AsyncIterable<string>, cut: () => void, stalledMs: number) {
  for await (const text of texts) {
    const timer = setTimeout(cut, stalledMs)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
}

/** An error cannot be told within a stream: it ends, and the client comes back and is told then. */
async function* untilEnded(deps: StreamDeps, request: StreamRequest, start: FeedCursor, signal: AbortSignal) {
  try {
    yield* frames(deps, request, start, signal)
  } catch (err) {
    if (!(err instanceof ApiError)) deps.log.warn({ err, tenantId: request.tenantId }, 'an event stream broke off')
  }
}
