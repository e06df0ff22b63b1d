import { endpoints } from '@bailiwick/contract'
import { parseFeedCursor } from '../../platform/events/feed.ts'
import { createEventStreams } from '../../platform/events/stream.ts'
import { Content } from '../../platform/http/answer.ts'
import { invalid } from '../../platform/http/api-error.ts'
import { authorizeInTenant } from '../../platform/http/credentials/authorize.ts'
import { actorId } from '../../platform/http/credentials/principal.ts'
import type { Health } from '../../platform/http/health.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { getTenant } from '../tenants/tenants.ts'
import { listEvents } from './events.ts'
import { getEventRetention } from './retention.ts'
import { verifyEvents } from './verify-events.ts'

function lastEventId(header: string | readonly string[] | undefined) {
  if (header === undefined || header === '') return undefined
  const cursor = typeof header === 'string' ? parseFeedCursor(header) : undefined
  if (cursor !== undefined) return cursor
  throw invalid('/last-event-id', 'invalid_format', 'must be the id of an event of this stream')
}

export function eventRoutes({ app, authenticate, handle }: Management, deps: Deps, health: Health) {
  const streams = createEventStreams(deps)
  // A stop of the process waits for requests that are under way; these would never end by themselves.
  health.onStop(() => streams.end())
  app.addHook('preClose', (done) => {
    streams.end()
    done()
  })

  handle(endpoints.listEvents, ({ tenantId, query }) => listEvents(deps, tenantId, query))

  handle(endpoints.verifyEvents, ({ tenantId, query }) => verifyEvents(deps, tenantId, query.from))

  handle(endpoints.getEventRetention, ({ tenantId }) => getEventRetention(deps, tenantId))

  handle(endpoints.streamEvents, async ({ tenantId, principal, request, reply }) => {
    await getTenant(deps, tenantId)
    const after = lastEventId(request.headers['last-event-id'])
    const mayGoOn = async () => {
      // The credential may have been revoked since.
      authorizeInTenant(await authenticate(request.raw), endpoints.streamEvents.permission, tenantId)
    }
    const onClosed = (action: () => void) => void reply.raw.once('close', action)
    const credential = `${principal.type}:${actorId(principal) ?? ''}`
    const cut = () => reply.raw.destroy()
    const stream = await streams.open({ tenantId, credential, after, cut, onClosed, mayGoOn })
    // Proxies that buffer answers would hold events back. The connection ends with the stream, so that a stop does not wait for another
    // request on it.
    reply.headers({ 'x-accel-buffering': 'no', connection: 'close' })
    return new Content('text/event-stream; charset=utf-8', stream)
  })
}
