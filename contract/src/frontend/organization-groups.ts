import { sample } from '../examples.ts'
import { object, optional, pageQuery, plainId, shortListQuery } from '../schema.ts'
import {
  CreateOrganizationGroup,
  GroupMember,
  OrganizationGroup,
  groupDetails,
} from '../shapes/identity/organization-group.ts'
import { frontendEndpoint, listExample, listOf } from './frontend-endpoint.ts'
import { FellowMember, FellowOfGroup } from './organization-shapes.ts'
import { idParams } from './shapes.ts'

const groupParams = object({ id: plainId(), groupId: plainId() })
const memberParams = object({ id: plainId(), groupId: plainId(), memberId: plainId() })
const params = { id: sample.organization.id }
const group = { group: sample.organizationGroup }
const groupExample = { params: { ...params, groupId: sample.organizationGroup.id } }
const memberExample = { params: { ...groupExample.params, memberId: sample.organizationMember.id } }
const { privateMeta: _, ...sampleMember } = sample.organizationMember
const sampleOfGroup = { ...sampleMember, groupExpiresAt: null }

const session = ['reauthentication_required', 'second_factor_required'] as const
const common = { tag: 'Groups of own organizations', session: 'required' } as const
const ofGroup = { ...common, data: object({ group: OrganizationGroup }) } as const
const ofMember = { ...common, data: object({ member: FellowMember }) } as const
const { name } = CreateOrganizationGroup.properties
const managedOnly =
  'Only the tenant lets a group follow a group of a directory. Giving a group a role, and adding members to a group with one, is possible only for roles that the user can assign.'

export const listOwnOrganizationGroups = frontendEndpoint({
  ...common,
  id: 'listOwnOrganizationGroups',
  method: 'GET',
  path: '/user/organizations/{id}/groups',
  summary: 'List the groups of an organization, newest first',
  description: 'Like all operations on groups, this requires the permission org:groups:manage.',
  params: idParams,
  query: shortListQuery,
  data: listOf('groups', OrganizationGroup),
  errors: session,
  example: { params, response: listExample('groups', sample.organizationGroup) },
})

export const createOwnOrganizationGroup = frontendEndpoint({
  ...ofGroup,
  id: 'createOwnOrganizationGroup',
  method: 'POST',
  path: '/user/organizations/{id}/groups',
  summary: 'Create a group in an organization',
  description: `An organization can have at most 100 groups. ${managedOnly}`,
  params: idParams,
  body: object({ name, ...groupDetails }),
  errors: ['group_exists', 'group_limit_reached', ...session],
  example: { params, body: { name: 'Engineering' }, response: group },
})

export const getOwnOrganizationGroup = frontendEndpoint({
  ...ofGroup,
  id: 'getOwnOrganizationGroup',
  method: 'GET',
  path: '/user/organizations/{id}/groups/{groupId}',
  summary: 'Read a group of an organization',
  description: 'Requires the permission org:groups:manage.',
  params: groupParams,
  errors: session,
  example: { ...groupExample, response: group },
})

export const updateOwnOrganizationGroup = frontendEndpoint({
  ...ofGroup,
  id: 'updateOwnOrganizationGroup',
  method: 'PUT',
  path: '/user/organizations/{id}/groups/{groupId}',
  summary: 'Change the name, the description or the role of a group',
  description: managedOnly,
  params: groupParams,
  body: object({ name: optional(name), ...groupDetails }),
  errors: ['group_exists', ...session],
  example: { ...groupExample, body: { name: 'Engineering' }, response: group },
})

export const deleteOwnOrganizationGroup = frontendEndpoint({
  ...ofGroup,
  id: 'deleteOwnOrganizationGroup',
  method: 'DELETE',
  path: '/user/organizations/{id}/groups/{groupId}',
  summary: 'Delete a group of an organization',
  description:
    'Its members stay in the organization, without the role of the group. Possible only if the user can assign that role.',
  params: groupParams,
  errors: session,
  example: { ...groupExample, response: group },
})

export const listFellowsOfGroup = frontendEndpoint({
  ...common,
  id: 'listFellowsOfGroup',
  method: 'GET',
  path: '/user/organizations/{id}/groups/{groupId}/members',
  summary: 'List the members of a group',
  description: 'Requires the permission org:groups:manage.',
  params: groupParams,
  query: pageQuery,
  data: listOf('members', FellowOfGroup),
  errors: session,
  example: { ...groupExample, response: listExample('members', sampleOfGroup) },
})

export const addFellowToGroup = frontendEndpoint({
  ...common,
  data: object({ member: FellowOfGroup }),
  id: 'addFellowToGroup',
  method: 'POST',
  path: '/user/organizations/{id}/groups/{groupId}/members',
  summary: 'Add a member of the organization to a group',
  description: `${managedOnly} With \`expiresAt\`, the member leaves the group at that time; adding the member again changes the time.`,
  params: groupParams,
  body: GroupMember,
  errors: ['managed_by_directory', ...session],
  example: {
    ...groupExample,
    body: { memberId: sample.organizationMember.id },
    response: { member: sampleOfGroup },
  },
})

export const removeFellowFromGroup = frontendEndpoint({
  ...ofMember,
  id: 'removeFellowFromGroup',
  method: 'DELETE',
  path: '/user/organizations/{id}/groups/{groupId}/members/{memberId}',
  summary: 'Remove a member from a group',
  description:
    'The member stays in the organization, without the role of the group. Possible only if the user can assign that role.',
  params: memberParams,
  errors: ['managed_by_directory', ...session],
  example: { ...memberExample, response: { member: sampleMember } },
})
