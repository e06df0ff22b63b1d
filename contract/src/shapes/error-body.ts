import type { Static } from 'typebox'
import { anyJson, array, object, oneOf, optional, text } from '../schema.ts'

/** The body of every answer that is not a success. */
export const ErrorBody = object({
  status: oneOf(['error']),
  code: text({ description: 'Stable, snake_case' }),
  message: text({ description: 'One sentence for people' }),
  issues: optional(
    array(object({ path: text({ description: 'JSON pointer' }), code: text(), message: text() }), {
      description: 'Every rule that the request breaks',
    }),
  ),
  current: optional(
    anyJson({
      description: 'Of `changed_meanwhile`: what GET at the same path answers now, if there is such an operation',
    }),
  ),
  requestId: text(),
})
export type ErrorBody = Static<typeof ErrorBody>
