import { endpoint, metaBodyBytesMax } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import {
  createdRange,
  id,
  narrowedTotal,
  object,
  optional,
  page,
  pageQuery,
  plainId,
  recordBasis,
  text,
} from '../../schema.ts'
import {
  CreateOrganization,
  Organization,
  OrganizationSecurity,
  OrganizationSecurityPreview,
  UpdateOrganization,
  UpdateOrganizationSecurity,
} from '../../shapes/identity/organization.ts'

const tag = 'Organizations'
const params = object({ id: plainId() })
const idExample = { params: { id: sample.organizationId } }

export const createOrganization = endpoint({
  id: 'createOrganization',
  method: 'POST',
  path: '/auth/organizations',
  tag,
  summary: 'Create an organization',
  permission: 'organizations:write',
  tenant: { from: 'body.tenantId' },
  body: CreateOrganization,
  bodyBytesMax: metaBodyBytesMax,
  response: Organization,
  errors: ['not_found', 'organization_slug_taken'],
  example: { body: { tenantId: sample.tenantId, name: 'Research' }, response: sample.organization },
})

export const listOrganizations = endpoint({
  id: 'listOrganizations',
  method: 'GET',
  path: '/tenants/{tenantId}/auth/organizations',
  tag,
  summary: 'List the organizations of a tenant',
  description: narrowedTotal,
  permission: 'organizations:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: object({
    ...pageQuery.properties,
    ...createdRange,
    query: optional(
      text({
        minLength: 1,
        maxLength: 100,
        format: 'text',
        description:
          'Words, up to eight, that each begin a part of the name or slug; case and accents do not matter. If more than 1,000 organizations match, the list has those that come first by slug and name',
      }),
    ),
    userId: optional(plainId({ description: 'Only organizations of which this user is a member' })),
  }),
  response: page(Organization),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.organization) },
})

export const getOrganization = endpoint({
  id: 'getOrganization',
  method: 'GET',
  path: '/auth/organizations/{id}',
  tag,
  summary: 'Read an organization',
  permission: 'organizations:read',
  tenant: { locates: 'organizations', by: 'params.id' },
  params,
  response: Organization,
  errors: ['not_found'],
  example: { ...idExample, response: sample.organization },
})

export const updateOrganization = endpoint({
  id: 'updateOrganization',
  method: 'PUT',
  path: '/auth/organizations/{id}',
  tag,
  summary: 'Change an organization',
  description: 'Properties that the body leaves out stay as they are; null removes the picture.',
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateOrganization,
  bodyBytesMax: metaBodyBytesMax,
  response: Organization,
  errors: ['not_found', 'organization_slug_taken', 'changed_meanwhile'],
  example: { ...idExample, body: { name: 'Research' }, response: sample.organization },
})

const sampleSecurity = {
  organizationId: sample.organizationId,
  secondFactorRequired: true,
  allowedStrategies: [],
  sessionMaximumLifetime: 28_800,
  membersWithoutFactor: 2,
}

export const getOrganizationSecurity = endpoint({
  id: 'getOrganizationSecurity',
  method: 'GET',
  path: '/auth/organizations/{id}/security',
  tag,
  summary: 'Read what an organization requires of the sessions that act for it',
  permission: 'organizations:read',
  tenant: { locates: 'organizations', by: 'params.id' },
  params,
  response: OrganizationSecurity,
  errors: ['not_found'],
  example: { ...idExample, response: sampleSecurity },
})

export const updateOrganizationSecurity = endpoint({
  id: 'updateOrganizationSecurity',
  method: 'PUT',
  path: '/auth/organizations/{id}/security',
  tag,
  summary: 'Change what an organization requires of the sessions that act for it',
  description:
    "Properties that the body leaves out stay as they are. A rule that is weaker than the tenant's own is refused. A session that does not fulfil the rules continues, but cannot act for the organization.",
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'params.id' },
  params,
  body: UpdateOrganizationSecurity,
  response: OrganizationSecurity,
  errors: ['not_found', 'last_manager'],
  example: { ...idExample, body: { secondFactorRequired: true }, response: sampleSecurity },
})

export const previewOrganizationSecurity = endpoint({
  id: 'previewOrganizationSecurity',
  method: 'POST',
  path: '/auth/organizations/{id}/security/preview',
  tag,
  summary: 'Count the members whom security rules of an organization would lock out, and change nothing',
  permission: 'organizations:read',
  tenant: { locates: 'organizations', by: 'params.id' },
  params,
  body: UpdateOrganizationSecurity,
  response: OrganizationSecurityPreview,
  errors: ['not_found'],
  example: {
    ...idExample,
    body: { allowedStrategies: ['security_key'] },
    response: {
      organizationId: sample.organizationId,
      members: 40,
      membersWithoutFactor: 0,
      lockedOut: 1,
      lockedOutUserIds: [sample.userId],
      managers: 2,
      managersLockedOut: 0,
    },
  },
})

export const deleteOrganization = endpoint({
  id: 'deleteOrganization',
  method: 'DELETE',
  path: '/auth/organizations/{id}',
  tag,
  summary: 'Delete an organization with its memberships and invitations',
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'params.id' },
  params,
  response: Organization,
  errors: ['not_found'],
  example: { ...idExample, response: sample.organization },
})
