import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, boolean, object, plainId } from '../../schema.ts'
import {
  AuthorizeUserApiKey,
  CreateUserApiKey,
  ReportUserApiKey,
  UserApiKey,
  UserApiKeyCheck,
  UserApiKeyWithKey,
  VerifyUserApiKey,
} from '../../shapes/identity/user-api-key.ts'

const tag = 'API keys of users'
const { tenantId, userApiKey, userApiKeyWithKey } = sample
const { key } = userApiKeyWithKey

const check = {
  valid: true,
  reason: null,
  keyId: userApiKey.id,
  name: userApiKey.name,
  userId: sample.userId,
  organizationId: null,
  scopes: userApiKey.scopes,
  expiresAt: userApiKey.expiresAt,
}

export const createUserApiKey = endpoint({
  id: 'createUserApiKey',
  method: 'POST',
  path: '/auth/user-api-keys',
  tag,
  summary: 'Create a key of a user or of an organization, for your own API',
  description:
    'Only this response shows the key. Your servers check it with POST /auth/api-keys/verify; the management interface refuses it. A user can be given only scopes that the user has as permissions. A key that is created while userApiKeysEnabled is off is valid once it is on.',
  permission: 'users:write',
  tenant: { from: 'body.tenantId' },
  body: CreateUserApiKey,
  response: UserApiKeyWithKey,
  errors: ['not_found', 'user_api_key_limit_reached'],
  example: {
    body: { tenantId, userId: sample.userId, name: userApiKey.name, scopes: userApiKey.scopes },
    response: userApiKeyWithKey,
  },
})

export const listUserApiKeys = endpoint({
  id: 'listUserApiKeys',
  method: 'GET',
  path: '/auth/users/{id}/api-keys',
  tag,
  summary: "List a user's own keys, newest first",
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.id' },
  params: object({ id: plainId() }),
  response: array(UserApiKey),
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { id: sample.userId }, response: [userApiKey] },
})

export const listOrganizationApiKeys = endpoint({
  id: 'listOrganizationApiKeys',
  method: 'GET',
  path: '/auth/organizations/{id}/api-keys',
  tag,
  summary: 'List the keys of an organization, newest first',
  description: 'Keys with which users act in it are in the lists of these users.',
  permission: 'organizations:read',
  tenant: { locates: 'organizations', by: 'params.id' },
  params: object({ id: plainId() }),
  response: array(UserApiKey),
  errors: ['not_found', 'ambiguous_id'],
  example: {
    params: { id: sample.organization.id },
    response: [{ ...userApiKey, userId: null, organizationId: sample.organization.id }],
  },
})

export const deleteUserApiKey = endpoint({
  id: 'deleteUserApiKey',
  method: 'DELETE',
  path: '/auth/user-api-keys/{id}',
  tag,
  summary: 'End a key of a user or of an organization',
  permission: 'users:write',
  tenant: { locates: 'user_api_keys', by: 'params.id' },
  params: object({ id: plainId() }),
  response: UserApiKey,
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { id: userApiKey.id }, response: userApiKey },
})

export const verifyUserApiKey = endpoint({
  id: 'verifyUserApiKey',
  method: 'POST',
  path: '/auth/api-keys/verify',
  tag,
  summary: 'Check a key that a caller of your API has sent',
  description:
    'A key that was ended is not valid from then on, within a second on every node. The scopes are those that the key has at this moment: what its owner may no longer do, it cannot do either.',
  permission: 'users:read',
  tenant: { from: 'body.tenantId' },
  body: VerifyUserApiKey,
  response: UserApiKeyCheck,
  errors: ['not_found'],
  example: {
    body: { tenantId, key, requiredScopes: userApiKey.scopes },
    response: check,
  },
})

export const authorizeUserApiKey = endpoint({
  id: 'authorizeUserApiKey',
  method: 'GET',
  path: '/auth/api-keys/authorize',
  tag,
  summary: 'Let a gateway ask whether the caller of your API has a valid key',
  description:
    'For auth_request of nginx, forward_auth of Caddy and ForwardAuth of Traefik, which look at the status: 200 for a valid key with the required scopes and for nothing else, 401 for any other key or none, 403 for one that lacks a scope. The gateway authenticates as itself and sends the key in `x-api-key`.',
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: AuthorizeUserApiKey,
  requestHeaders: { 'x-api-key': 'The key as the caller of your API sent it, also after `Bearer`' },
  response: UserApiKeyCheck,
  headers: {
    'x-auth-key-id': 'The id of the key',
    'x-auth-user-id': 'The user; absent for the key of an organization',
    'x-auth-organization-id': 'The organization whose key it is, or in which the user acts; absent without one',
    'x-auth-scopes': '`scopes`, with a space between them; absent without any, and if they are longer than 2,048 bytes',
  },
  errors: ['not_found', 'api_key_refused', 'scopes_missing'],
  example: { query: { tenantId, requiredScopes: 'reports:read' }, response: check },
})

export const reportUserApiKey = endpoint({
  id: 'reportUserApiKey',
  method: 'POST',
  path: '/auth/api-keys/report',
  tag,
  summary: 'End a key that has leaked, and tell its owner by e-mail',
  description: 'For scanners of secrets. `ended` is false if there is no such key, or no longer.',
  permission: 'users:write',
  tenant: { from: 'body.tenantId' },
  body: ReportUserApiKey,
  response: object({ ended: boolean() }),
  errors: ['not_found'],
  example: {
    body: { tenantId, key, foundAt: 'https://github.com/acme/example/blob/main/.env' },
    response: { ended: true },
  },
})
