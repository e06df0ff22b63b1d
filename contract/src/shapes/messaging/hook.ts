import type { Static } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  id,
  integer,
  metaJson,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { ImportedPasswordHash } from '../identity/user-transfer.ts'
import { personDetails, personName } from '../identity/user.ts'

/** When the service asks the tenant's server. */
export const hookPoints = [
  'sign_up.before',
  'user.before_create',
  'password.migrate',
  'sign_in.before_session',
  'token.before_issue',
  'invitation.before_create',
  'message.before_send',
] as const
export type HookPoint = (typeof hookPoints)[number]

export const hookDecisions = ['allow', 'deny', 'require_second_factor', 'sent'] as const
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

const roleIds = () =>
  array(id(), {
    maxItems: 20,
    uniqueItems: true,
    description: 'The roles that the answers may give to a new user; none by default',
  })
const receivesPasswords = () =>
  boolean({
    description:
      'Required at password.migrate. true: calls contain the password in the clear. false: each answer must contain a passwordHash, with which the service checks the password. At other points only false is allowed',
  })

const hookProperties = {
  id: text(),
  tenantId: text(),
  point: oneOf(hookPoints),
  url: text(),
  timeoutMs: integer(),
  onFailure: oneOf(hookFailureRules),
  enabled: boolean(),
  roleIds: roleIds(),
  receivesPasswords: receivesPasswords(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** An address of the tenant's server that decides what may happen. */
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
  roleIds: optional(roleIds()),
  receivesPasswords: optional(receivesPasswords()),
})
export type CreateHook = Static<typeof CreateHook>

/** The properties of a hook to change. */
export const UpdateHook = object({
  url: optional(url()),
  timeoutMs: optional(timeoutMs()),
  onFailure: optional(onFailure()),
  enabled: optional(boolean()),
  roleIds: optional(roleIds()),
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

/** What each point may be answered with, beside `allow` and `deny` with a `message`. */
export const hookAnswers = {
  'sign_up.before': { decisions: [], properties: ['publicMeta', 'roleId'] },
  'user.before_create': { decisions: [], properties: ['publicMeta', 'roleId'] },
  'password.migrate': { decisions: [], properties: ['profile', 'passwordHash', 'publicMeta', 'roleId'] },
  'sign_in.before_session': { decisions: ['require_second_factor'], properties: [] },
  'token.before_issue': { decisions: [], properties: ['claims'] },
  'invitation.before_create': { decisions: [], properties: [] },
  'message.before_send': { decisions: ['sent'], properties: [] },
} as const satisfies Record<HookPoint, { decisions: readonly HookDecision[]; properties: readonly string[] }>

/** What your former system knows of a user whose password was right. */
export const HookProfile = object({
  email: optional(text({ format: 'email' })),
  emailVerified: optional(boolean()),
  phone: optional(text({ format: 'phone', maxLength: 64 })),
  phoneVerified: optional(boolean()),
  username: optional(text({ format: 'username' })),
  name: optional(personName()),
  ...personDetails,
})
export type HookProfile = Static<typeof HookProfile>

/** What an answer may add to its decision. */
export const HookAdditions = object({
  claims: optional(anyJson({ type: 'object', maxProperties: 50, propertyNames: { format: 'claim-name' } })),
  publicMeta: optional(metaJson()),
  roleId: optional(id()),
  profile: optional(HookProfile),
  passwordHash: optional(ImportedPasswordHash),
})
export type HookAdditions = Static<typeof HookAdditions>

/** A call that a developer's machine answers, as it would be sent to the URL of the hook. */
export const HookListenerCall = object({
  id: text(),
  hookId: text(),
  point: oneOf(hookPoints),
  timeoutMs: integer({ description: 'How long the call waits for its answer, from when it was made' }),
  headers: anyJson({ type: 'object', additionalProperties: { type: 'string' } }),
  body: text(),
})
export type HookListenerCall = Omit<Static<typeof HookListenerCall>, 'headers'> & {
  readonly headers: Readonly<Record<string, string>>
}

/** What the developer's machine has answered. */
export const HookListenerAnswer = object({
  status: integer({ minimum: 100, maximum: 599 }),
  headers: object({
    'webhook-id': optional(text({ maxLength: 256 })),
    'webhook-timestamp': optional(text({ maxLength: 32 })),
    'webhook-signature': optional(text({ maxLength: 1024 })),
  }),
  body: text({ maxLength: 20_000 }),
})
export type HookListenerAnswer = Static<typeof HookListenerAnswer>
