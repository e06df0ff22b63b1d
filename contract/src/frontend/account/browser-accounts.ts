import { sample } from '../../examples.ts'
import { array, integer, object, optional, plainId } from '../../schema.ts'
import { sampleJwt, sampleOwnSession, sampleSessionUser } from '../examples.ts'
import { frontendEndpoint } from '../frontend-endpoint.ts'
import { BrowserAccount, OwnSession, TokenAnswer, idParams } from '../shapes.ts'

const tag = 'Accounts of a browser'
const params = { id: sample.session.id }
const { user } = sample.organizationMember

export const getBrowserAccounts = frontendEndpoint({
  id: 'getBrowserAccounts',
  method: 'GET',
  path: '/accounts',
  tag,
  summary: 'List the sessions that this browser holds',
  description:
    'While severalAccountsEnabled is off, and with a Bearer token, there is at most the session of this request.',
  session: 'optional',
  data: object({ accounts: array(BrowserAccount) }),
  errors: [],
  example: { response: { accounts: [{ id: params.id, current: true, user }] } },
})

export const switchBrowserAccount = frontendEndpoint({
  id: 'switchBrowserAccount',
  method: 'POST',
  path: '/accounts/{id}/switch',
  tag,
  summary: 'Make another session of this browser the active one',
  description:
    'second_factor_required: a rule asks this user for a second factor, which the session lacks. Sign in again.',
  session: 'optional',
  params: idParams,
  data: object({ session: OwnSession, ...TokenAnswer.properties }),
  errors: ['second_factor_required'],
  example: { params, response: { session: sampleOwnSession, jwt: sampleJwt, sessionUser: sampleSessionUser } },
})

export const endBrowserAccounts = frontendEndpoint({
  id: 'endBrowserAccounts',
  method: 'DELETE',
  path: '/accounts',
  tag,
  summary: 'Sign one account of this browser out, or all',
  description: 'Without id all of them. If the active one was signed out, none is active until one is chosen.',
  session: 'optional',
  query: object({ id: optional(plainId()) }),
  data: object({ ended: integer() }),
  errors: [],
  example: { query: params, response: { ended: 1 } },
})
