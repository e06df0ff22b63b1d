import { sample } from '../examples.ts'
import { sampleOpenSignUp, sampleSignUpAnswer } from './examples.ts'
import { AttemptVerification, CreateSignUp, PrepareVerification, SignUpAnswer, UpdateSignUp } from './flow-shapes.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'
import { idParams } from './shapes.ts'

const tag = 'Sign-up'
const common = { tag, session: 'optional', data: SignUpAnswer } as const
const params = { id: sample.signUpAttempt.id }
const fieldErrors = [
  'attempt_at_another_step',
  'attempt_not_open',
  'connection_required',
  'connection_taken',
  'sign_up_disabled',
  'email_not_allowed',
  'hook_denied',
  'sign_up_denied',
  'email_taken',
  'enterprise_sign_in_required',
  'invitation_invalid',
  'membership_limit_reached',
  'phone_taken',
  'strategy_unavailable',
  'too_many_attempts',
  'username_taken',
] as const

export const createSignUp = frontendEndpoint({
  ...common,
  id: 'createSignUp',
  method: 'POST',
  path: '/sign-ups',
  flow: 'begins',
  summary: 'Begin to sign up',
  description:
    'Fields can be sent one by one. The response is the same if a user already has the e-mail address or phone number; instead of the code or link, ' +
    'its owner then gets a message that says so.',
  body: CreateSignUp,
  errors: [...fieldErrors, 'challenge_required', 'provider_unusable', 'redirect_refused'],
  example: { body: { email: sample.email, password: 'correct horse battery' }, response: sampleOpenSignUp },
})

export const getSignUp = frontendEndpoint({
  ...common,
  id: 'getSignUp',
  method: 'GET',
  path: '/sign-ups/{id}',
  flow: 'continues',
  summary: 'Read an attempt to sign up, in the browser that began it',
  description:
    'Only for the browser that began the attempt and has its cookie, or for an app that sends its x-flow-token. `missingFields` and `missingVerifications` name the next steps.',
  params: idParams,
  errors: [],
  example: { params, response: sampleOpenSignUp },
})

export const updateSignUp = frontendEndpoint({
  ...common,
  id: 'updateSignUp',
  method: 'PATCH',
  path: '/sign-ups/{id}',
  flow: 'continues',
  summary: 'Send the fields that are still missing',
  description:
    'Replaces fields that were sent before. Once no field is missing and everything is verified, the user is created and signed in.',
  params: idParams,
  body: UpdateSignUp,
  errors: fieldErrors,
  example: { params, body: { name: 'Ada' }, response: sampleOpenSignUp },
})

export const prepareVerification = frontendEndpoint({
  ...common,
  id: 'prepareVerification',
  method: 'POST',
  path: '/sign-ups/{id}/prepare-verification',
  flow: 'continues',
  summary: 'Send the code or link that verifies an e-mail address or a phone number',
  description:
    'Each code or link replaces the previous one and is valid for ten minutes. If another user has the address, that user gets a message that says so.',
  params: idParams,
  body: PrepareVerification,
  errors: [...fieldErrors, 'redirect_refused'],
  example: { params, body: { strategy: 'email_code' }, response: sampleOpenSignUp },
})

export const attemptVerification = frontendEndpoint({
  ...common,
  id: 'attemptVerification',
  method: 'POST',
  path: '/sign-ups/{id}/attempt-verification',
  flow: 'continues',
  summary: 'Verify an e-mail address or a phone number; the last verification creates the user and signs in',
  description: 'After too many wrong codes the caller must wait, as `Retry-After` says.',
  params: idParams,
  body: AttemptVerification,
  errors: [...fieldErrors, 'factor_refused'],
  example: { params, body: { strategy: 'email_code', code: '314159' }, response: sampleSignUpAnswer },
})
