import type { Static } from 'typebox'
import { anyJson, array, integer, nullableInteger, nullableText, object, oneOf, text, timestamp } from '../../schema.ts'

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

export const eventLogProblems = ['changed', 'removed', 'inserted', 'seal_missing', 'checkpoint'] as const

/** What a part of the check of a tenant's event log has found. */
export const EventLogCheck = object({
  checked: integer({ description: 'How many seals or events this response has checked' }),
  problems: array(
    object({
      kind: oneOf(eventLogProblems, {
        description:
          'changed: the event differs from the sealed one; removed: the sealed event is missing; inserted: the event was never sealed; seal_missing: the seals are not consecutive; checkpoint: the newest seal is not the one that was signed',
      }),
      sequence: nullableInteger({ description: 'The number of the seal' }),
      eventId: nullableText(),
    }),
    { description: 'Empty if this part of the log is intact' },
  ),
  next: nullableText({ description: 'The value of `from` for the next part of the log; null at the end' }),
})
export type EventLogCheck = Static<typeof EventLogCheck>
