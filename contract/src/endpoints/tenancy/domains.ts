import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, id, object, plainId } from '../../schema.ts'
import { CreateDomain, TenantDomain } from '../../shapes/tenancy/domain.ts'

const tag = 'Domains'
const params = object({ id: plainId() })
const idExample = { params: { id: sample.domain.id } }

export const listDomains = endpoint({
  id: 'listDomains',
  method: 'GET',
  path: '/domains',
  tag,
  summary: 'List the domains of a tenant, newest first',
  permission: 'config:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  response: array(TenantDomain),
  errors: ['not_found'],
  example: { query: { tenantId: sample.tenantId }, response: [sample.domain] },
})

export const createDomain = endpoint({
  id: 'createDomain',
  method: 'POST',
  path: '/domains',
  tag,
  summary: 'Add a domain to a tenant',
  description:
    "The domain is unverified at first; the tenant's first domain becomes the primary one. A tenant can have at most 100.",
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateDomain,
  response: TenantDomain,
  errors: ['not_found', 'domain_taken', 'domain_exists', 'domain_limit_reached'],
  example: { body: { tenantId: sample.tenantId, name: 'login.acme.example' }, response: sample.domain },
})

export const getDomain = endpoint({
  id: 'getDomain',
  method: 'GET',
  path: '/domains/{id}',
  tag,
  summary: 'Read a domain',
  permission: 'config:read',
  tenant: { locates: 'domains', by: 'params.id' },
  params,
  response: TenantDomain,
  errors: ['not_found'],
  example: { ...idExample, response: sample.domain },
})

export const verifyDomain = endpoint({
  id: 'verifyDomain',
  method: 'POST',
  path: '/domains/{id}/verify',
  tag,
  summary: 'Verify a domain by its TXT record',
  description:
    'The status is 200 whether or not the record was found: read `verified` and `verificationRecordReason`. Only one tenant can have a domain verified.',
  permission: 'config:write',
  tenant: { locates: 'domains', by: 'params.id' },
  params,
  response: TenantDomain,
  errors: ['not_found', 'domain_taken'],
  example: { ...idExample, response: { ...sample.domain, verified: true } },
})

export const makeDomainPrimary = endpoint({
  id: 'makeDomainPrimary',
  method: 'POST',
  path: '/domains/{id}/primary',
  tag,
  summary: 'Make a verified domain the primary one',
  permission: 'config:write',
  tenant: { locates: 'domains', by: 'params.id' },
  params,
  response: TenantDomain,
  errors: ['not_found', 'domain_unverified'],
  example: { ...idExample, response: { ...sample.domain, verified: true } },
})

export const deleteDomain = endpoint({
  id: 'deleteDomain',
  method: 'DELETE',
  path: '/domains/{id}',
  tag,
  summary: 'Remove a domain',
  description: 'If it was primary, the oldest verified one becomes primary, else the oldest.',
  permission: 'config:write',
  tenant: { locates: 'domains', by: 'params.id' },
  params,
  response: TenantDomain,
  errors: ['not_found'],
  example: { ...idExample, response: sample.domain },
})
