import type { Static } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  id,
  integer,
  nullableText,
  nullableTimestamp,
  object,
  optional,
  text,
  timestamp,
} from '../../schema.ts'

/** How many tokens of one connection work at the same time, so that one can be replaced without a pause. */
export const scimTokensMax = 2
export const groupRulesMax = 100

const tokenProperties = {
  id: text(),
  tenantId: text(),
  connectionId: text(),
  name: text(),
  last4: text({ description: 'The last four characters of the token, to distinguish tokens' }),
  expiresAt: nullableTimestamp(),
  lastUsedAt: nullableTimestamp({ description: 'Updated at most once a minute' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** A token with which the directory of an organization provisions its members. */
export const ScimToken = object(tokenProperties)
export type ScimToken = Static<typeof ScimToken>

/** A new token of a directory with its text, which no other answer contains. */
export const ScimTokenWithToken = object({
  ...tokenProperties,
  token: text({ description: 'What the directory sends as Authorization: Bearer scim_…; shown only here' }),
  baseUri: text({ description: 'The address that the directory calls' }),
})
export type ScimTokenWithToken = Static<typeof ScimTokenWithToken>

/** What a new token of a directory is called, and when it expires. */
export const CreateScimToken = object({
  name: text({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' }),
  expiresAt: optional(
    nullableText({ format: 'cursor', description: 'When the token expires. A token without it never expires' }),
  ),
})
export type CreateScimToken = Static<typeof CreateScimToken>

/** A group that a directory has sent. */
export const ScimGroup = object({
  id: text(),
  tenantId: text(),
  connectionId: text(),
  displayName: text({ description: 'As the directory names the group' }),
  externalId: nullableText(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type ScimGroup = Static<typeof ScimGroup>

/** A rule by which the members of a group get a role. The first rule that matches decides. */
export const GroupRule = object({ groupId: id(), roleId: id() })
export type GroupRule = Static<typeof GroupRule>

/** Which groups of a directory give which roles. */
export const GroupRules = object({
  rules: array(GroupRule, {
    maxItems: groupRulesMax,
    description:
      'The first rule whose group a user is in decides. A role that no rule names was given by hand, and stays',
  }),
})
export type GroupRules = Static<typeof GroupRules>

const changedMember = object({
  memberId: text(),
  userId: text(),
  roleId: nullableText({ description: 'The role that the member has now' }),
  newRoleId: nullableText({ description: 'The role that the member would have' }),
})

/** What group rules would change. */
export const GroupRulesPreview = object({
  examined: integer({ description: 'How many members were looked at, at most 10,000' }),
  isComplete: boolean({ description: 'Whether these were all' }),
  changed: integer({ description: 'How many of them would have another role' }),
  members: array(changedMember, { description: 'The first 100 of them' }),
})
export type GroupRulesPreview = Static<typeof GroupRulesPreview>

/** A request of a directory that changed something or was refused. */
export const ScimLogEntry = object({
  id: text(),
  tenantId: text(),
  connectionId: text(),
  tokenId: nullableText({ description: 'The token that was used; it may have been revoked since' }),
  method: text(),
  resource: text({ description: 'What the request was about: Users, Groups or a document' }),
  resourceId: nullableText(),
  status: integer({ description: 'The HTTP status of the answer' }),
  reason: nullableText({ description: 'Why the request was refused, without values of people' }),
  createdAt: timestamp(),
})
export type ScimLogEntry = Static<typeof ScimLogEntry>

/** What the directory of an organization says about a user. */
export const ProvisionedUser = object({
  connectionId: text(),
  organizationId: text(),
  active: boolean(),
  attributes: anyJson({ description: 'As the directory has sent them, by their names in SCIM' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type ProvisionedUser = Static<typeof ProvisionedUser>
