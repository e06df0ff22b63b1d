import { endpoint } from '../../endpoint.ts'
import { EventType } from '../../events.ts'
import { pageOf, sample } from '../../examples.ts'
import { createdRange, id, object, optional, page, pageQuery, plainId, text } from '../../schema.ts'
import { EventLogCheck, EventRetention, NamedEvent } from '../../shapes/tenancy/event.ts'

const tag = 'Events'
const params = object({ tenantId: id() })
const paramsExample = { tenantId: sample.tenantId }

export const listEvents = endpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/tenants/{tenantId}/events',
  tag,
  summary: "List a tenant's events, newest first",
  description:
    'This is the audit log. With `subject`, `actor`, `createdAfter` or `createdBefore` the total is counted up to 10,000.',
  permission: 'events:read',
  tenant: { from: 'params.tenantId' },
  params,
  query: object({
    ...pageQuery.properties,
    ...createdRange,
    type: optional(EventType),
    subject: optional(id({ description: 'Only events about the record with this id', format: 'id' })),
    actor: optional(plainId({ description: 'Only what the administrator or API key with this ID has done' })),
  }),
  response: page(NamedEvent),
  errors: ['not_found'],
  example: {
    params: paramsExample,
    query: { type: 'user.created' },
    response: pageOf({ ...sample.event, actorName: null, subjectName: 'Ada Lovelace' }),
  },
})

export const streamEvents = endpoint({
  id: 'streamEvents',
  method: 'GET',
  path: '/tenants/{tenantId}/events/stream',
  tag,
  summary: "Stream a tenant's events as they happen",
  description:
    'Sends server-sent events, each with an Event as its data. A client that sends the id of the last event it received as Last-Event-ID gets every later event, once; otherwise the stream begins with the next event. If a later event was removed because of its age, the answer is `events_removed`, which says where to go on.',
  permission: 'events:read',
  tenant: { from: 'params.tenantId' },
  params,
  responseType: 'text/event-stream',
  response: text(),
  errors: ['not_found', 'events_removed', 'too_many_streams'],
  example: { params: paramsExample, response: `id: 0.42\ndata: ${JSON.stringify(sample.event)}\n\n` },
})

export const verifyEvents = endpoint({
  id: 'verifyEvents',
  method: 'GET',
  path: '/tenants/{tenantId}/events/verify',
  tag,
  summary: 'Check that the events have not been tampered with',
  description:
    'About a second after it is written, every event gets a seal, which is a hash of the event and of the previous seal. The newest seal is signed. Each request checks 500 seals or events: repeat it with `next` of the last response until that is null. The log is intact if no response has a problem.',
  permission: 'events:read',
  tenant: { from: 'params.tenantId' },
  params,
  query: object({
    from: optional(
      text({
        pattern: '^(?:seal\\.[0-9]{1,15}|event\\.[0-9]{1,15}\\.[0-9TZ:.-]{0,32})$',
        description: '`next` of the previous response',
      }),
    ),
  }),
  response: EventLogCheck,
  errors: ['not_found'],
  example: { params: paramsExample, response: { checked: 500, removed: 0, problems: [], next: 'seal.500' } },
})

export const getEventRetention = endpoint({
  id: 'getEventRetention',
  method: 'GET',
  path: '/tenants/{tenantId}/events/retention',
  tag,
  summary: 'Get for how long events are kept',
  description:
    'Events that are older than `days` are removed once a day, the oldest first, with their seals. The check of the log begins with the first event that is left. Events that a delivery of a webhook may need are kept.',
  permission: 'events:read',
  tenant: { from: 'params.tenantId' },
  params,
  response: EventRetention,
  errors: ['not_found'],
  example: {
    params: paramsExample,
    response: {
      days: 365,
      removed: 1200,
      newestRemovedAt: '2024-12-31T23:41:07.120000Z',
      firstEventAt: sample.event.createdAt,
      lastEventId: '0.1200',
    },
  },
})
