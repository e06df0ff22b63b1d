import type { Static } from 'typebox'
import { anyJson, array, object, oneOf, optional, text } from '../schema.ts'
import { challengeProviders, challengePurposes } from '../settings/challenges.ts'

/** The body of every answer that is not a success. */
export const ErrorBody = object({
  status: oneOf(['error']),
  code: text({ description: 'The stable code of the error, in snake_case' }),
  message: text({ description: 'One sentence that explains the error' }),
  issues: optional(
    array(object({ path: text({ description: 'The JSON pointer to the value' }), code: text(), message: text() }), {
      description: 'Every rule that the request breaks',
    }),
  ),
  current: optional(
    anyJson({
      description: 'For `changed_meanwhile`: the present record or document. Missing if the caller cannot read it',
    }),
  ),
  challenge: optional(
    object(
      { purpose: oneOf(challengePurposes), provider: oneOf(challengeProviders) },
      {
        description: 'For `challenge_required`: what `GET /challenges` is to be asked for',
      },
    ),
  ),
  requestId: text(),
})
export type ErrorBody = Static<typeof ErrorBody>
