// Questions about permissions, in the form of the OpenID AuthZEN Authorization API 1.0.
import type { Static } from 'typebox'
import { anyJson, array, boolean, integer, object, oneOf, optional, text } from '../../schema.ts'

/** The most questions in one request. */
export const evaluationsMax = 100

export const evaluationSemantics = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const
export const evaluationReasons = [
  'permitted',
  'incomplete',
  'unknown_subject',
  'subject_not_active',
  'organizations_disabled',
  'not_a_member',
  'no_role',
  'not_in_role',
] as const
export type EvaluationReason = (typeof evaluationReasons)[number]

const name = () => text({ minLength: 1, maxLength: 256 })
const properties = optional(
  anyJson({
    'x-bytes-max': 4096,
    type: 'object',
    description: 'Attributes; `organizationId` of a resource names its organization',
  }),
)

/** Who wants to do something: a user of the tenant. */
export const EvaluationSubject = object({ type: name(), id: name(), properties })
/** What is wanted: a permission, or the last part of one that begins with the type of the resource. */
export const EvaluationAction = object({ name: name(), properties })
/** What it is done to. */
export const EvaluationResource = object({ type: name(), id: optional(name()), properties })

const question = {
  subject: optional(EvaluationSubject),
  action: optional(EvaluationAction),
  resource: optional(EvaluationResource),
  context: optional(
    anyJson({
      'x-bytes-max': 4096,
      type: 'object',
      description:
        '`organizationId`: the organization that the user acts for; `explain: true`: the answer says in `context` why',
    }),
  ),
}

/** One question of several; what it leaves out is taken from the request. */
export const EvaluationQuestion = object(question)
export type EvaluationQuestion = Static<typeof EvaluationQuestion>

/** One question, or several with `evaluations`. */
export const EvaluationRequest = object({
  ...question,
  evaluations: optional(array(EvaluationQuestion, { maxItems: evaluationsMax })),
  options: optional(
    object(
      {
        evaluations_semantic: optional(
          oneOf(evaluationSemantics, { description: 'Whether to stop at the first denied or permitted one' }),
        ),
      },
      { additionalProperties: anyJson(), description: 'Other options of the standard have no effect' },
    ),
  ),
})
export type EvaluationRequest = Static<typeof EvaluationRequest>

/** Why a decision was made, for those who ask. */
export const EvaluationContext = object({
  reason: oneOf(evaluationReasons),
  permission: optional(text({ description: 'The permission that was looked for' })),
  role: optional(text({ description: 'The name of the role that was looked at' })),
  organizationId: optional(text()),
  error: optional(
    object(
      { status: integer(), message: text() },
      { description: 'Present if one of several questions could not be answered, because a part of it is missing' },
    ),
  ),
})

/** The answer to one question. */
export const EvaluationDecision = object({ decision: boolean(), context: optional(EvaluationContext) })
export type EvaluationDecision = Static<typeof EvaluationDecision>

/** `decision` for one question; `evaluations`, in the same order, for several. */
export const EvaluationAnswer = object({
  decision: optional(boolean()),
  context: optional(EvaluationContext),
  evaluations: optional(array(EvaluationDecision)),
})
export type EvaluationAnswer = Static<typeof EvaluationAnswer>
