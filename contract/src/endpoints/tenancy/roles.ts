import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, object, page, pageQuery, plainId, recordBasis } from '../../schema.ts'
import { CreateRole, Role, RoleDetails, UpdateRole } from '../../shapes/tenancy/role.ts'

const tag = 'Roles'
const sampleDetails = { ...sample.role, assignableBy: 'covering_role', requiresSecondFactor: false }

export const listRoles = endpoint({
  id: 'listRoles',
  method: 'GET',
  path: '/auth/tenants/{tenantId}/roles',
  tag,
  summary: 'List the roles of a tenant',
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(Role),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.role) },
})

export const createRole = endpoint({
  id: 'createRole',
  method: 'POST',
  path: '/auth/roles',
  tag,
  summary: 'Create a role',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateRole,
  response: RoleDetails,
  errors: ['not_found', 'role_name_taken'],
  example: {
    body: {
      tenantId: sample.tenantId,
      name: 'editor',
      description: 'May change articles',
      permissions: ['articles:write'],
    },
    response: sampleDetails,
  },
})

const params = object({ id: plainId() })
const idExample = { params: { id: sample.roleId } }

export const getRole = endpoint({
  id: 'getRole',
  method: 'GET',
  path: '/auth/roles/{id}',
  tag,
  summary: 'Read a role',
  permission: 'config:read',
  tenant: { locates: 'roles', by: 'params.id' },
  params,
  response: RoleDetails,
  errors: ['not_found'],
  example: { ...idExample, response: sampleDetails },
})

export const updateRole = endpoint({
  id: 'updateRole',
  method: 'PUT',
  path: '/auth/roles/{id}',
  tag,
  summary: 'Change a role',
  description: 'Properties that the body leaves out stay as they are; null removes the description.',
  permission: 'config:write',
  tenant: { locates: 'roles', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateRole,
  response: RoleDetails,
  errors: ['not_found', 'role_name_taken', 'changed_meanwhile'],
  example: { ...idExample, body: { permissions: ['articles:write'] }, response: sampleDetails },
})

export const deleteRole = endpoint({
  id: 'deleteRole',
  method: 'DELETE',
  path: '/auth/roles/{id}',
  tag,
  summary: 'Delete a role that no user, member or invitation has',
  permission: 'config:write',
  tenant: { locates: 'roles', by: 'params.id' },
  params,
  response: RoleDetails,
  errors: ['not_found', 'role_in_use'],
  example: { ...idExample, response: sampleDetails },
})
