import { sample } from '../../examples.ts'
import { array, integer, object, plainId, shortListQuery, text } from '../../schema.ts'
import {
  CreateOrganizationApiKey,
  CreateOwnApiKey,
  RotateUserApiKey,
  UserApiKey,
  UserApiKeyWithKey,
} from '../../shapes/identity/user-api-key.ts'
import { frontendEndpoint, listExample, listOf } from '../frontend-endpoint.ts'
import { idParams } from '../shapes.ts'

const common = { tag: 'Own API keys', session: 'required' } as const
const { userApiKey, userApiKeyWithKey } = sample
const params = { id: userApiKey.id }
const fresh = 'Needs a session that began with a sign-in at most ten minutes ago.'
const creation = ['reauthentication_required', 'user_api_key_limit_reached', 'user_api_keys_disabled'] as const
const body = { name: userApiKey.name, scopes: userApiKey.scopes }
const offered = {
  offer: object({
    scopes: array(text(), { description: 'The scopes that the user can give to a key' }),
    daysMax: integer({ description: 'After how many days a new key expires at the latest; 0 if it need not expire' }),
  }),
}
const offerExample = { offer: { scopes: userApiKey.scopes, daysMax: 365 } }

export const listOwnApiKeys = frontendEndpoint({
  ...common,
  id: 'listOwnApiKeys',
  method: 'GET',
  path: '/user/api-keys',
  summary: "List the user's own API keys, newest first",
  description: 'Includes keys that have expired, and those with which the user acts in an organization.',
  query: shortListQuery,
  data: object({ ...listOf('apiKeys', UserApiKey).properties, ...offered }),
  errors: ['user_api_keys_disabled'],
  example: { response: { ...listExample('apiKeys', userApiKey), ...offerExample } },
})

export const createOwnApiKey = frontendEndpoint({
  ...common,
  id: 'createOwnApiKey',
  method: 'POST',
  path: '/user/api-keys',
  summary: 'Create an API key',
  description: `${fresh} Only this response shows the key. It can get those scopes that the user has as permissions.`,
  body: CreateOwnApiKey,
  data: object({ apiKey: UserApiKeyWithKey }),
  errors: [...creation, 'second_factor_required'],
  example: { body, response: { apiKey: userApiKeyWithKey } },
})

export const rotateOwnApiKey = frontendEndpoint({
  ...common,
  id: 'rotateOwnApiKey',
  method: 'POST',
  path: '/user/api-keys/{id}/rotate',
  summary: 'Replace an API key with a new one of the same name and scopes',
  description: `${fresh} The previous key ends at once.`,
  params: idParams,
  body: RotateUserApiKey,
  data: object({ apiKey: UserApiKeyWithKey }),
  errors: ['reauthentication_required', 'user_api_keys_disabled'],
  example: { params, body: {}, response: { apiKey: userApiKeyWithKey } },
})

export const deleteOwnApiKey = frontendEndpoint({
  ...common,
  id: 'deleteOwnApiKey',
  method: 'DELETE',
  path: '/user/api-keys/{id}',
  summary: 'End an API key',
  description: 'It is not valid from then on, within a second on every node.',
  params: idParams,
  data: object({ apiKey: UserApiKey }),
  errors: [],
  example: { params, response: { apiKey: userApiKey } },
})

const manage = 'Needs the permission org:api-keys:manage in the organization.'
const organizationId = sample.organization.id
const ofOrganization = { ...userApiKey, userId: null, organizationId }
const keyParams = object({
  id: plainId({ description: 'The id of the organization' }),
  keyId: plainId({ description: 'The id of the key' }),
})
const keyExample = { id: organizationId, keyId: userApiKey.id }
const acting = ['reauthentication_required', 'second_factor_required'] as const

export const listOwnOrganizationApiKeys = frontendEndpoint({
  ...common,
  id: 'listOwnOrganizationApiKeys',
  method: 'GET',
  path: '/user/organizations/{id}/api-keys',
  summary: 'List the API keys of an organization, newest first',
  description: manage,
  params: idParams,
  query: shortListQuery,
  data: object({ ...listOf('apiKeys', UserApiKey).properties, ...offered }),
  errors: [...acting, 'user_api_keys_disabled'],
  example: {
    params: { id: organizationId },
    response: { ...listExample('apiKeys', ofOrganization), ...offerExample },
  },
})

export const createOwnOrganizationApiKey = frontendEndpoint({
  ...common,
  id: 'createOwnOrganizationApiKey',
  method: 'POST',
  path: '/user/organizations/{id}/api-keys',
  summary: 'Create an API key of an organization',
  description: `${manage} ${fresh} The key belongs to the organization: it remains when its creator leaves.`,
  params: idParams,
  body: CreateOrganizationApiKey,
  data: object({ apiKey: UserApiKeyWithKey }),
  errors: [...creation, 'second_factor_required'],
  example: {
    params: { id: organizationId },
    body,
    response: { apiKey: { ...userApiKeyWithKey, ...ofOrganization } },
  },
})

export const rotateOwnOrganizationApiKey = frontendEndpoint({
  ...common,
  id: 'rotateOwnOrganizationApiKey',
  method: 'POST',
  path: '/user/organizations/{id}/api-keys/{keyId}/rotate',
  summary: 'Replace an API key of an organization with a new one of the same name and scopes',
  description: `${manage} ${fresh} The previous key ends at once.`,
  params: keyParams,
  body: RotateUserApiKey,
  data: object({ apiKey: UserApiKeyWithKey }),
  errors: [...acting, 'user_api_keys_disabled'],
  example: { params: keyExample, body: {}, response: { apiKey: { ...userApiKeyWithKey, ...ofOrganization } } },
})

export const deleteOwnOrganizationApiKey = frontendEndpoint({
  ...common,
  id: 'deleteOwnOrganizationApiKey',
  method: 'DELETE',
  path: '/user/organizations/{id}/api-keys/{keyId}',
  summary: 'End an API key of an organization',
  description: manage,
  params: keyParams,
  data: object({ apiKey: UserApiKey }),
  errors: acting,
  example: { params: keyExample, response: { apiKey: ofOrganization } },
})
