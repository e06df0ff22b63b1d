import type { Static } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  metaJson,
  id,
  integer,
  nullable,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  plainId,
  text,
  timestamp,
} from '../../schema.ts'
import { Role } from '../tenancy/role.ts'
import { signInStrategies } from './attempt.ts'
import { OrganizationUserSummary } from './user.ts'

/** A group of users of a tenant. */
export const Organization = object({
  id: text(),
  tenantId: text(),
  creatorId: nullableText(),
  name: text(),
  slug: text(),
  imageUri: nullableText(),
  description: nullableText(),
  publicMeta: anyJson(),
  privateMeta: anyJson(),
  _count: object({ members: integer() }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Organization = Static<typeof Organization>

const name = text({ minLength: 1, maxLength: 100, format: 'text', pattern: '\\S' })
const details = {
  slug: optional(text({ minLength: 4, maxLength: 32, format: 'slug' })),
  imageUri: optional(nullableText({ format: 'web-uri' })),
  description: optional(nullableText({ maxLength: 1000, format: 'text' })),
  publicMeta: optional(metaJson()),
  privateMeta: optional(metaJson()),
}

/** What an organization is created with. */
export const CreateOrganization = object({ tenantId: id(), name, ...details })
export type CreateOrganization = Static<typeof CreateOrganization>

/** The properties of an organization to change. */
export const UpdateOrganization = object({ name: optional(name), ...details })
export type UpdateOrganization = Static<typeof UpdateOrganization>

const securityRules = {
  secondFactorRequired: boolean({
    description: 'Whether members must prove a second factor before they act for the organization',
  }),
  allowedStrategies: array(oneOf(signInStrategies), {
    maxItems: signInStrategies.length,
    description:
      'How a session must have begun to act for the organization; an empty list allows every strategy of the tenant',
  }),
  sessionMaximumLifetime: nullableInteger({
    minimum: 60,
    maximum: 31_536_000,
    description:
      'How many seconds after its user has signed in a session can act for the organization; null sets no limit of its own',
  }),
}

/** What an organization requires of the sessions that act for it, in addition to what its tenant requires. */
export const OrganizationSecurity = object({
  organizationId: text(),
  ...securityRules,
  membersWithoutFactor: integer({
    description: 'How many of the 1,000 newest members have set up no second factor',
  }),
})
export type OrganizationSecurity = Static<typeof OrganizationSecurity>

/** The security rules of an organization to change. */
export const UpdateOrganizationSecurity = object({
  secondFactorRequired: optional(securityRules.secondFactorRequired),
  allowedStrategies: optional(securityRules.allowedStrategies),
  sessionMaximumLifetime: optional(securityRules.sessionMaximumLifetime),
})
export type UpdateOrganizationSecurity = Static<typeof UpdateOrganizationSecurity>

/** Whom security rules of an organization would lock out, among its 1,000 newest active members. */
export const OrganizationSecurityPreview = object({
  organizationId: text(),
  members: integer({ description: 'How many members were looked at' }),
  membersWithoutFactor: integer({ description: 'How many must set up a second factor; 0 if the rules require none' }),
  lockedOut: integer({ description: 'How many have nothing with which they could sign in as the rules allow' }),
  lockedOutUserIds: array(text(), { description: 'The first 20 of these' }),
  managers: integer({ description: 'How many members have the permission org:members:manage' }),
  managersLockedOut: integer({ description: 'If these are all managers, the change is refused with last_manager' }),
})
export type OrganizationSecurityPreview = Static<typeof OrganizationSecurityPreview>

/** An invitation to become a member of an organization. */
export const OrganizationInvitation = object({
  id: text(),
  organizationId: text(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  roleId: nullableText(),
  email: nullableText({ format: 'email' }),
  role: nullable(Role),
  acceptedAt: nullableTimestamp(),
  declinedAt: nullableTimestamp(),
  user: nullable(OrganizationUserSummary),
  publicMeta: anyJson(),
  privateMeta: anyJson(),
  membershipLifetime: nullableInteger({
    description: 'How many seconds after joining the membership ends; null for no end',
  }),
})
export type OrganizationInvitation = Static<typeof OrganizationInvitation>

export const membershipLifetime = optional(
  nullableInteger({
    minimum: 60,
    maximum: 315_360_000,
    description: 'How many seconds after joining the membership ends; null, the default, for no end',
  }),
)

/** When a membership and its role end; both are accepted in the same forms as cursors. */
export const membershipEnds = {
  expiresAt: optional(
    nullableText({ format: 'cursor', description: 'When the membership ends by itself; null, the default, for never' }),
  ),
  roleExpiresAt: optional(
    nullableText({
      format: 'cursor',
      description:
        'When the member loses the role; null, the default, for never. A change of the role alone removes it',
    }),
  ),
}

/** Who is invited to an organization, and with which role. */
export const CreateOrganizationInvitation = object({
  organizationId: plainId(),
  email: text({ format: 'email' }),
  roleId: optional(nullableText({ minLength: 1, maxLength: 256 })),
  userId: optional(nullableText({ minLength: 1, maxLength: 256 })),
  membershipLifetime,
})
export type CreateOrganizationInvitation = Static<typeof CreateOrganizationInvitation>

export const shownEnds = {
  expiresAt: nullableTimestamp({ description: 'When the membership ends by itself; null for never' }),
  roleExpiresAt: nullableTimestamp({ description: 'When the member loses the role; null for never' }),
}

/** A user in an organization, with the role there. */
export const OrganizationMember = object({
  id: text(),
  organizationId: text(),
  userId: text(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  roleId: nullableText(),
  role: nullable(Role),
  user: OrganizationUserSummary,
  publicMeta: anyJson(),
  privateMeta: anyJson(),
  ...shownEnds,
})
export type OrganizationMember = Static<typeof OrganizationMember>

/** Which user becomes a member of an organization, and with which role. */
export const CreateOrganizationMember = object({
  organizationId: plainId(),
  userId: plainId(),
  roleId: optional(nullableText({ minLength: 1, maxLength: 256 })),
  privateMeta: optional(metaJson()),
  publicMeta: optional(metaJson()),
  ...membershipEnds,
})
export type CreateOrganizationMember = Static<typeof CreateOrganizationMember>

/** null removes the role. */
export const UpdateOrganizationInvitation = object({
  roleId: optional(nullableText({ minLength: 1, maxLength: 256 })),
  membershipLifetime,
})
export type UpdateOrganizationInvitation = Static<typeof UpdateOrganizationInvitation>

/** The properties of a membership to change. */
export const UpdateOrganizationMember = object({
  roleId: optional(nullableText({ minLength: 1, maxLength: 256 })),
  privateMeta: optional(metaJson()),
  publicMeta: optional(metaJson()),
  ...membershipEnds,
})
export type UpdateOrganizationMember = Static<typeof UpdateOrganizationMember>

/** A domain that an organization claims, and the record that its owner has to publish to prove ownership. */
export const OrganizationDomain = object({
  id: text(),
  organizationId: text(),
  name: text(),
  verified: boolean(),
  verifiedByDns: boolean({
    description: 'Whether the TXT record was found. Only then do addresses of the domain sign in with a connection',
  }),
  verificationRecordType: text(),
  verificationRecordDomain: text(),
  verificationRecordValue: text(),
  verificationRecordReason: nullableText({ description: 'Why the last verification failed' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type OrganizationDomain = Static<typeof OrganizationDomain>

/** The domain to add to an organization. */
export const CreateOrganizationDomain = object({ name: text({ format: 'mail-domain', maxLength: 253 }) })
export type CreateOrganizationDomain = Static<typeof CreateOrganizationDomain>
