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
const batch = 100
const perTenantMax = 10
const perNodeMax = 500
const retryAfterSeconds = 5
const reconnectMs = 2000

export interface StreamRequest {
  readonly tenantId: TenantId
  /** undefined: from now on. */
  readonly after: FeedCursor | undefined
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
    await mayGoOn()
    const rows = await readTenantFeed(deps.db, tenantId, place, batch)
    const events = await presentEvents(deps, tenantId, rows)
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

export function createEventStreams(deps: StreamDeps): EventStreams {
  const open = new Map<TenantId, Set<AbortController>>()
  let total = 0
  let hasEnded = false

  function take(tenantId: TenantId): AbortController {
    const streams = open.get(tenantId) ?? new Set()
    if (hasEnded || total >= perNodeMax || streams.size >= perTenantMax) {
      throw new ApiError('too_many_streams', { retryAfterSeconds })
    }
    const ending = new AbortController()
    open.set(tenantId, streams.add(ending))
    total++
    return ending
  }
  function giveBack(tenantId: TenantId, ending: AbortController) {
    ending.abort()
    const streams = open.get(tenantId)
    if (streams?.delete(ending) !== true) return
    total--
    if (streams.size === 0) open.delete(tenantId)
  }

  return {
    async open(request) {
      const ending = take(request.tenantId)
      try {
        const end = await feedEnd(deps.db)
        // A place that is yet to come is one of the database before it was restored: nothing would be sent until it is reached.
        const start = request.after === undefined || isBefore(end, request.after) ? end : request.after
        // Text a chunk at a time, and no more than one ahead of the reader: a slow one costs no memory.
        const stream = Readable.from(untilEnded(deps, request, start, ending.signal), { highWaterMark: 1 })
        // The stream itself closes only once what feeds it has ended, and that may be waiting for an event.
        request.onClosed(() => ending.abort())
        stream.once('close', () => giveBack(request.tenantId, ending))
        return stream
      } catch (error) {
        giveBack(request.tenantId, ending)
        throw error
      }
    },
    end() {
      hasEnded = true
      for (const streams of open.values()) for (const ending of streams) ending.abort()
    },
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
