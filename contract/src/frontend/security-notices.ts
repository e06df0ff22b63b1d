import { boolean, object, text } from '../schema.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'

export const reportSecurityNotice = frontendEndpoint({
  id: 'reportSecurityNotice',
  method: 'POST',
  path: '/security-notices/report',
  tag: 'Security notices',
  summary: 'Say, with the token of a security notice, that it was somebody else',
  description:
    'All sessions, trusted devices and authorizations of applications end, the password is removed, and so is what was added to the account ' +
    'since the notice: passkeys, authenticator apps, addresses, numbers and connected accounts. The user then resets the password. ' +
    'A token works once, for seven days.',
  session: 'none',
  body: object({ token: text({ minLength: 1, maxLength: 100 }) }),
  data: object({ secured: boolean() }),
  errors: ['attempt_not_open'],
  example: {
    body: { token: 'sn_7Jx2vQm9TtR4bYk8sWc1nZp6LdHf3GaUe5Xo0BiVKyM' },
    response: { secured: true },
  },
})
