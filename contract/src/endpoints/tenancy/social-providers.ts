import { endpoint, metaBodyBytesMax } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, id, nullableText, object, plainId, recordBasis } from '../../schema.ts'
import {
  CreateSocialProvider,
  SocialProvider,
  SocialProviderState,
  UpdateSocialProvider,
} from '../../shapes/tenancy/social-provider.ts'

const tag = 'Social providers'

export const createSocialProvider = endpoint({
  id: 'createSocialProvider',
  method: 'POST',
  path: '/auth/social-providers',
  tag,
  summary: 'Add a social sign-in provider to a tenant',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateSocialProvider,
  bodyBytesMax: metaBodyBytesMax,
  response: SocialProvider,
  errors: ['not_found', 'provider_taken'],
  example: {
    body: {
      tenantId: sample.tenantId,
      providerKey: 'github',
      enabled: true,
      useCustomCredentials: true,
      clientId: 'Iv1.0123456789abcdef',
      clientSecret: 'kept sealed',
      additionalScopes: ['read:org'],
      authenticatable: true,
      autoConnectAccounts: false,
      config: {},
    },
    response: sample.socialProvider,
  },
})

export const updateSocialProvider = endpoint({
  id: 'updateSocialProvider',
  method: 'PUT',
  path: '/auth/social-providers/{id}',
  tag,
  summary: 'Change a social sign-in provider',
  description: 'Properties that the body leaves out stay as they are; null removes a value.',
  permission: 'config:write',
  tenant: { locates: 'social_providers', by: 'params.id' },
  params: object({ id: plainId() }),
  query: object(recordBasis),
  body: UpdateSocialProvider,
  isBodyExact: true,
  bodyBytesMax: metaBodyBytesMax,
  response: SocialProvider,
  errors: ['not_found', 'changed_meanwhile'],
  example: { params: { id: sample.providerId }, body: { enabled: true }, response: sample.socialProvider },
})

const params = object({ id: plainId() })
const idExample = { params: { id: sample.providerId } }

export const listSocialProviders = endpoint({
  id: 'listSocialProviders',
  method: 'GET',
  path: '/auth/social-providers',
  tag,
  summary: 'List the social sign-in providers of a tenant, newest first',
  permission: 'config:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  response: array(SocialProvider),
  errors: ['not_found'],
  example: { query: { tenantId: sample.tenantId }, response: [sample.socialProvider] },
})

export const listSocialProviderStates = endpoint({
  id: 'listSocialProviderStates',
  method: 'GET',
  path: '/tenants/{tenantId}/social-provider-states',
  tag,
  summary: 'List what is missing at each social sign-in provider before users can use it',
  description: 'One entry for each provider that the service knows, also for those that the tenant does not have.',
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  response: array(SocialProviderState),
  errors: ['not_found'],
  example: {
    params: { tenantId: sample.tenantId },
    response: [
      {
        providerKey: 'github',
        providerId: sample.providerId,
        state: 'ready',
        hasDeploymentClient: false,
        callbackUri: 'https://id.example/frontend/api/v0/oauth/callback/github',
      },
    ],
  },
})

export const getSocialProvider = endpoint({
  id: 'getSocialProvider',
  method: 'GET',
  path: '/auth/social-providers/{id}',
  tag,
  summary: 'Read a social sign-in provider',
  permission: 'config:read',
  tenant: { locates: 'social_providers', by: 'params.id' },
  params,
  response: SocialProvider,
  errors: ['not_found'],
  example: { ...idExample, response: sample.socialProvider },
})

export const getSocialProviderSecret = endpoint({
  id: 'getSocialProviderSecret',
  method: 'GET',
  path: '/auth/social-providers/{id}/secret',
  tag,
  summary: 'Read the client secret of a social sign-in provider',
  description: 'Each read is recorded as an event. null if no secret is set.',
  permission: 'admin',
  tenant: { locates: 'social_providers', by: 'params.id' },
  params,
  response: object({ clientSecret: nullableText(), secret: nullableText({ description: 'The same' }) }),
  errors: ['not_found'],
  example: { ...idExample, response: { clientSecret: 'kept sealed', secret: 'kept sealed' } },
})

export const deleteSocialProvider = endpoint({
  id: 'deleteSocialProvider',
  method: 'DELETE',
  path: '/auth/social-providers/{id}',
  tag,
  summary: 'Remove a social sign-in provider',
  permission: 'config:write',
  tenant: { locates: 'social_providers', by: 'params.id' },
  params,
  response: SocialProvider,
  errors: ['not_found'],
  example: { ...idExample, response: sample.socialProvider },
})
