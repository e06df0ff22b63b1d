import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, object, page, pageQuery } from '../../schema.ts'
import { ApiKey, ApiKeyWithKey, CreateApiKey } from '../../shapes/tenancy/keys.ts'

const tag = 'API keys'

export const createApiKey = endpoint({
  id: 'createApiKey',
  method: 'POST',
  path: '/api-keys',
  tag,
  summary: 'Create an API key with some of the rights of the tenant',
  description:
    'Only this response shows the key. Callers can give a key only scopes that they have themselves, and a key cannot create another one that expires later than itself. A tenant can have at most 100.',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateApiKey,
  response: ApiKeyWithKey,
  errors: ['not_found', 'api_key_limit_reached'],
  example: {
    body: { tenantId: sample.tenantId, name: sample.apiKey.name, scopes: sample.apiKey.scopes },
    response: sample.apiKeyWithKey,
  },
})

export const listApiKeys = endpoint({
  id: 'listApiKeys',
  method: 'GET',
  path: '/tenants/{tenantId}/api-keys',
  tag,
  summary: "List a tenant's API keys, newest first",
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(ApiKey),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.apiKey) },
})

export const deleteApiKey = endpoint({
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/api-keys/{id}',
  tag,
  summary: 'Delete an API key; requests with it are refused from then on',
  permission: 'config:write',
  tenant: { locates: 'api_keys', by: 'params.id' },
  params: object({ id: id() }),
  response: ApiKey,
  errors: ['not_found'],
  example: { params: { id: sample.apiKey.id }, response: sample.apiKey },
})
