import type { Static } from 'typebox'
import { anyJson, array, integer, nullableInteger, nullableText, object, oneOf, text, timestamp } from '../schema.ts'

export const Event = object({
  id: text(),
  tenantId: text(),
  type: text({ description: 'resource.verb, such as user.created; docs/events.md lists all types' }),
  actor: object({ type: text(), id: nullableText() }),
  subject: object({ type: text(), id: text() }),
  data: anyJson({
    description: 'What changed. Personal data is in `personal`, which is null once the person has been erased.',
  }),
  ip: nullableText(),
  ua: nullableText(),
  createdAt: timestamp(),
})
export type Event = Static<typeof Event>

export const eventLogProblems = ['changed', 'removed', 'inserted', 'seal_missing', 'checkpoint'] as const

/** What a part of the check of a tenant's event log has found. */
export const EventLogCheck = object({
  checked: integer({ description: 'How many seals or events this part has checked' }),
  problems: array(
    object({
      kind: oneOf(eventLogProblems, {
        description:
          'changed: the event differs from the sealed one; removed: the sealed event is missing; inserted: the event was never sealed; seal_missing: the seals are not consecutive; checkpoint: the newest seal is not the one that was signed',
      }),
      sequence: nullableInteger({ description: 'The number of the seal' }),
      eventId: nullableText(),
    }),
    { description: 'Empty where this part is as it was sealed' },
  ),
  next: nullableText({ description: 'Where the check goes on; null when it has reached the end' }),
})
export type EventLogCheck = Static<typeof EventLogCheck>
