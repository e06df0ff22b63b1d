import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, integer, object, optional, page, pageQuery, plainId } from '../../schema.ts'
import {
  CreateResource,
  OAuthSettings,
  RegistrationToken,
  Resource,
  UpdateOAuthSettings,
  UpdateResource,
} from '../../shapes/application.ts'

const tag = 'Applications'

export const createResource = endpoint({
  id: 'createResource',
  method: 'POST',
  path: '/auth/resources',
  tag,
  summary: 'Create a resource that applications can call with their tokens',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateResource,
  response: Resource,
  errors: ['not_found', 'resource_indicator_taken', 'resource_limit_reached'],
  example: {
    body: {
      tenantId: sample.tenantId,
      indicator: 'https://api.acme.example',
      name: 'Acme API',
      scopes: [{ name: 'reports:read', description: 'Read your reports' }],
    },
    response: sample.resource,
  },
})

export const listResources = endpoint({
  id: 'listResources',
  method: 'GET',
  path: '/tenants/{tenantId}/auth/resources',
  tag,
  summary: 'List the resources of a tenant',
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(Resource),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.resource) },
})

const params = object({ id: plainId() })
const idExample = { params: { id: sample.resource.id } }
const tenant = { locates: 'resources', by: 'params.id' } as const

export const getResource = endpoint({
  id: 'getResource',
  method: 'GET',
  path: '/auth/resources/{id}',
  tag,
  summary: 'Read a resource',
  permission: 'config:read',
  tenant,
  params,
  response: Resource,
  errors: ['not_found'],
  example: { ...idExample, response: sample.resource },
})

export const updateResource = endpoint({
  id: 'updateResource',
  method: 'PUT',
  path: '/auth/resources/{id}',
  tag,
  summary: 'Change a resource',
  description:
    'Properties that the body leaves out stay as they are; null removes a value. The indicator cannot be changed.',
  permission: 'config:write',
  tenant,
  params,
  body: UpdateResource,
  isBodyExact: true,
  response: Resource,
  errors: ['not_found'],
  example: { ...idExample, body: { accessTokenTtl: 600 }, response: sample.resource },
})

export const deleteResource = endpoint({
  id: 'deleteResource',
  method: 'DELETE',
  path: '/auth/resources/{id}',
  tag,
  summary: 'Delete a resource',
  permission: 'config:write',
  tenant,
  params,
  response: Resource,
  errors: ['not_found', 'resource_in_use'],
  example: { ...idExample, response: sample.resource },
})

const tenantParams = object({ id: id() })
const tenantExample = { params: { id: sample.tenantId } }

export const getOAuthSettings = endpoint({
  id: 'getOAuthSettings',
  method: 'GET',
  path: '/auth/tenants/{id}/oauth',
  tag,
  summary: "Read the settings of a tenant's authorization server",
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params: tenantParams,
  response: OAuthSettings,
  errors: ['not_found'],
  example: { ...tenantExample, response: sample.oauthSettings },
})

export const putOAuthSettings = endpoint({
  id: 'putOAuthSettings',
  method: 'PUT',
  path: '/auth/tenants/{id}/oauth',
  tag,
  summary: "Change the settings of a tenant's authorization server",
  description: 'Properties that the body leaves out stay as they are; null removes a value.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params: tenantParams,
  body: UpdateOAuthSettings,
  response: OAuthSettings,
  errors: ['not_found'],
  example: { ...tenantExample, body: { accessTokenTtl: 900 }, response: sample.oauthSettings },
})

export const createRegistrationToken = endpoint({
  id: 'createRegistrationToken',
  method: 'POST',
  path: '/auth/tenants/{id}/oauth/registration-token',
  tag,
  summary: 'Create the initial access token with which clients register themselves',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params: tenantParams,
  body: object({
    ttlSeconds: optional(
      integer({
        minimum: 60,
        maximum: 2_592_000,
        description: 'How long the token is valid, in seconds. Default: 86400',
      }),
    ),
  }),
  isBodyOptional: true,
  response: RegistrationToken,
  errors: ['not_found'],
  example: {
    ...tenantExample,
    body: { ttlSeconds: 3600 },
    response: {
      token: 'ri_3oQm7XfTz1KcV9rB5nYd2LhWg8JpSt6Eu0AaCiRkMvZb4xN1x7Qa',
      expiresAt: '2026-11-22T22:49:43.018032Z',
    },
  },
})
