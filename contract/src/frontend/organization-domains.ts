import { sample } from '../examples.ts'
import { object, plainId, shortListQuery, text } from '../schema.ts'
import { CreateOrganizationDomain, OrganizationDomain } from '../shapes/identity/organization.ts'
import { frontendEndpoint, listExample, listOf } from './frontend-endpoint.ts'
import { OrganizationSuggestion } from './organization-shapes.ts'
import { idParams } from './shapes.ts'

const domainParams = object({ id: plainId(), domainId: plainId() })
const sampleDomain = sample.organizationDomain
const params = { id: sample.organization.id }
const domainExample = { params: { ...params, domainId: sampleDomain.id } }
const example = { ...domainExample, response: { domain: sampleDomain } }

const common = { tag: 'Domains of own organizations', session: 'required' } as const
const ofDomain = { ...common, data: object({ domain: OrganizationDomain }) } as const

export const listOrganizationDomains = frontendEndpoint({
  ...common,
  id: 'listOrganizationDomains',
  method: 'GET',
  path: '/user/organizations/{id}/domains',
  summary: 'List the domains of an organization, newest first',
  description:
    'Like all operations on domains, this requires the permission org:domains:manage, and a tenant that lets organizations have domains.',
  params: idParams,
  query: shortListQuery,
  data: listOf('domains', OrganizationDomain),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params, response: listExample('domains', sampleDomain) },
})

export const createOrganizationDomain = frontendEndpoint({
  ...ofDomain,
  id: 'createOrganizationDomain',
  method: 'POST',
  path: '/user/organizations/{id}/domains',
  summary: 'Add a domain to an organization; it has no effect until it is verified',
  description:
    'An organization can have at most 20. Refuses public e-mail domains, such as gmail.com, and public suffixes, such as co.uk.',
  params: idParams,
  body: CreateOrganizationDomain,
  errors: ['domain_exists', 'domain_limit_reached', 'reauthentication_required', 'second_factor_required'],
  example: { params, body: { name: 'acme.example' }, response: { domain: sampleDomain } },
})

export const getOrganizationDomain = frontendEndpoint({
  ...ofDomain,
  id: 'getOrganizationDomain',
  method: 'GET',
  path: '/user/organizations/{id}/domains/{domainId}',
  summary: 'Read a domain of an organization',
  description:
    'Includes the DNS record that verifies the domain, and why the last verification failed. Requires the permission org:domains:manage.',
  params: domainParams,
  errors: ['reauthentication_required', 'second_factor_required'],
  example,
})

export const verifyOrganizationDomain = frontendEndpoint({
  ...ofDomain,
  id: 'verifyOrganizationDomain',
  method: 'POST',
  path: '/user/organizations/{id}/domains/{domainId}/verify',
  summary: 'Verify a domain by its TXT record',
  description:
    'The status is 200 whether or not the record was found: read `verified` and `verificationRecordReason`. Only one organization of a tenant can have a domain verified.',
  params: domainParams,
  errors: ['domain_taken', 'reauthentication_required', 'second_factor_required', 'too_many_attempts'],
  example: { ...domainExample, response: { domain: { ...sampleDomain, verified: true } } },
})

export const deleteOrganizationDomain = frontendEndpoint({
  ...ofDomain,
  id: 'deleteOrganizationDomain',
  method: 'DELETE',
  path: '/user/organizations/{id}/domains/{domainId}',
  summary: 'Remove a domain; it then no longer invites users',
  description: 'Members remain members. Needs the permission org:domains:manage.',
  params: domainParams,
  errors: ['reauthentication_required', 'second_factor_required'],
  example,
})

export const listOrganizationSuggestions = frontendEndpoint({
  ...common,
  id: 'listOrganizationSuggestions',
  method: 'GET',
  path: '/user/organizations/suggestions',
  summary: "List the organizations that the user could join, by the domains of the user's verified e-mail addresses",
  description:
    'Lists organizations that have verified such a domain and of which the user is not a member, if the tenant suggests organizations. A suggestion gives no permission: the user still needs an invitation.',
  query: shortListQuery,
  data: listOf('suggestions', OrganizationSuggestion),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: {
    response: listExample('suggestions', {
      organizationId: sample.organization.id,
      name: sample.organization.name,
      slug: sample.organization.slug,
      imageUri: null,
      domain: 'acme.example',
    }),
  },
})

export const requestInvitation = frontendEndpoint({
  ...common,
  id: 'requestInvitation',
  method: 'POST',
  path: '/user/organizations/suggestions/{id}/invitation',
  summary: 'Request an invitation to a suggested organization',
  description:
    'Sends the same invitation that a new user with such an address gets, to the verified address. Works only if the tenant suggests organizations and invites users by their domains. The user becomes a member only with the link in the message.',
  params: idParams,
  data: object({ email: text({ description: 'The e-mail address to which the invitation is sent' }) }),
  errors: ['invitation_exists', 'membership_limit_reached', 'too_many_attempts'],
  example: { params, response: { email: 'grace@acme.example' } },
})
