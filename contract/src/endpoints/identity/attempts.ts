import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { createdRange, id, narrowedTotal, object, oneOf, optional, page, pageQuery, plainId } from '../../schema.ts'
import {
  SignInAttemptRecord,
  SignUpAttemptRecord,
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

export const listSignInAttempts = endpoint({
  id: 'listSignInAttempts',
  method: 'GET',
  path: '/auth/sign-ins',
  tag,
  summary: 'List the attempts to sign in to a tenant',
  description: narrowedTotal,
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({ ...query, status: optional(oneOf(signInStatuses, statusDescription)) }),
  response: page(SignInAttemptRecord),
  errors: ['not_found'],
  example: { ...queryExample, response: pageOf(sample.signInAttemptRecord) },
})

export const getSignInAttempt = endpoint({
  id: 'getSignInAttempt',
  method: 'GET',
  path: '/auth/sign-ins/{id}',
  tag,
  summary: 'Read an attempt to sign in',
  permission: 'users:read',
  tenant: { locates: 'sign_in_attempts', by: 'params.id' },
  params,
  response: SignInAttemptRecord,
  errors: ['not_found'],
  example: { params: { id: sample.signInAttempt.id }, response: sample.signInAttemptRecord },
})

export const deleteSignInAttempt = endpoint({
  id: 'deleteSignInAttempt',
  method: 'DELETE',
  path: '/auth/sign-ins/{id}',
  tag,
  summary: 'Delete an attempt to sign in',
  description: 'An open attempt can then no longer be finished. A session that the attempt created continues.',
  permission: 'users:write',
  tenant: { locates: 'sign_in_attempts', by: 'params.id' },
  params,
  response: SignInAttemptRecord,
  errors: ['not_found'],
  example: { params: { id: sample.signInAttempt.id }, response: sample.signInAttemptRecord },
})

export const listSignUpAttempts = endpoint({
  id: 'listSignUpAttempts',
  method: 'GET',
  path: '/auth/sign-ups',
  tag,
  summary: 'List the attempts to sign up to a tenant',
  description: narrowedTotal,
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({ ...query, status: optional(oneOf(signUpStatuses, statusDescription)) }),
  response: page(SignUpAttemptRecord),
  errors: ['not_found'],
  example: { ...queryExample, response: pageOf(sample.signUpAttemptRecord) },
})

export const getSignUpAttempt = endpoint({
  id: 'getSignUpAttempt',
  method: 'GET',
  path: '/auth/sign-ups/{id}',
  tag,
  summary: 'Read an attempt to sign up',
  permission: 'users:read',
  tenant: { locates: 'sign_up_attempts', by: 'params.id' },
  params,
  response: SignUpAttemptRecord,
  errors: ['not_found'],
  example: { params: { id: sample.signUpAttempt.id }, response: sample.signUpAttemptRecord },
})

export const deleteSignUpAttempt = endpoint({
  id: 'deleteSignUpAttempt',
  method: 'DELETE',
  path: '/auth/sign-ups/{id}',
  tag,
  summary: 'Delete an attempt to sign up',
  description: 'An open attempt can then no longer be finished. A session that the attempt created continues.',
  permission: 'users:write',
  tenant: { locates: 'sign_up_attempts', by: 'params.id' },
  params,
  response: SignUpAttemptRecord,
  errors: ['not_found'],
  example: { params: { id: sample.signUpAttempt.id }, response: sample.signUpAttemptRecord },
})
