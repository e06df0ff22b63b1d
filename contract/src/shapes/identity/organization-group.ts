import type { Static } from 'typebox'
import { nullableText, nullableTimestamp, object, optional, plainId, text, timestamp } from '../../schema.ts'
import { OrganizationMember } from './organization.ts'

/** A group of members inside an organization. */
export const OrganizationGroup = object({
  id: text(),
  organizationId: text(),
  name: text(),
  description: nullableText(),
  roleId: nullableText({ description: 'The role that its members have in the organization beside their own' }),
  scimGroupId: nullableText({
    description: 'The group of a directory whose active members are its members; null if they are chosen here',
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type OrganizationGroup = Static<typeof OrganizationGroup>

const name = text({ minLength: 1, maxLength: 100, format: 'text', pattern: '\\S' })
const reference = (description: string) =>
  optional(nullableText({ minLength: 1, maxLength: 256, description: `${description}; null removes it` }))

export const groupDetails = {
  description: optional(nullableText({ maxLength: 1000, format: 'text' })),
  roleId: reference('The role that its members have in the organization beside their own'),
}
const scimGroupId = reference('The group of a directory of this organization whose active members become its members')

/** What a group is created with. */
export const CreateOrganizationGroup = object({ name, ...groupDetails, scimGroupId })
export type CreateOrganizationGroup = Static<typeof CreateOrganizationGroup>

/** The properties of a group to change. */
export const UpdateOrganizationGroup = object({ name: optional(name), ...groupDetails, scimGroupId })
export type UpdateOrganizationGroup = Static<typeof UpdateOrganizationGroup>

/** Which member of the organization joins a group, and for how long. */
export const GroupMember = object({
  memberId: plainId(),
  expiresAt: optional(
    nullableText({ format: 'cursor', description: 'When the member leaves the group; null for never' }),
  ),
})
export type GroupMember = Static<typeof GroupMember>

export const groupEnd = {
  groupExpiresAt: nullableTimestamp({ description: 'When the member leaves the group; null for never' }),
}

/** A member of an organization, as a member of one of its groups. */
export const MemberOfGroup = object({ ...OrganizationMember.properties, ...groupEnd })
export type MemberOfGroup = Static<typeof MemberOfGroup>
