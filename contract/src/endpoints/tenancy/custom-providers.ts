import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, id, nullableText, object, plainId } from '../../schema.ts'
import {
  CreateCustomProvider,
  CustomProvider,
  CustomProviderCheck,
  UpdateCustomProvider,
} from '../../shapes/tenancy/custom-provider.ts'

const tag = 'Custom providers'

export const createCustomProvider = endpoint({
  id: 'createCustomProvider',
  method: 'POST',
  path: '/auth/custom-providers',
  tag,
  summary: "Add a tenant's own OpenID Connect provider",
  description:
    'Accepts every issuer that supports OpenID Connect Discovery. Its metadata are fetched when a user signs in; POST …/check fetches them at once.',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateCustomProvider,
  response: CustomProvider,
  errors: ['not_found', 'provider_taken', 'provider_limit_reached'],
  example: {
    body: {
      tenantId: sample.tenantId,
      key: 'custom-acme',
      name: 'Acme staff',
      enabled: true,
      issuer: 'https://id.acme.example',
      clientId: 'bailiwick',
      clientSecret: 'kept sealed',
    },
    response: sample.customProvider,
  },
})

export const listCustomProviders = endpoint({
  id: 'listCustomProviders',
  method: 'GET',
  path: '/auth/custom-providers',
  tag,
  summary: 'List the custom providers of a tenant, newest first',
  permission: 'config:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  response: array(CustomProvider),
  errors: ['not_found'],
  example: { query: { tenantId: sample.tenantId }, response: [sample.customProvider] },
})

const params = object({ id: plainId() })
const idExample = { params: { id: sample.customProvider.id } }

export const getCustomProvider = endpoint({
  id: 'getCustomProvider',
  method: 'GET',
  path: '/auth/custom-providers/{id}',
  tag,
  summary: 'Read a custom provider',
  permission: 'config:read',
  tenant: { locates: 'custom_providers', by: 'params.id' },
  params,
  response: CustomProvider,
  errors: ['not_found'],
  example: { ...idExample, response: sample.customProvider },
})

export const updateCustomProvider = endpoint({
  id: 'updateCustomProvider',
  method: 'PUT',
  path: '/auth/custom-providers/{id}',
  tag,
  summary: 'Change a custom provider',
  description:
    'Properties that the body leaves out stay as they are; null removes a value. A new issuer needs the client secret again, because it would be ' +
    'sent there. Connected accounts stay connected to the issuer that they came from.',
  permission: 'config:write',
  tenant: { locates: 'custom_providers', by: 'params.id' },
  params,
  body: UpdateCustomProvider,
  isBodyExact: true,
  response: CustomProvider,
  errors: ['not_found'],
  example: { ...idExample, body: { enabled: true }, response: sample.customProvider },
})

export const checkCustomProvider = endpoint({
  id: 'checkCustomProvider',
  method: 'POST',
  path: '/auth/custom-providers/{id}/check',
  tag,
  summary: 'Check the metadata of a custom provider',
  description: 'Fetches the metadata again and reports what is wrong with them, if anything.',
  permission: 'config:write',
  tenant: { locates: 'custom_providers', by: 'params.id' },
  params,
  response: CustomProviderCheck,
  errors: ['not_found'],
  example: {
    ...idExample,
    response: {
      problem: null,
      reason: null,
      authorizationEndpoint: 'https://id.acme.example/authorize',
      callbackUri: 'https://id.example/frontend/api/v0/oauth/callback/custom-acme',
    },
  },
})

export const getCustomProviderSecret = endpoint({
  id: 'getCustomProviderSecret',
  method: 'GET',
  path: '/auth/custom-providers/{id}/secret',
  tag,
  summary: 'Read the client secret of a custom provider',
  description: 'Each read is recorded as an event. null if no secret is set.',
  permission: 'admin',
  tenant: { locates: 'custom_providers', by: 'params.id' },
  params,
  response: object({ clientSecret: nullableText(), secret: nullableText({ description: 'The same' }) }),
  errors: ['not_found'],
  example: { ...idExample, response: { clientSecret: 'kept sealed', secret: 'kept sealed' } },
})

export const deleteCustomProvider = endpoint({
  id: 'deleteCustomProvider',
  method: 'DELETE',
  path: '/auth/custom-providers/{id}',
  tag,
  summary: 'Remove a custom provider',
  permission: 'config:write',
  tenant: { locates: 'custom_providers', by: 'params.id' },
  params,
  response: CustomProvider,
  errors: ['not_found'],
  example: { ...idExample, response: sample.customProvider },
})
