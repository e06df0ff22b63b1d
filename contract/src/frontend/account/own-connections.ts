import { sample } from '../../examples.ts'
import { object, optional, shortListQuery, text } from '../../schema.ts'
import { SocialConnection } from '../../shapes/identity/sign-in-means.ts'
import { ConfirmOwnConnection, CreateOwnConnection } from '../flow-shapes.ts'
import { frontendEndpoint, listExample, listOf, upgradeErrorCodes } from '../frontend-endpoint.ts'
import { idParams, rotated } from '../shapes.ts'

const tag = 'Own connections'
const connection = sample.socialConnection

export const listOwnConnections = frontendEndpoint({
  id: 'listOwnConnections',
  method: 'GET',
  path: '/user/connections',
  tag,
  summary: 'List the accounts at social providers with which the user can sign in',
  description: 'Lists the newest first, with the e-mail address that the provider sent last.',
  session: 'required',
  query: shortListQuery,
  data: listOf('connections', SocialConnection),
  errors: [],
  example: { response: listExample('connections', connection) },
})

export const createOwnConnection = frontendEndpoint({
  id: 'createOwnConnection',
  method: 'POST',
  path: '/user/connections',
  flow: 'begins',
  tag,
  summary: 'Begin to connect an account at a social provider',
  description:
    'The browser must go to authorizeUri next, and returns to redirectUri. Needs a session that began at most ten minutes ago.',
  session: 'required',
  body: CreateOwnConnection,
  data: object({
    authorizeUri: text(),
    flowToken: optional(text({ description: 'Only with `x-session-transport: body`' })),
  }),
  errors: [
    'provider_tokens_disabled',
    'provider_unusable',
    'reauthentication_required',
    'redirect_refused',
    'strategy_unavailable',
  ],
  example: {
    body: { providerKey: 'github', redirectUri: 'https://app.acme.example/account' },
    response: { authorizeUri: 'https://github.com/login/oauth/authorize?client_id=Iv1.0123456789abcdef' },
  },
})

export const confirmOwnConnection = frontendEndpoint({
  id: 'confirmOwnConnection',
  method: 'POST',
  path: '/user/connections/confirm',
  flow: 'continues',
  tag,
  summary: 'Connect the account with the ticket that an app received',
  description: 'Only with `x-session-transport: body`; otherwise the callback of the provider connects it.',
  session: 'required',
  body: ConfirmOwnConnection,
  data: object({ connection: SocialConnection, ...rotated }),
  errors: [...upgradeErrorCodes, 'connection_taken', 'oauth_state_invalid', 'strategy_unavailable'],
  example: { body: { code: 'ot_…' }, response: { connection } },
})

export const deleteOwnConnection = frontendEndpoint({
  id: 'deleteOwnConnection',
  method: 'DELETE',
  path: '/user/connections/{id}',
  tag,
  summary: 'Disconnect an account, unless it is the last way to sign in',
  description:
    'Needs a session that began at most ten minutes ago. Refused with `last_way_in` if the user could no longer sign in.',
  session: 'required',
  params: idParams,
  data: object({ connection: SocialConnection, ...rotated }),
  errors: ['last_way_in', 'reauthentication_required'],
  example: { params: { id: connection.id }, response: { connection } },
})

export const deleteOwnConnectionAccess = frontendEndpoint({
  id: 'deleteOwnConnectionAccess',
  method: 'DELETE',
  path: '/user/connections/{id}/access',
  tag,
  summary: 'Withdraw the access to an account that the tenant keeps',
  description: 'The tokens are removed, and revoked at the provider if it has a way to. The account stays connected.',
  session: 'required',
  params: idParams,
  data: object({ connection: SocialConnection }),
  errors: [],
  example: { params: { id: connection.id }, response: { connection: { ...connection, access: null } } },
})
