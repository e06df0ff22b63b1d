import type { Static } from 'typebox'
import { array, boolean, id, integer, nullableText, object, oneOf, optional, text, timestamp } from '../../schema.ts'

/** A named set of permissions. */
export const Role = object({
  id: text(),
  name: text(),
  description: nullableText(),
  permissions: array(text()),
  tenantId: text(),
  _count: object({ users: integer(), members: integer() }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Role = Static<typeof Role>

/**
 * Who may give a role in an organization: members whose own role has all of its permissions; every member who may manage members or
 * invitations; or only the tenant, by the management interface.
 */
export const roleAssigners = ['covering_role', 'organization_managers', 'tenant'] as const
export type RoleAssigner = (typeof roleAssigners)[number]
const assignableBy = () =>
  oneOf(roleAssigners, {
    description:
      'Who can assign the role in an organization: `covering_role` (the default), members whose own role has all of its permissions; `organization_managers`, every member who can manage members or invitations, even with fewer permissions; `tenant`, only the tenant, and no member of the organization.',
  })

const requiresSecondFactor = () =>
  boolean({
    description:
      'Whether users with the role must prove a second factor: at every sign-in if it is their role in the tenant, and before they act for an organization if it is their role there.',
  })

/** A role as the operations on one role show it; the list leaves `assignableBy` and `requiresSecondFactor` out. */
export const RoleDetails = object({
  ...Role.properties,
  assignableBy: assignableBy(),
  requiresSecondFactor: requiresSecondFactor(),
})
export type RoleDetails = Static<typeof RoleDetails>

const name = text({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' })
const details = {
  description: optional(nullableText({ maxLength: 1000 })),
  permissions: optional(array(text({ format: 'permission' }), { maxItems: 200 })),
  assignableBy: optional(assignableBy()),
  requiresSecondFactor: optional(requiresSecondFactor()),
}

/** What a role is created with. */
export const CreateRole = object({ tenantId: id(), name, ...details })
export type CreateRole = Static<typeof CreateRole>

/** The properties of a role to change. */
export const UpdateRole = object({ name: optional(name), ...details })
export type UpdateRole = Static<typeof UpdateRole>
