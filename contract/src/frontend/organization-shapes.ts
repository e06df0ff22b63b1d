// Organizations as their members see them.
import type { Static } from 'typebox'
import {
  anyJson,
  integer,
  nullable,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  object,
  text,
  timestamp,
} from '../schema.ts'
import { groupEnd } from '../shapes/identity/organization-group.ts'
import { shownEnds } from '../shapes/identity/organization.ts'
import { OrganizationUserSummary, UserRole } from '../shapes/identity/user.ts'

const times = { createdAt: timestamp(), updatedAt: timestamp() }

/** An organization as its members see it: without privateMeta, which only the tenant sees. */
export const OwnOrganization = object({
  id: text(),
  name: text(),
  slug: text(),
  imageUri: nullableText(),
  description: nullableText(),
  publicMeta: anyJson(),
  role: nullable(UserRole),
  _count: object({ members: integer() }),
  ...times,
})
export type OwnOrganization = Static<typeof OwnOrganization>

export const FellowMember = object({
  id: text(),
  organizationId: text(),
  userId: text(),
  roleId: nullableText(),
  role: nullable(UserRole),
  user: OrganizationUserSummary,
  publicMeta: anyJson(),
  ...shownEnds,
  ...times,
})
export type FellowMember = Static<typeof FellowMember>

export const FellowOfGroup = object({ ...FellowMember.properties, ...groupEnd })
export type FellowOfGroup = Static<typeof FellowOfGroup>

/** Does not reveal whether anybody has the address. */
export const SentInvitation = object({
  id: text(),
  organizationId: text(),
  email: nullableText(),
  roleId: nullableText(),
  role: nullable(UserRole),
  acceptedAt: nullableTimestamp(),
  declinedAt: nullableTimestamp(),
  expiresAt: timestamp(),
  membershipLifetime: nullableInteger({ description: 'How many seconds after joining the membership ends' }),
  ...times,
})
export type SentInvitation = Static<typeof SentInvitation>

/** As the holder of its token sees it. */
export const ReceivedInvitation = object({
  id: text(),
  email: text({ description: 'The invited address' }),
  expiresAt: timestamp(),
  organization: object({ id: text(), name: text(), imageUri: nullableText() }),
})
export type ReceivedInvitation = Static<typeof ReceivedInvitation>

/** The part that people who are not members may see. */
export const OrganizationSuggestion = object({
  organizationId: text(),
  name: text(),
  slug: text(),
  imageUri: nullableText(),
  domain: text({
    description: 'The domain of a verified e-mail address of the user, which the organization has verified',
  }),
})
export type OrganizationSuggestion = Static<typeof OrganizationSuggestion>
