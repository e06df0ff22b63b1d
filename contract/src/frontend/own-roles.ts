import { sample } from '../examples.ts'
import { array, object, plainId, shortListQuery, text } from '../schema.ts'
import { CreateOwnRole, OrganizationRole, UpdateOwnRole } from '../shapes/identity/organization-role.ts'
import { frontendEndpoint, listExample, listOf } from './frontend-endpoint.ts'
import { idParams } from './shapes.ts'

const roleParams = object({ id: plainId(), roleId: plainId({ description: 'The id of the role' }) })
const params = { id: sample.organization.id }
const role = { role: sample.organizationRole }
const roleExample = { params: { ...params, roleId: sample.organizationRole.id } }

const session = ['reauthentication_required', 'second_factor_required'] as const
const common = { tag: 'Roles of own organizations', session: 'required' } as const
const ofRole = { ...common, data: object({ role: OrganizationRole }) } as const
const rule =
  'A role can give only what the tenant allows and the user has, and a role that gives more than the user has can be neither changed nor deleted.'

export const listOwnRoles = frontendEndpoint({
  ...common,
  id: 'listOwnRoles',
  method: 'GET',
  path: '/user/organizations/{id}/own-roles',
  summary: "List the roles of an organization's own, newest first",
  description:
    'Like all operations on these roles, this requires the permission org:roles:manage, and that the tenant allows such roles. `permissions` are those that the user can put into a role.',
  params: idParams,
  query: shortListQuery,
  data: object({ ...listOf('roles', OrganizationRole).properties, permissions: array(text()) }),
  errors: session,
  example: {
    params,
    response: { ...listExample('roles', sample.organizationRole), permissions: ['orders:dispatch'] },
  },
})

export const createOwnRole = frontendEndpoint({
  ...ofRole,
  id: 'createOwnRole',
  method: 'POST',
  path: '/user/organizations/{id}/own-roles',
  summary: "Create a role of an organization's own",
  description: `${rule} If a role of the user requires a second factor, the new one does too.`,
  params: idParams,
  body: CreateOwnRole,
  errors: ['role_name_taken', 'role_limit_reached', ...session],
  example: { params, body: { name: 'Dispatcher', permissions: ['orders:dispatch'] }, response: role },
})

export const updateOwnRole = frontendEndpoint({
  ...ofRole,
  id: 'updateOwnRole',
  method: 'PUT',
  path: '/user/organizations/{id}/own-roles/{roleId}',
  summary: "Change a role of an organization's own",
  description: `${rule} Properties that the body leaves out stay as they are.`,
  params: roleParams,
  body: UpdateOwnRole,
  errors: ['role_name_taken', ...session],
  example: { ...roleExample, body: { permissions: ['orders:dispatch'] }, response: role },
})

export const deleteOwnRole = frontendEndpoint({
  ...ofRole,
  id: 'deleteOwnRole',
  method: 'DELETE',
  path: '/user/organizations/{id}/own-roles/{roleId}',
  summary: "Delete a role of an organization's own",
  description:
    'A role that a member, an invitation or a group has cannot be deleted, nor can one that gives more than the user has.',
  params: roleParams,
  errors: ['role_in_use', ...session],
  example: { ...roleExample, response: role },
})
