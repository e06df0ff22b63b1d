import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, object, plainId } from '../../schema.ts'
import {
  CreateOrganizationRole,
  OrganizationRole,
  UpdateOrganizationRole,
} from '../../shapes/identity/organization-role.ts'

const tag = 'Organization roles'
const tenant = { locates: 'organizations', by: 'params.organizationId' } as const
const ofOrganization = object({ organizationId: plainId() })
const params = object({ organizationId: plainId(), id: plainId() })
const { organizationId, id } = sample.organizationRole
const idExample = { params: { organizationId, id } }
const path = '/auth/organizations/{organizationId}/roles'

export const createOrganizationRole = endpoint({
  id: 'createOrganizationRole',
  method: 'POST',
  path,
  tag,
  summary: "Create a role of an organization's own",
  description:
    'Only members, invitations, groups and rules of this organization can have it. Possible while `organizationRolesEnabled` is on, with permissions of `organizationRolePermissions`, and up to `organizationRoleLimit` roles.',
  permission: 'organizations:write',
  tenant,
  params: ofOrganization,
  body: CreateOrganizationRole,
  response: OrganizationRole,
  errors: ['not_found', 'role_name_taken', 'role_limit_reached'],
  example: {
    params: { organizationId },
    body: { name: 'Dispatcher', permissions: ['orders:dispatch'] },
    response: sample.organizationRole,
  },
})

export const listOrganizationRoles = endpoint({
  id: 'listOrganizationRoles',
  method: 'GET',
  path,
  tag,
  summary: "List the roles of an organization's own, newest first",
  description: 'Its members can have these and the roles of the tenant.',
  permission: 'organizations:read',
  tenant,
  params: ofOrganization,
  response: array(OrganizationRole),
  errors: ['not_found'],
  example: { params: { organizationId }, response: [sample.organizationRole] },
})

export const getOrganizationRole = endpoint({
  id: 'getOrganizationRole',
  method: 'GET',
  path: `${path}/{id}`,
  tag,
  summary: "Read a role of an organization's own",
  permission: 'organizations:read',
  tenant,
  params,
  response: OrganizationRole,
  errors: ['not_found'],
  example: { ...idExample, response: sample.organizationRole },
})

export const updateOrganizationRole = endpoint({
  id: 'updateOrganizationRole',
  method: 'PUT',
  path: `${path}/{id}`,
  tag,
  summary: "Change a role of an organization's own",
  description:
    'Properties that the body leaves out stay as they are; null removes the description. A permission that the tenant no longer allows can stay, and gives nothing.',
  permission: 'organizations:write',
  tenant,
  params,
  body: UpdateOrganizationRole,
  response: OrganizationRole,
  errors: ['not_found', 'role_name_taken'],
  example: { ...idExample, body: { permissions: ['orders:dispatch'] }, response: sample.organizationRole },
})

export const deleteOrganizationRole = endpoint({
  id: 'deleteOrganizationRole',
  method: 'DELETE',
  path: `${path}/{id}`,
  tag,
  summary: "Delete a role of an organization's own that no member, invitation or group has",
  permission: 'organizations:write',
  tenant,
  params,
  response: OrganizationRole,
  errors: ['not_found', 'role_in_use'],
  example: { ...idExample, response: sample.organizationRole },
})
