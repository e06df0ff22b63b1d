// Own organizations and their members.
import { sample } from '../../examples.ts'
import {
  array,
  metaJson,
  nullableText,
  nullableTimestamp,
  object,
  optional,
  pageQuery,
  plainId,
  shortListQuery,
  text,
} from '../../schema.ts'
import {
  CreateOrganization,
  OrganizationSecurity,
  UpdateOrganization,
  UpdateOrganizationSecurity,
  membershipEnds,
} from '../../shapes/identity/organization.ts'
import { UserRole } from '../../shapes/identity/user.ts'
import { frontendEndpoint, listExample, listOf } from '../frontend-endpoint.ts'
import { FellowMember, OwnOrganization } from '../organization-shapes.ts'
import { idParams } from '../shapes.ts'
import {
  common,
  ofOrganization,
  only,
  organization,
  params,
  roleId,
  sampleOrganization,
  sampleRole,
} from './own-organization-parts.ts'

export * from './own-invitations.ts'

const { name, slug, imageUri, description } = UpdateOrganization.properties
const CreateOwnOrganization = object({ name: CreateOrganization.properties.name, slug, imageUri, description })
const metas = { publicMeta: optional(metaJson()) }
const metaRule =
  'publicMeta needs the permission org:members:meta, which no role has by default, because servers of the tenant can rely on it. Only the tenant can set privateMeta.'
const memberParams = object({ id: plainId(), memberId: plainId() })
const memberExample = { params: { ...params, memberId: sample.organizationMember.id } }
const sampleMember = only(FellowMember, sample.organizationMember)
const member = { member: sampleMember }
const ofMember = { ...common, tag: 'Members of own organizations', data: object({ member: FellowMember }) } as const

export const listOwnOrganizations = frontendEndpoint({
  ...common,
  id: 'listOwnOrganizations',
  method: 'GET',
  path: '/user/organizations',
  summary: "List the user's organizations, newest membership first",
  description: "Each has the user's role in it and the number of its members.",
  query: pageQuery,
  data: object({
    ...listOf('organizations', OwnOrganization).properties,
    prev: nullableTimestamp({ description: 'The same as `meta.prev`, for clients that are older than `meta`' }),
    next: nullableTimestamp({ description: 'The same as `meta.next`, for clients that are older than `meta`' }),
  }),
  errors: [],
  example: { response: { ...listExample('organizations', sampleOrganization), prev: null, next: null } },
})

export const createOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'createOwnOrganization',
  method: 'POST',
  path: '/user/organizations',
  summary: 'Create an organization, in which the user gets the role `admin`',
  description: 'Without a slug, the slug is made from the name. A user can create at most twenty a day.',
  body: CreateOwnOrganization,
  errors: ['organization_slug_taken', 'too_many_attempts'],
  example: { body: { name: 'Research' }, response: organization },
})

export const getOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'getOwnOrganization',
  method: 'GET',
  path: '/user/organizations/{id}',
  summary: 'Read an organization of the user, and the roles that the user can assign in it',
  description:
    "`role` is the user's own role. `roles` are those that the user can assign to others, as `assignableBy` of each role says; by default, the roles whose permissions the user has.",
  params: idParams,
  data: object({
    organization: OwnOrganization,
    roles: array(UserRole),
    permissions: array(text(), { description: "What the user's own role and groups allow together" }),
  }),
  errors: [],
  example: { params, response: { ...organization, roles: [sampleRole], permissions: sampleRole.permissions } },
})

const security = {
  security: {
    organizationId: sample.organization.id,
    secondFactorRequired: true,
    allowedStrategies: [],
    sessionMaximumLifetime: null,
    membersWithoutFactor: 2,
  },
}

export const getOwnOrganizationSecurity = frontendEndpoint({
  ...common,
  id: 'getOwnOrganizationSecurity',
  method: 'GET',
  path: '/user/organizations/{id}/security',
  summary: 'Read what an organization requires of the sessions that act for it',
  description: 'Needs the permission org:manage.',
  params: idParams,
  data: object({ security: OrganizationSecurity }),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params, response: security },
})

