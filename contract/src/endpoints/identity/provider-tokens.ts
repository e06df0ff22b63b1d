import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, object, plainId } from '../../schema.ts'
import { GetProviderToken, ProviderToken } from '../../shapes/identity/provider-access.ts'
import { SocialConnection } from '../../shapes/identity/sign-in-means.ts'

const tag = 'Users'
const connection = sample.socialConnection
const ofUser = { tenant: { locates: 'users', by: 'params.id' }, params: object({ id: plainId() }) } as const

export const getProviderToken = endpoint({
  id: 'getProviderToken',
  method: 'POST',
  path: '/auth/users/{id}/provider-tokens',
  tag,
  summary: 'Get an access token with which your server acts for a user at a social provider',
  description:
    'The provider has keepTokens on, and the user has allowed the access, with the scopes. The token is refreshed if it expires within a minute. `consent_required` says that the user has to allow it, or to allow it again.',
  permission: 'provider-tokens:use',
  ...ofUser,
  isRepeatable: true,
  body: GetProviderToken,
  response: ProviderToken,
  errors: [
    'not_found',
    'ambiguous_id',
    'consent_required',
    'provider_tokens_disabled',
    'provider_unusable',
    'user_not_active',
  ],
  example: {
    params: { id: sample.userId },
    body: { providerKey: 'github', scopes: ['repo'] },
    response: {
      accessToken: 'gho_16C7e42F292c6912E7710c838347Ae178B4a',
      tokenType: 'bearer',
      expiresAt: null,
      scopes: connection.access.scopes,
      providerKey: 'github',
      connectionId: connection.id,
    },
  },
})

export const listSocialConnections = endpoint({
  id: 'listSocialConnections',
  method: 'GET',
  path: '/auth/users/{id}/social-connections',
  tag,
  summary: "List a user's accounts at social providers, newest first, and the access that you keep to them",
  permission: 'users:read',
  ...ofUser,
  response: array(SocialConnection),
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { id: sample.userId }, response: [connection] },
})

export const deleteProviderAccess = endpoint({
  id: 'deleteProviderAccess',
  method: 'DELETE',
  path: '/auth/users/{userId}/social-connections/{id}/access',
  tag,
  summary: "Remove the access that you keep to a user's account at a social provider",
  description: 'The tokens are removed, and revoked at the provider if it has a way to. The account stays connected.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId(), id: plainId() }),
  response: SocialConnection,
  errors: ['not_found', 'ambiguous_id'],
  example: {
    params: { userId: sample.userId, id: connection.id },
    response: { ...connection, access: null },
  },
})
