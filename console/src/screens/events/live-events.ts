// Events as they happen, for as long as somebody watches.
import { useEffect, useState } from 'react'
import { bailiwick } from '../../api/client.ts'
import type { Event } from './event-dialog.tsx'

/** The number of events that the page keeps. */
const keptMax = 100

export interface LiveEvents {
  readonly events: readonly Event[]
  readonly error: unknown
}

const none: LiveEvents = { events: [], error: undefined }

/** The newest events first, from the moment it is turned on. */
export function useLiveEvents(tenantId: string, isOn: boolean): LiveEvents {
  const [live, setLive] = useState<LiveEvents>(none)
  useEffect(() => {
    if (!isOn) return undefined
    const end = new AbortController()
    setLive(none)
    async function follow() {
      for await (const { event } of bailiwick.streamEvents({ params: { tenantId }, signal: end.signal })) {
        setLive(({ events }) => ({ events: [event, ...events].slice(0, keptMax), error: undefined }))
      }
    }
    follow().catch((error: unknown) => {
      if (!end.signal.aborted) setLive(({ events }) => ({ events, error }))
    })
    return () => end.abort()
  }, [tenantId, isOn])
  return live
}