export const updateOwnOrganizationSecurity = frontendEndpoint({
  ...common,
  id: 'updateOwnOrganizationSecurity',
  method: 'PUT',
  path: '/user/organizations/{id}/security',
  summary: 'Change what an organization requires of the sessions that act for it',
  description:
    "Needs the permission org:manage, and a session that fulfils the new rules. Properties that the body leaves out stay as they are. A rule that is weaker than the tenant's own is refused.",
  params: idParams,
  body: UpdateOrganizationSecurity,
  data: object({ security: OrganizationSecurity }),
  errors: ['reauthentication_required', 'second_factor_required', 'last_manager'],
  example: { params, body: { secondFactorRequired: true }, response: security },
})

export const listOrganizationRoles = frontendEndpoint({
  ...common,
  id: 'listOrganizationRoles',
  method: 'GET',
  path: '/user/organizations/{id}/roles',
  summary: 'List the roles that the user can assign in an organization',
  description: 'These are the same as `roles` of the organization, newest first.',
  params: idParams,
  query: shortListQuery,
  data: listOf('roles', UserRole),
  errors: [],
  example: { params, response: listExample('roles', sampleRole) },
})

export const updateOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'updateOwnOrganization',
  method: 'PATCH',
  alsoAs: ['PUT'],
  path: '/user/organizations/{id}',
  summary: 'Change the name, slug, picture or description of an organization',
  description: 'Needs the permission org:manage. PUT does the same.',
  params: idParams,
  body: object({ name, slug, imageUri, description }),
  errors: ['organization_slug_taken', 'reauthentication_required', 'second_factor_required'],
  example: { params, body: { name: 'Research' }, response: organization },
})

export const deleteOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'deleteOwnOrganization',
  method: 'DELETE',
  path: '/user/organizations/{id}',
  summary: 'Delete an organization',
  description: 'Needs the permission org:delete, and a tenant that lets members delete organizations.',
  params: idParams,
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params, response: organization },
})

export const listFellowMembers = frontendEndpoint({
  ...ofMember,
  id: 'listFellowMembers',
  method: 'GET',
  path: '/user/organizations/{id}/members',
  summary: 'List the members of an organization',
  description: 'Lists the newest first. Every member can see the other members.',
  params: idParams,
  query: pageQuery,
  data: listOf('members', FellowMember),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params, response: listExample('members', sampleMember) },
})

export const addFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'addFellowMember',
  method: 'POST',
  path: '/user/organizations/{id}/members',
  summary: 'Make a user of the tenant a member',
  description: `Needs the permission org:members:manage. ${metaRule}`,
  params: idParams,
  body: object({ userId: plainId(), roleId, ...membershipEnds, ...metas }),
  errors: ['member_exists', 'membership_limit_reached', 'reauthentication_required', 'second_factor_required'],
  example: { params, body: { userId: sample.user.id }, response: member },
})

export const updateFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'updateFellowMember',
  method: 'PATCH',
  alsoAs: ['PUT'],
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'Change the role of a member, or when it ends',
  description:
    'Needs the permission org:members:manage, and a new role that the user can assign. The old role must be one that the user can assign, or whose permissions the user has. ' +
    metaRule,
  params: memberParams,
  body: object({ roleId: optional(nullableText({ minLength: 1, maxLength: 256 })), ...membershipEnds, ...metas }),
  errors: ['last_manager', 'managed_by_directory', 'reauthentication_required', 'second_factor_required'],
  example: { ...memberExample, body: { roleId: null }, response: member },
})

export const getFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'getFellowMember',
  method: 'GET',
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'Read a member of an organization',
  description: 'Every member can see the other members.',
  params: memberParams,
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { ...memberExample, response: member },
})

export const removeFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'removeFellowMember',
  method: 'DELETE',
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'Remove a member, or leave the organization',
  description: "Needs the permission org:members:manage, except for the user's own membership.",
  params: memberParams,
  errors: ['last_manager', 'managed_by_directory', 'reauthentication_required', 'second_factor_required'],
  example: { ...memberExample, response: member },
})

export const leaveOrganization = frontendEndpoint({
  ...ofMember,
  id: 'leaveOrganization',
  method: 'DELETE',
  path: '/user/organizations/{id}/membership',
  summary: 'Leave an organization',
  description: "This is the same as removing the user's own membership by its id.",
  params: idParams,
  errors: ['last_manager', 'managed_by_directory'],
  example: { params, response: member },
})
