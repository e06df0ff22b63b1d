import { endpoint } from '../endpoint.ts'
import { EventType } from '../events.ts'
import { pageOf, sample } from '../examples.ts'
import { createdRange, id, object, optional, page, pageQuery, text } from '../schema.ts'
import { Event, EventLogCheck } from '../shapes/event.ts'

const tag = 'Events'
const params = object({ tenantId: id() })
const paramsExample = { tenantId: sample.tenantId }

export const listEvents = endpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/tenants/{tenantId}/events',
  tag,
  summary: "A tenant's events, newest first",
  description: 'The audit log. With subject, createdAfter or createdBefore the total is counted up to 10,000.',
  permission: 'events:read',
  tenant: { from: 'params.tenantId' },
  params,
  query: object({
    ...pageQuery.properties,
    ...createdRange,
    type: optional(EventType),
    subject: optional(id({ description: 'The id of what the events are about', format: 'id' })),
  }),
  response: page(Event),
  errors: ['not_found'],
  example: { params: paramsExample, query: { type: 'user.created' }, response: pageOf(sample.event) },
})

export const streamEvents = endpoint({
  id: 'streamEvents',
  method: 'GET',
  path: '/tenants/{tenantId}/events/stream',
  tag,
  summary: "A tenant's events as they happen",
  description:
    'Server-sent events, each with an Event as its data. A client that sends the id of the last one it saw as Last-Event-ID gets every event after it, once; otherwise the stream begins with the next event.',
  permission: 'events:read',
  tenant: { from: 'params.tenantId' },
  params,
  responseType: 'text/event-stream',
  response: text(),
  errors: ['not_found', 'too_many_streams'],
  example: { params: paramsExample, response: `id: 0.42\ndata: ${JSON.stringify(sample.event)}\n\n` },
})

export const verifyEvents = endpoint({
  id: 'verifyEvents',
  method: 'GET',
  path: '/tenants/{tenantId}/events/verify',
  tag,
  summary: 'Check that nobody has tampered with the events',
  description:
    'Every event is sealed by a hash of itself and of the seal before it, about a second after it was written, and the newest seal is signed. Each request checks 500 seals or events: repeat it with the `next` of the last answer until that is null. The log is whole if no answer has a problem.',
  permission: 'events:read',
  tenant: { from: 'params.tenantId' },
  params,
  query: object({
    from: optional(
      text({
        pattern: '^(?:seal\\.[0-9]{1,15}|event\\.[0-9]{1,15}\\.[0-9TZ:.-]{0,32})$',
        description: '`next` of the answer before',
      }),
    ),
  }),
  response: EventLogCheck,
  errors: ['not_found'],
  example: { params: paramsExample, response: { checked: 500, problems: [], next: 'seal.500' } },
})
