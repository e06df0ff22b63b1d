import type { Static } from 'typebox'
import {
  boolean,
  id,
  integer,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'

/** When the service asks the tenant's server. */
export const hookPoints = ['sign_up.before', 'sign_in.before_session'] as const
export type HookPoint = (typeof hookPoints)[number]

export const hookDecisions = ['allow', 'deny', 'require_second_factor'] as const
export type HookDecision = (typeof hookDecisions)[number]

export const hookFailureRules = ['deny', 'allow'] as const
export type HookFailureRule = (typeof hookFailureRules)[number]

const url = () => text({ format: 'webhook-url', maxLength: 2048 })
const timeoutMs = () =>
  integer({ minimum: 100, maximum: 3000, description: 'How long a call may take; 2000 by default' })
const onFailure = () =>
  oneOf(hookFailureRules, {
    description: 'What happens if the server does not answer in time or its answer is not valid; deny by default',
  })

const hookProperties = {
  id: text(),
  tenantId: text(),
  point: oneOf(hookPoints),
  url: text(),
  timeoutMs: integer(),
  onFailure: oneOf(hookFailureRules),
  enabled: boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** An address of the tenant's server that decides about sign-ups or sign-ins. */
export const Hook = object(hookProperties)
export type Hook = Static<typeof Hook>

/** A hook with the secret that signs its calls and their answers, which is shown only here. */
export const HookWithSecret = object({
  ...hookProperties,
  previousSecretUntil: nullableTimestamp({ description: 'How long the previous secret is also valid' }),
  secret: text({ description: 'The secret that signs calls and answers; shown only here' }),
})
export type HookWithSecret = Static<typeof HookWithSecret>

/** What a hook is created with. */
export const CreateHook = object({
  tenantId: id(),
  point: oneOf(hookPoints),
  url: url(),
  timeoutMs: optional(timeoutMs()),
  onFailure: optional(onFailure()),
  enabled: optional(boolean()),
})
export type CreateHook = Static<typeof CreateHook>

/** The properties of a hook to change. */
export const UpdateHook = object({
  url: optional(url()),
  timeoutMs: optional(timeoutMs()),
  onFailure: optional(onFailure()),
  enabled: optional(boolean()),
})
export type UpdateHook = Static<typeof UpdateHook>

export const hookCallResults = [...hookDecisions, 'failed', 'skipped'] as const
export type HookCallResult = (typeof hookCallResults)[number]

/** One call of a hook. It contains neither the request nor the answer. */
export const HookCall = object({
  id: text({ description: 'The value of the header webhook-id' }),
  tenantId: text(),
  hookId: text(),
  result: oneOf(hookCallResults, {
    description:
      'What the server decided; `failed` without a valid answer; `skipped` while calls are paused after 20 failures in a row',
  }),
  error: nullableText({ description: 'Why the call failed' }),
  durationMs: integer(),
  createdAt: timestamp(),
})
export type HookCall = Static<typeof HookCall>
