import { endpoint, metaBodyBytesMax } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { object, page, pageQuery, plainId } from '../../schema.ts'
import {
  CreateOrganizationMember,
  OrganizationMember,
  UpdateOrganizationMember,
} from '../../shapes/identity/organization.ts'

const tag = 'Organization members'
const params = object({ id: plainId() })
const idExample = { params: { id: sample.organizationMember.id } }

export const createOrganizationMember = endpoint({
  id: 'createOrganizationMember',
  method: 'POST',
  path: '/auth/organization-members',
  tag,
  summary: 'Make a user a member of an organization',
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'body.organizationId' },
  body: CreateOrganizationMember,
  isBodyExact: true,
  bodyBytesMax: metaBodyBytesMax,
  response: OrganizationMember,
  errors: ['not_found', 'member_exists', 'membership_limit_reached'],
  example: {
    body: { organizationId: sample.organizationId, userId: sample.userId },
    response: sample.organizationMember,
  },
})

export const listOrganizationMembers = endpoint({
  id: 'listOrganizationMembers',
  method: 'GET',
  path: '/organizations/{organizationId}/auth/organization-members',
  tag,
  summary: 'List the members of an organization',
  permission: 'organizations:read',
  tenant: { locates: 'organizations', by: 'params.organizationId' },
  params: object({ organizationId: plainId() }),
  query: pageQuery,
  response: page(OrganizationMember),
  errors: ['not_found'],
  example: { params: { organizationId: sample.organizationId }, response: pageOf(sample.organizationMember) },
})

export const getOrganizationMember = endpoint({
  id: 'getOrganizationMember',
  method: 'GET',
  path: '/auth/organization-members/{id}',
  tag,
  summary: 'Read an organization member',
  permission: 'organizations:read',
  tenant: { locates: 'organization_members', by: 'params.id' },
  params,
  response: OrganizationMember,
  errors: ['not_found'],
  example: { ...idExample, response: sample.organizationMember },
})

export const updateOrganizationMember = endpoint({
  id: 'updateOrganizationMember',
  method: 'PUT',
  path: '/auth/organization-members/{id}',
  tag,
  summary: 'Change an organization member',
  description:
    'Properties that the body leaves out stay as they are; null removes the role, or the end of the membership or role. The last member who can manage the others, without an end, cannot be given one: see last_manager.',
  permission: 'organizations:write',
  tenant: { locates: 'organization_members', by: 'params.id' },
  params,
  body: UpdateOrganizationMember,
  bodyBytesMax: metaBodyBytesMax,
  response: OrganizationMember,
  errors: ['not_found', 'managed_by_directory', 'last_manager'],
  example: { ...idExample, body: { roleId: sample.roleId }, response: sample.organizationMember },
})

export const deleteOrganizationMember = endpoint({
  id: 'deleteOrganizationMember',
  method: 'DELETE',
  path: '/auth/organization-members/{id}',
  tag,
  summary: 'Remove an organization member',
  permission: 'organizations:write',
  tenant: { locates: 'organization_members', by: 'params.id' },
  params,
  response: OrganizationMember,
  errors: ['not_found', 'managed_by_directory'],
  example: { ...idExample, response: sample.organizationMember },
})
