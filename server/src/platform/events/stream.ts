// A tenant's events as server-sent events. Each event's id is its position in the feed, so that a client that reconnects with the last id
// continues after it: nothing is skipped and nothing is repeated.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { whileRead } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantId } from '../ids.ts'
import { ownTurn } from '../turns/loop-turns.ts'
import { assertNothingMissed } from './anchor.ts'
import { type FeedCursor, cursorOf, cursorText, feedEnd, isBefore, readTenantFeed } from './feed.ts'
import { presentEvents } from './present.ts'
import { createStreamPlaces } from './stream-places.ts'

const pollMs = 500
const heartbeatMs = 15_000
const batch = 20
/** `stalledMs`: how long a reader may leave waiting data unread. */
const limits = { perTenantMax: 10, perNodeMax: 500, stalledMs: 30_000 }
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
  /** @throws ApiError too_many_streams; events_removed if events after that place exist no more */
  open(request: StreamRequest): Promise<Readable>
  /** Ends every stream and opens no more. */
  end(): void
}

type StreamDeps = Pick<Deps, 'db' | 'personal' | 'log'>

async function* frames(deps: StreamDeps, request: StreamRequest, start: FeedCursor, signal: AbortSignal) {
  const { tenantId, mayGoOn } = request
  let place = start
  let lastSentAt = performance.now()
  // A reader that is at the end misses nothing, because only events of many days ago are removed.
  let isCatchingUp = true
  // Sets a client's last id without sending an event, so that it can reconnect before the first one arrives.
  yield `retry: ${reconnectMs}\nid: ${cursorText(place)}\n\n`
  while (!signal.aborted) {
    const rows = await readTenantFeed(deps.db, tenantId, place, batch)
    if (isCatchingUp) await assertNothingMissed(deps.db, tenantId, place)
    isCatchingUp = rows.length === batch
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

/** Tests pass their own limits. */
export function createEventStreams(
  deps: StreamDeps,
  { stalledMs, ...placeLimits }: typeof limits = limits,
): EventStreams {
  const places = createStreamPlaces(placeLimits)
  return {
    async open(request) {
      const { tenantId, after, cut, onClosed } = request
      const place = places.take(tenantId, request.credential)
      const { ending } = place
      try {
        const end = await feedEnd(deps.db)
        // A cursor beyond the present end comes from before the database was restored; without this, nothing would be sent until the end
        // reaches it.
        const start = after === undefined || isBefore(end, after) ? end : after
        if (start !== end) await assertNothingMissed(deps.db, tenantId, start)
        // Produces one chunk at a time, at most one ahead of the reader, so that a slow reader costs no memory.
        const stream = Readable.from(whileRead(untilEnded(deps, request, start, ending.signal), cut, stalledMs), {
          highWaterMark: 1,
        })
        // The stream itself closes only after its source has ended, which may still be waiting for an event.
        onClosed(() => ending.abort())
        stream.once('close', () => places.release(tenantId, place))
        return stream
      } catch (error) {
        places.release(tenantId, place)
        throw error
      }
    },
    end: () => places.end(),
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
