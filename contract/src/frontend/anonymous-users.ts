import { object } from '../schema.ts'
import { sampleJwt, sampleOwnSession, sampleProfile, sampleSessionUser } from './examples.ts'
import { SignedIn } from './flow-shapes.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'

const anonymous = { ...sampleProfile, name: null, username: null, emails: [], hasPassword: false, isAnonymous: true }

export const createAnonymousUser = frontendEndpoint({
  id: 'createAnonymousUser',
  method: 'POST',
  path: '/anonymous-users',
  isBodyOptional: true,
  tag: 'Sign-up',
  summary: 'Begin as an anonymous user',
  description:
    'Creates a user without an address, and a session. The user keeps its id when it signs up in this session, or adds an address, a passkey, a ' +
    'social account, or a username and a password. Callers without cookies send `x-session-transport: body`: the response then has a `sessionToken`.',
  session: 'optional',
  body: object({}),
  data: SignedIn,
  errors: [
    'already_signed_in',
    'challenge_required',
    'hook_denied',
    'sign_up_denied',
    'sign_up_disabled',
    'too_many_attempts',
  ],
  example: {
    body: {},
    response: {
      session: sampleOwnSession,
      sessionUser: { ...sampleSessionUser, ...anonymous },
      jwt: sampleJwt,
    },
  },
})
