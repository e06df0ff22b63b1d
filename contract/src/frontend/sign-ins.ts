import { sample } from '../examples.ts'
import { boolean, nullable, object } from '../schema.ts'
import { SignInAttempt } from '../shapes/identity/attempt.ts'
import { sampleOpenSignIn, sampleSignInAnswer } from './examples.ts'
import {
  AttemptFactor,
  CreateSignIn,
  CreateVerification,
  PrepareFactor,
  SignInAnswer,
  SignInState,
} from './flow-shapes.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'
import { idParams } from './shapes.ts'

const tag = 'Sign-in'
const common = { tag, session: 'optional', data: SignInAnswer } as const
const params = { id: sample.signInAttempt.id }
const proofErrors = [
  'attempt_at_another_step',
  'attempt_not_open',
  'challenge_required',
  'connection_refused',
  'connection_required',
  'connection_taken',
  'email_not_allowed',
  'hook_denied',
  'sign_in_denied',
  'sign_up_denied',
  'email_taken',
  'email_unverified',
  'enterprise_sign_in_required',
  'factor_refused',
  'password_change_required',
  'phone_unverified',
  'provider_refused',
  'provider_unusable',
  'sign_in_disabled',
  'sign_up_disabled',
  'sign_up_required',
  'strategy_unavailable',
  'too_many_attempts',
] as const

export const createSignIn = frontendEndpoint({
  ...common,
  id: 'createSignIn',
  method: 'POST',
  path: '/sign-ins',
  flow: 'begins',
  summary: 'Begin to sign in',
  description:
    'With a password strategy and a password, the first factor is attempted at once; without a password the attempt begins, and the ' +
    'password follows with attempt-first-factor. Every other strategy is prepared: a code or link is sent, a challenge is created, or, with ' +
    'oauth and a providerKey, the response says where the browser must go. The response is the same whether or not a user has the ' +
    'identifier.',
  body: CreateSignIn,
  errors: [...proofErrors, 'redirect_refused'],
  example: {
    body: { identifier: sample.email, strategy: 'email_password', password: 'correct horse battery' },
    response: sampleSignInAnswer,
  },
})

export const createVerification = frontendEndpoint({
  tag,
  session: 'required',
  id: 'createVerification',
  method: 'POST',
  path: '/user/verifications',
  flow: 'begins',
  summary: 'Prove again, within a session, who the user is',
  description:
    'Returns an attempt with the steps of a sign-in. Its end opens no session: the session of this request continues under a new token, and ' +
    'its `auth_time`, `acr` and `amr` say what was proven. A user who has no second factor sets one up. If the session was proven as ' +
    'requested already, `isProven` is true and there is no attempt.',
  body: CreateVerification,
  data: object({
    isProven: boolean(),
    signInAttempt: nullable(SignInAttempt),
    flowToken: SignInAnswer.properties.flowToken,
  }),
  errors: ['reauthentication_required', 'redirect_refused', 'sign_in_disabled', 'strategy_unavailable'],
  example: { body: { level: 'second_factor' }, response: { isProven: false, ...sampleOpenSignIn } },
})

export const getSignIn = frontendEndpoint({
  ...common,
  id: 'getSignIn',
  method: 'GET',
  path: '/sign-ins/{id}',
  flow: 'continues',
  summary: 'Read an attempt to sign in, in the browser that began it',
  description:
    'Only for the browser that began the attempt and has its cookie, or for an app that sends its x-flow-token; other callers get 404.',
  params: idParams,
  data: SignInState,
  errors: [],
  example: { params, response: sampleOpenSignIn },
})

export const prepareFirstFactor = frontendEndpoint({
  ...common,
  id: 'prepareFirstFactor',
  method: 'POST',
  path: '/sign-ins/{id}/prepare-first-factor',
  flow: 'continues',
  summary: 'Choose a strategy: send its code or link, create its challenge, or begin with its provider',
  description:
    'Codes and links are sent to the address in the identifier, and are valid for ten minutes. If no user has the identifier, the response is the same, but nothing is sent.',
  params: idParams,
  body: PrepareFactor,
  errors: [...proofErrors, 'redirect_refused'],
  example: { params, body: { strategy: 'email_code' }, response: sampleOpenSignIn },
})

export const attemptFirstFactor = frontendEndpoint({
  ...common,
  id: 'attemptFirstFactor',
  method: 'POST',
  path: '/sign-ins/{id}/attempt-first-factor',
  flow: 'continues',
  summary: 'Prove the first factor',
  description:
    'Send the password, the code or token, or the credential, as the strategy requires. The response contains the session, or says with `needs_factor_two` that another factor is required, with `needs_enrolment` that the user must set one up. With `enterprise`, a new user of a tenant that requires attributes sends `attributes` too; without them the answer is `validation_failed`, and the same code is accepted once they are there. If no user of the tenant has the passkey, the error has the issue `unknown_passkey`: report the passkey with `PublicKeyCredential.signalUnknownCredential()`.',
  params: idParams,
  body: AttemptFactor,
  bodyBytesMax: 64 * 1024,
  errors: proofErrors,
  example: { params, body: { strategy: 'email_code', code: '314159' }, response: sampleSignInAnswer },
})

export const prepareSecondFactor = frontendEndpoint({
  ...common,
  id: 'prepareSecondFactor',
  method: 'POST',
  path: '/sign-ins/{id}/prepare-second-factor',
  flow: 'continues',
  summary: 'Choose the second factor, and get the challenge for a security key',
  description:
    'Codes of authenticator apps and recovery codes need no preparation. With `needs_enrolment` the user has no second factor yet, and the ' +
    'tenant requires one: `supportedSecondFactors` first names a code to a verified address (unless the first factor was such a code or ' +
    'link), then what can be set up. Preparing it sends the code, or returns `authenticator` or `publicKeyOptions`.',
  params: idParams,
  body: PrepareFactor,
  errors: [...proofErrors, 'passkey_limit_reached', 'redirect_refused'],
  example: { params, body: { strategy: 'security_key' }, response: sampleOpenSignIn },
})

export const attemptSecondFactor = frontendEndpoint({
  ...common,
  id: 'attemptSecondFactor',
  method: 'POST',
  path: '/sign-ins/{id}/attempt-second-factor',
  flow: 'continues',
  summary: 'Prove the second factor: an authenticator code, a recovery code or a security key',
  description:
    'A recovery code is sent as the code of the strategy authenticator_code; each is valid once. With `needs_enrolment` a right code of the ' +
    'new app, or the new passkey, sets up the second factor and signs the user in; the answer has the recovery codes.',
  params: idParams,
  body: AttemptFactor,
  bodyBytesMax: 64 * 1024,
  errors: [...proofErrors, 'passkey_exists', 'passkey_limit_reached'],
  example: { params, body: { strategy: 'authenticator_code', code: '271828' }, response: sampleSignInAnswer },
})
