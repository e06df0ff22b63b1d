import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, object, plainId } from '../../schema.ts'
import { CreateOrganizationDomain, OrganizationDomain } from '../../shapes/identity/organization.ts'

const tag = 'Organizations'
const ofOrganization = object({ organizationId: plainId() })
const params = object({ organizationId: plainId(), id: plainId() })
const organizationExample = { params: { organizationId: sample.organizationId } }
const example = {
  params: { organizationId: sample.organizationId, id: sample.organizationDomain.id },
  response: sample.organizationDomain,
}

export const listDomainsOfOrganization = endpoint({
  id: 'listDomainsOfOrganization',
  method: 'GET',
  path: '/auth/organizations/{organizationId}/domains',
  tag,
  summary: 'List the domains of an organization, newest first',
  permission: 'organizations:read',
  tenant: { locates: 'organizations', by: 'params.organizationId' },
  params: ofOrganization,
  response: array(OrganizationDomain),
  errors: ['not_found'],
  example: { ...organizationExample, response: [sample.organizationDomain] },
})

export const createDomainOfOrganization = endpoint({
  id: 'createDomainOfOrganization',
  method: 'POST',
  path: '/auth/organizations/{organizationId}/domains',
  tag,
  summary: 'Add a domain to an organization; it has no effect until it is verified',
  description:
    'An organization can have at most 20 domains. This works even if the tenant does not let organizations manage their domains themselves. Refuses public e-mail domains, such as gmail.com, and public suffixes, such as co.uk.',
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'params.organizationId' },
  params: ofOrganization,
  body: CreateOrganizationDomain,
  response: OrganizationDomain,
  errors: ['not_found', 'domain_exists', 'domain_limit_reached'],
  example: { ...organizationExample, body: { name: 'acme.example' }, response: sample.organizationDomain },
})

export const verifyDomainOfOrganization = endpoint({
  id: 'verifyDomainOfOrganization',
  method: 'POST',
  path: '/auth/organizations/{organizationId}/domains/{id}/verify',
  tag,
  summary: 'Mark a domain of an organization as verified without a TXT record',
  description:
    'Does not query the DNS. Only one organization of a tenant can have a domain verified; verifying it again changes nothing.',
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'params.organizationId' },
  params,
  response: OrganizationDomain,
  errors: ['not_found', 'domain_taken'],
  example: { ...example, response: { ...sample.organizationDomain, verified: true } },
})

export const checkDomainOfOrganization = endpoint({
  id: 'checkDomainOfOrganization',
  method: 'POST',
  path: '/auth/organizations/{organizationId}/domains/{id}/check',
  tag,
  summary: 'Look up the TXT record of a domain of an organization',
  description:
    'Verifies the domain if the record is there; otherwise `verificationRecordReason` says what is missing. A domain that the tenant has marked as verified stays verified.',
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'params.organizationId' },
  params,
  response: OrganizationDomain,
  errors: ['not_found', 'domain_taken', 'too_many_attempts'],
  example,
})

export const deleteDomainOfOrganization = endpoint({
  id: 'deleteDomainOfOrganization',
  method: 'DELETE',
  path: '/auth/organizations/{organizationId}/domains/{id}',
  tag,
  summary: 'Remove a domain of an organization; it then no longer invites users',
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'params.organizationId' },
  params,
  response: OrganizationDomain,
  errors: ['not_found'],
  example,
})
