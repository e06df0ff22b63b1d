import { sample } from '../examples.ts'
import { object, plainId, text } from '../schema.ts'
import { samplePublicTenant } from './examples.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'
import { PublicTenant } from './shapes.ts'

const tag = 'Tenant'
const data = object({ tenant: PublicTenant })
const common = {
  method: 'GET',
  tag,
  session: 'none',
  data,
  errors: [],
} as const
const response = { tenant: samplePublicTenant }

export const getPublicTenantByKey = frontendEndpoint({
  ...common,
  id: 'getPublicTenantByKey',
  path: '/tenants/pkey/{publicKey}',
  summary: 'Read the public part of a tenant by its public key',
  description:
    'For sign-in pages: the brand of the tenant, its ways to sign in, and its enabled providers. Nothing in it is secret.',
  tenant: { finds: 'params.publicKey' },
  params: object({ publicKey: text({ minLength: 1, maxLength: 128 }) }),
  example: { params: { publicKey: sample.tenant.publicKey }, response },
})

export const getPublicTenantByDomain = frontendEndpoint({
  ...common,
  id: 'getPublicTenantByDomain',
  path: '/tenants/domain/{domain}',
  summary: 'Read the public part of a tenant by one of its verified domains',
  description: 'Returns the same as by the public key. A domain that is not verified does not name a tenant.',
  tenant: { finds: 'params.domain' },
  params: object({ domain: text({ minLength: 1, maxLength: 255 }) }),
  example: { params: { domain: 'login.acme.example' }, response },
})

export const getPublicTenantById = frontendEndpoint({
  ...common,
  id: 'getPublicTenantById',
  path: '/tenants/id/{id}',
  summary: 'Read the public part of a tenant by its id',
  description: 'Returns the same as by the public key.',
  tenant: { from: 'params.id' },
  params: object({ id: plainId() }),
  example: { params: { id: sample.tenant.id }, response },
})
