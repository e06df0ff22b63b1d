// Follows server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), also across broken connections.
import type { Event } from '@bailiwick/contract'
import { pause } from './deadline.ts'
import { parseLine } from './lines.ts'
import { isTransient } from './transport.ts'

export interface StreamedEvent {
  /** Where the stream continues after this event: the `lastEventId` of a later call. */
  readonly lastEventId: string
  readonly event: Event
}

export const eventStreamType = 'text/event-stream'

const reconnectMsDefault = 2000
const reconnectMsMin = 250
const reconnectMsMax = 60_000

/** What the lines of a stream have contained so far. */
interface Frame {
  id: string | undefined
  /** The id of the last complete frame: an incomplete one must not count. */
  place: string | undefined
  data: string[]
  reconnectMs: number
}

/** Takes a line; returns whether it ends an event. */
function takeLine(frame: Frame, line: string): boolean {
  if (line === '') {
    frame.place = frame.id
    return frame.data.length > 0
  }
  const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (field === 'data') frame.data.push(value)
  if (field === 'id' && !value.includes('\0')) frame.id = value
  if (field === 'retry' && /^\d{1,9}$/.test(value)) {
    frame.reconnectMs = Math.min(Math.max(Number(value), reconnectMsMin), reconnectMsMax)
  }
  return false
}

/**
 * Yields every event from `start` on, or from now on, without an end. A connection that breaks or falls silent is opened again where it
 * stopped; an error that another try cannot correct ends the loop.
 */
export async function* followEvents(
  open: (lastEventId: string | undefined) => Promise<AsyncGenerator<string, void, undefined>>,
  { start, signal }: { readonly start: string | undefined; readonly signal: AbortSignal | undefined },
): AsyncGenerator<StreamedEvent, void, undefined> {
  const frame: Frame = { id: start, place: start, data: [], reconnectMs: reconnectMsDefault }
  for (;;) {
    // Its own tries are used up when this throws.
    const lines = await open(frame.place)
    frame.id = frame.place
    frame.data = []
    try {
      for await (const line of lines) {
        if (!takeLine(frame, line)) continue
        const event = parseLine(frame.data.join('\n')) as Event
        frame.data = []
        yield { lastEventId: frame.place ?? '', event }
      }
    } catch (error) {
      if (!isTransient(error)) throw error
    }
    await pause(frame.reconnectMs, signal)
  }
}
