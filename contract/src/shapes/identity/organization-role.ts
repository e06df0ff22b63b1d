import type { Static } from 'typebox'
import { array, integer, object, optional, text, timestamp } from '../../schema.ts'
import { CreateRole, RoleDetails, UpdateRole } from '../tenancy/role.ts'

const { name, description, permissions, assignableBy, requiresSecondFactor } = RoleDetails.properties

/** A role of an organization's own, which only members of that organization can have. */
export const OrganizationRole = object({
  id: text(),
  organizationId: text(),
  name,
  description,
  permissions,
  withheldPermissions: array(text(), {
    description: 'Those of the permissions that the role does not give now, because the tenant does not allow them',
  }),
  assignableBy,
  requiresSecondFactor,
  _count: object({ members: integer() }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type OrganizationRole = Static<typeof OrganizationRole>

const { tenantId: _tenant, ...create } = CreateRole.properties

/** What a role of an organization is created with. */
export const CreateOrganizationRole = object(create)
export type CreateOrganizationRole = Static<typeof CreateOrganizationRole>

/** The properties of a role of an organization to change. */
export const UpdateOrganizationRole = object(UpdateRole.properties)
export type UpdateOrganizationRole = Static<typeof UpdateOrganizationRole>

const own = { description: create.description, permissions: create.permissions }

/** What members create a role of their organization with. */
export const CreateOwnRole = object({ name: create.name, ...own })
/** The properties that members can change of a role of their organization. */
export const UpdateOwnRole = object({ name: optional(create.name), ...own })
