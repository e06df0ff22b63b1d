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
      description:
        'Of `changed_meanwhile`: the record or document as it is now. It is left out if the caller may not read it',
    }),
  ),
  requestId: text(),
})
export type ErrorBody = Static<typeof ErrorBody>
