import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { createdRange, id, narrowedTotal, object, oneOf, optional, page, pageQuery, plainId } from '../../schema.ts'
import {
  SignInAttemptRecord,
  SignUpAttemptRecord,
  signInFailureReasons,
  signInStatuses,
  signUpStatuses,
} from '../../shapes/identity/attempt.ts'

const tag = 'Attempts'
const params = object({ id: plainId() })
const query = {
  tenantId: id(),
  ...pageQuery.properties,
  ...createdRange,
  userId: optional(plainId({ description: 'Only attempts of this user' })),
}
const statusDescription = { description: 'Only attempts with this status' }
const queryExample = { query: { tenantId: sample.tenantId } }

const list = {
  method: 'GET',
  tag,
  description: narrowedTotal,
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  errors: ['not_found'],
} as const

const oneSignIn = {
  path: '/auth/sign-ins/{id}',
  tag,
  tenant: { locates: 'sign_in_attempts', by: 'params.id' },
  params,
  response: SignInAttemptRecord,
  errors: ['not_found'],
  example: { params: { id: sample.signInAttempt.id }, response: sample.signInAttemptRecord },
} as const

const oneSignUp = {
  path: '/auth/sign-ups/{id}',
  tag,
  tenant: { locates: 'sign_up_attempts', by: 'params.id' },
  params,
  response: SignUpAttemptRecord,
  errors: ['not_found'],
  example: { params: { id: sample.signUpAttempt.id }, response: sample.signUpAttemptRecord },
} as const

const read = { method: 'GET', permission: 'users:read' } as const
const deletion = {
  method: 'DELETE',
  description: 'An open attempt can then no longer be finished. A session that the attempt created continues.',
  permission: 'users:write',
} as const

export const listSignInAttempts = endpoint({
  ...list,
  id: 'listSignInAttempts',
  path: '/auth/sign-ins',
  summary: 'List the attempts to sign in to a tenant',
  query: object({
    ...query,
    status: optional(oneOf(signInStatuses, statusDescription)),
    failure: optional(oneOf(signInFailureReasons, { description: 'Only attempts in which this was the last refusal' })),
  }),
  response: page(SignInAttemptRecord),
  example: { ...queryExample, response: pageOf(sample.signInAttemptRecord) },
})

export const getSignInAttempt = endpoint({
  ...oneSignIn,
  ...read,
  id: 'getSignInAttempt',
  summary: 'Read an attempt to sign in',
})

export const deleteSignInAttempt = endpoint({
  ...oneSignIn,
  ...deletion,
  id: 'deleteSignInAttempt',
  summary: 'Delete an attempt to sign in',
})

export const listSignUpAttempts = endpoint({
  ...list,
  id: 'listSignUpAttempts',
  path: '/auth/sign-ups',
  summary: 'List the attempts to sign up to a tenant',
  query: object({ ...query, status: optional(oneOf(signUpStatuses, statusDescription)) }),
  response: page(SignUpAttemptRecord),
  example: { ...queryExample, response: pageOf(sample.signUpAttemptRecord) },
})

export const getSignUpAttempt = endpoint({
  ...oneSignUp,
  ...read,
  id: 'getSignUpAttempt',
  summary: 'Read an attempt to sign up',
})

export const deleteSignUpAttempt = endpoint({
  ...oneSignUp,
  ...deletion,
  id: 'deleteSignUpAttempt',
  summary: 'Delete an attempt to sign up',
})
