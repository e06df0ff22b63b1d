import { sample } from '../examples.ts'
import { object } from '../schema.ts'
import { AttemptPasswordReset, CreatePasswordReset, PasswordReset } from './flow-shapes.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'
import { idParams } from './shapes.ts'

const tag = 'Password reset'
const data = object({ passwordReset: PasswordReset })
const open = { id: 'cmi7x9q3r8x1c6v9f3j5l2o4s', status: 'needs_code', expiresAt: sample.signInAttempt.expiresAt }

export const createPasswordReset = frontendEndpoint({
  id: 'createPasswordReset',
  method: 'POST',
  path: '/password-resets',
  tag,
  summary: 'Send the code for resetting a forgotten password',
  description: 'The response is the same whether or not a user has the identifier.',
  session: 'none',
  body: CreatePasswordReset,
  data,
  errors: ['challenge_required', 'too_many_attempts', 'strategy_unavailable'],
  example: { body: { identifier: sample.email }, response: { passwordReset: open } },
})

export const attemptPasswordReset = frontendEndpoint({
  id: 'attemptPasswordReset',
  method: 'POST',
  path: '/password-resets/{id}/attempt',
  tag,
  summary: 'Set a new password with the code; every session of the user ends',
  description: 'This does not sign the user in, and does not change second factors.',
  session: 'none',
  params: idParams,
  body: AttemptPasswordReset,
  data,
  errors: ['attempt_not_open', 'factor_refused', 'strategy_unavailable', 'too_many_attempts'],
  example: {
    params: { id: open.id },
    body: { code: '314159', password: 'correct horse battery' },
    response: { passwordReset: { ...open, status: 'complete' } },
  },
})
