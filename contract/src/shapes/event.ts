import type { Static } from 'typebox'
import { anyJson, nullableText, object, text, timestamp } from '../schema.ts'

export const Event = object({
  id: text(),
  tenantId: text(),
  type: text({ description: 'resource.verb, such as user.created; docs/events.md lists all types' }),
  actor: object({ type: text(), id: nullableText() }),
  subject: object({ type: text(), id: text() }),
  data: anyJson({
    description:
      'What changed. What it says about a person stands in `personal`, which is null once the person has been erased.',
  }),
  ip: nullableText(),
  ua: nullableText(),
  createdAt: timestamp(),
})
export type Event = Static<typeof Event>
