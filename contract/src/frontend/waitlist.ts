import { sample } from '../examples.ts'
import { boolean, object, text } from '../schema.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'

export const joinWaitlist = frontendEndpoint({
  id: 'joinWaitlist',
  method: 'POST',
  path: '/waitlist',
  tag: 'Sign-up',
  summary: 'Join the waiting list of a tenant',
  description:
    'For tenants whose sign-up is off and that have a waiting list. The response is the same whether or not the address is known. Nothing is sent before an administrator approves it.',
  session: 'none',
  body: object({ email: text({ format: 'email' }) }),
  data: object({ joined: boolean() }),
  errors: ['challenge_required', 'email_not_allowed', 'too_many_attempts', 'waitlist_closed'],
  example: { body: { email: sample.email }, response: { joined: true } },
})
