import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, integer, object, optional, page, pageQuery, plainId } from '../../schema.ts'
import {
  Application,
  ApplicationSecret,
  ApplicationWithSecret,
  CreateApplication,
  Grant,
  UpdateApplication,
} from '../../shapes/application.ts'

const tag = 'Applications'
const bodyBytesMax = 256 * 1024

export const createApplication = endpoint({
  id: 'createApplication',
  method: 'POST',
  path: '/auth/applications',
  tag,
  summary: 'Register an application that signs users in through the tenant, or calls resources for itself',
  description: 'Only this response contains the secret.',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateApplication,
  bodyBytesMax,
  response: ApplicationWithSecret,
  errors: ['not_found', 'application_limit_reached'],
  example: {
    body: {
      tenantId: sample.tenantId,
      name: 'Acme Reports',
      type: 'web',
      redirectUris: ['https://reports.acme.example/callback'],
    },
    response: { ...sample.application, clientSecret: 'as_3oQm7XfTz1KcV9rB5nYd2LhWg8JpSt6Eu0AaCiRkMvZb4xN1x7Qa' },
  },
})

export const listApplications = endpoint({
  id: 'listApplications',
  method: 'GET',
  path: '/tenants/{tenantId}/auth/applications',
  tag,
  summary: 'List the applications of a tenant',
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(Application),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.application) },
})

const params = object({ id: plainId() })
const idExample = { params: { id: sample.application.id } }
const tenant = { locates: 'applications', by: 'params.id' } as const

export const getApplication = endpoint({
  id: 'getApplication',
  method: 'GET',
  path: '/auth/applications/{id}',
  tag,
  summary: 'Read an application',
  permission: 'config:read',
  tenant,
  params,
  response: Application,
  errors: ['not_found'],
  example: { ...idExample, response: sample.application },
})

export const updateApplication = endpoint({
  id: 'updateApplication',
  method: 'PUT',
  path: '/auth/applications/{id}',
  tag,
  summary: 'Change an application',
  description:
    'Properties that the body leaves out stay as they are; null removes a value. The type cannot be changed.',
  permission: 'config:write',
  tenant,
  params,
  body: UpdateApplication,
  isBodyExact: true,
  bodyBytesMax,
  response: Application,
  errors: ['not_found'],
  example: { ...idExample, body: { requireConsent: false }, response: sample.application },
})

export const deleteApplication = endpoint({
  id: 'deleteApplication',
  method: 'DELETE',
  path: '/auth/applications/{id}',
  tag,
  summary: 'Delete an application with its secrets, grants and tokens',
  permission: 'config:write',
  tenant,
  params,
  response: Application,
  errors: ['not_found'],
  example: { ...idExample, response: sample.application },
})

export const rotateApplicationSecret = endpoint({
  id: 'rotateApplicationSecret',
  method: 'POST',
  path: '/auth/applications/{id}/rotate-secret',
  tag,
  summary: 'Give an application a new secret',
  description:
    'The previous secret works for another graceSeconds; older ones stop working at once, so that at most two are valid. The caller must have every scope that the application has at the management interface.',
  permission: 'config:write',
  tenant,
  params,
  body: object({
    graceSeconds: optional(
      integer({
        minimum: 0,
        maximum: 604_800,
        description: 'How long the previous secret works, in seconds. Default: 86400. 0 ends it at once',
      }),
    ),
  }),
  isBodyOptional: true,
  response: ApplicationWithSecret,
  errors: ['not_found', 'application_without_secret'],
  example: {
    ...idExample,
    body: { graceSeconds: 3600 },
    response: { ...sample.application, clientSecret: 'as_3oQm7XfTz1KcV9rB5nYd2LhWg8JpSt6Eu0AaCiRkMvZb4xN1x7Qa' },
  },
})

export const deleteApplicationSecret = endpoint({
  id: 'deleteApplicationSecret',
  method: 'DELETE',
  path: '/auth/applications/{id}/secrets/{secretId}',
  tag,
  summary: 'Revoke a secret of an application at once',
  permission: 'config:write',
  tenant,
  params: object({ id: plainId(), secretId: plainId() }),
  response: ApplicationSecret,
  errors: ['not_found'],
  example: {
    params: { ...idExample.params, secretId: sample.application.secrets[0]?.id },
    response: sample.application.secrets[0],
  },
})

export const listApplicationGrants = endpoint({
  id: 'listApplicationGrants',
  method: 'GET',
  path: '/auth/applications/{id}/grants',
  tag,
  summary: 'List what users have allowed an application',
  description: '`meta.total` counts 1,000 rows at most; if there are more, it is 1,001.',
  permission: 'users:read',
  tenant,
  params,
  query: pageQuery,
  response: page(Grant),
  errors: ['not_found'],
  example: { ...idExample, response: pageOf(sample.grant) },
})

export const listUserGrants = endpoint({
  id: 'listUserGrants',
  method: 'GET',
  path: '/auth/users/{userId}/grants',
  tag,
  summary: 'List what a user has allowed applications',
  description: '`meta.total` counts 1,000 rows at most; if there are more, it is 1,001.',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId() }),
  query: pageQuery,
  response: page(Grant),
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { userId: sample.userId }, response: pageOf(sample.grant) },
})

export const deleteGrant = endpoint({
  id: 'deleteGrant',
  method: 'DELETE',
  path: '/auth/grants/{id}',
  tag,
  summary: 'Revoke the access of an application to the account of a user',
  description: 'Its refresh tokens and opaque access tokens end at once. A JWT remains valid until it expires.',
  permission: 'users:write',
  tenant: { locates: 'grants', by: 'params.id' },
  params,
  response: Grant,
  errors: ['not_found'],
  example: { params: { id: sample.grant.id }, response: sample.grant },
})
