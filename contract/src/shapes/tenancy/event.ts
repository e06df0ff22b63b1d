import type { Static } from 'typebox'
import {
  anyJson,
  array,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  text,
  timestamp,
} from '../../schema.ts'

/** A change in a tenant: what happened, to what, and by whom. */
export const Event = object({
  id: text(),
  tenantId: text(),
  type: text({ description: 'resource.verb, such as user.created; docs/events.md lists all types' }),
  actor: object({ type: text(), id: nullableText() }),
  subject: object({ type: text(), id: text() }),
  data: anyJson({
    description: 'The data of the event. Personal data are in `personal`, which is null once the user has been erased.',
  }),
  ip: nullableText(),
  ua: nullableText(),
  createdAt: timestamp(),
})
export type Event = Static<typeof Event>

/** An event with the present names of who and what its ids name. */
export const NamedEvent = object({
  ...Event.properties,
  actorName: nullableText({
    description:
      'The name of the user, administrator, application or API key; null if it has none, or no longer exists',
  }),
  subjectName: nullableText({ description: 'The name of the record; null if it has none, or no longer exists' }),
})
export type NamedEvent = Static<typeof NamedEvent>

export const eventLogProblems = ['changed', 'removed', 'inserted', 'seal_missing', 'checkpoint', 'anchor'] as const

/** What a part of the check of a tenant's event log has found. */
export const EventLogCheck = object({
  checked: integer({ description: 'How many seals or events this response has checked' }),
  removed: integer({
    description:
      'How many events were removed from the beginning of the log because of their age; the check begins after them',
  }),
  problems: array(
    object({
      kind: oneOf(eventLogProblems, {
        description:
          'changed: the event differs from the sealed one; removed: the sealed event is missing; inserted: the event was never sealed; seal_missing: the seals are not consecutive; checkpoint: the newest seal is not the one that was signed; anchor: the log does not begin where the service has left its beginning',
      }),
      sequence: nullableInteger({ description: 'The number of the seal' }),
      eventId: nullableText(),
    }),
    { description: 'Empty if this part of the log is intact' },
  ),
  next: nullableText({ description: 'The value of `from` for the next part of the log; null at the end' }),
})
export type EventLogCheck = Static<typeof EventLogCheck>

/** From when on a tenant's events exist, and for how long they are kept. */
export const EventRetention = object({
  days: nullableInteger({
    description:
      'After how many days events are removed: `eventRetentionDays` within the bounds of this server; null for never',
  }),
  removed: integer({ description: 'How many events have been removed so far' }),
  newestRemovedAt: nullableTimestamp({ description: 'When the newest of them was created' }),
  firstEventAt: nullableTimestamp({ description: 'When the oldest event that exists was created' }),
  lastEventId: text({ description: 'The Last-Event-ID with which a stream begins with the oldest event that exists' }),
})
export type EventRetention = Static<typeof EventRetention>
