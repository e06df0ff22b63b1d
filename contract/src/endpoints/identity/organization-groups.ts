import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { array, object, page, pageQuery, plainId } from '../../schema.ts'
import {
  CreateOrganizationGroup,
  GroupMember,
  MemberOfGroup,
  OrganizationGroup,
  UpdateOrganizationGroup,
} from '../../shapes/identity/organization-group.ts'
import { OrganizationMember } from '../../shapes/identity/organization.ts'

const tag = 'Organization groups'
const tenant = { locates: 'organizations', by: 'params.organizationId' } as const
const ofOrganization = object({ organizationId: plainId() })
const params = object({ organizationId: plainId(), id: plainId() })
const { organizationId, id } = sample.organizationGroup
const idExample = { params: { organizationId, id } }
const path = '/auth/organizations/{organizationId}/groups'

export const createOrganizationGroup = endpoint({
  id: 'createOrganizationGroup',
  method: 'POST',
  path,
  tag,
  summary: 'Create a group in an organization',
  description:
    'Its members have the permissions of its role in the organization, in addition to those of their own role. An organization can have at most 100 groups.',
  permission: 'organizations:write',
  tenant,
  params: ofOrganization,
  body: CreateOrganizationGroup,
  response: OrganizationGroup,
  errors: ['not_found', 'group_exists', 'group_limit_reached'],
  example: { params: { organizationId }, body: { name: 'Engineering' }, response: sample.organizationGroup },
})

export const listOrganizationGroups = endpoint({
  id: 'listOrganizationGroups',
  method: 'GET',
  path,
  tag,
  summary: 'List the groups of an organization, newest first',
  permission: 'organizations:read',
  tenant,
  params: ofOrganization,
  response: array(OrganizationGroup),
  errors: ['not_found'],
  example: { params: { organizationId }, response: [sample.organizationGroup] },
})

export const getOrganizationGroup = endpoint({
  id: 'getOrganizationGroup',
  method: 'GET',
  path: `${path}/{id}`,
  tag,
  summary: 'Read a group of an organization',
  permission: 'organizations:read',
  tenant,
  params,
  response: OrganizationGroup,
  errors: ['not_found'],
  example: { ...idExample, response: sample.organizationGroup },
})

export const updateOrganizationGroup = endpoint({
  id: 'updateOrganizationGroup',
  method: 'PUT',
  path: `${path}/{id}`,
  tag,
  summary: 'Change a group of an organization',
  description:
    'Properties that the body leaves out stay as they are. While `scimGroupId` names a group of a directory, the members are those of that group; the group is removed with it.',
  permission: 'organizations:write',
  tenant,
  params,
  body: UpdateOrganizationGroup,
  response: OrganizationGroup,
  errors: ['not_found', 'group_exists'],
  example: { ...idExample, body: { name: 'Engineering' }, response: sample.organizationGroup },
})

export const deleteOrganizationGroup = endpoint({
  id: 'deleteOrganizationGroup',
  method: 'DELETE',
  path: `${path}/{id}`,
  tag,
  summary: 'Delete a group of an organization',
  description: 'Its members stay members of the organization, without the role of the group.',
  permission: 'organizations:write',
  tenant,
  params,
  response: OrganizationGroup,
  errors: ['not_found'],
  example: { ...idExample, response: sample.organizationGroup },
})

export const listMembersOfGroup = endpoint({
  id: 'listMembersOfGroup',
  method: 'GET',
  path: `${path}/{id}/members`,
  tag,
  summary: 'List the members of a group',
  permission: 'organizations:read',
  tenant,
  params,
  query: pageQuery,
  response: page(MemberOfGroup),
  errors: ['not_found'],
  example: { ...idExample, response: pageOf({ ...sample.organizationMember, groupExpiresAt: null }) },
})

export const addMemberToGroup = endpoint({
  id: 'addMemberToGroup',
  method: 'POST',
  path: `${path}/{id}/members`,
  tag,
  summary: 'Add a member of the organization to a group',
  description:
    'With `expiresAt`, the member leaves the group at that time. Adding a member of the group again changes only that time, and only if the body has it.',
  permission: 'organizations:write',
  tenant,
  params,
  body: GroupMember,
  response: MemberOfGroup,
  errors: ['not_found', 'managed_by_directory'],
  example: {
    ...idExample,
    body: { memberId: sample.organizationMember.id },
    response: { ...sample.organizationMember, groupExpiresAt: null },
  },
})

export const removeMemberFromGroup = endpoint({
  id: 'removeMemberFromGroup',
  method: 'DELETE',
  path: `${path}/{id}/members/{memberId}`,
  tag,
  summary: 'Remove a member from a group',
  permission: 'organizations:write',
  tenant,
  params: object({ organizationId: plainId(), id: plainId(), memberId: plainId() }),
  response: OrganizationMember,
  errors: ['not_found', 'managed_by_directory'],
  example: {
    params: { ...idExample.params, memberId: sample.organizationMember.id },
    response: sample.organizationMember,
  },
})
