import { CreateScimToken, type GroupRule, GroupRules } from '@bailiwick/contract'
import { aHash, anId, type ColumnRule, fieldsOf, lastFour } from '../../platform/db/accepted.ts'
import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type {
  ConnectionId,
  OrganizationId,
  ScimGroupId,
  ScimLogId,
  ScimTokenId,
  ScimUserId,
  UserId,
} from '../../platform/ids.ts'
import { isStoredAttributes } from './protocol/stored.ts'
import type { Attributes } from './protocol/values.ts'

const ofConnection = { connection_id: id<ConnectionId>() }

const shortLine: ColumnRule = {
  rule: 'must be a text of at most 1,024 characters',
  test: (value) => typeof value === 'string' && value.length <= 1024,
}

/** What belongs to the directory of a connection as a whole. The row is the lock of the connection's users and groups. */
export const scimDirectories = table(
  'scim_directories',
  {
    tenant_id: record().tenant_id,
    ...ofConnection,
    group_rules: json<readonly GroupRule[]>(),
    /** Users and groups have the places 1 to these, without a gap. */
    ...many(integer(), 'users_total', 'groups_total'),
  },
  { key: ['tenant_id', 'connection_id'], accepts: { group_rules: GroupRules.properties.rules } },
)

export const scimTokens = table(
  'scim_tokens',
  {
    ...record<ScimTokenId>(),
    ...ofConnection,
    name: text(),
    hash: text(),
    last4: text(),
    ...many(time().nullable(), 'expires_at', 'last_used_at'),
  },
  { accepts: { ...fieldsOf(CreateScimToken), hash: aHash, last4: lastFour } },
)

/** The users whom a directory provisions. While one is active, the user is a member of the connection's organization. */
export const scimUsers = table(
  'scim_users',
  {
    ...record<ScimUserId>(),
    ...ofConnection,
    organization_id: id<OrganizationId>(),
    user_id: id<UserId>(),
    /** In the list of the connection's users, from 1. */
    place: integer(),
    user_name_key: text(),
    external_id: text().nullable(),
    /** Of the address by which the user is known here. */
    email_key: text().nullable(),
    display_name_key: text().nullable(),
    active: flag(),
    /** Whether the directory has made the user, whose names it manages then. */
    owns_profile: flag(),
    /** Whether the user was suspended when the directory ended the membership. */
    suspended: flag(),
    attributes: json<Attributes>(),
    version: integer(),
  },
  {
    accepts: {
      organization_id: anId,
      user_name_key: shortLine,
      external_id: shortLine,
      email_key: shortLine,
      display_name_key: shortLine,
      attributes: { rule: 'must be attributes of a SCIM user', test: isStoredAttributes },
    },
  },
)

export const scimGroups = table(
  'scim_groups',
  {
    ...record<ScimGroupId>(),
    ...ofConnection,
    place: integer(),
    display_name: text(),
    display_name_key: text(),
    external_id: text().nullable(),
    version: integer(),
  },
  { accepts: { display_name: shortLine, display_name_key: shortLine, external_id: shortLine } },
)

export const scimGroupMembers = table(
  'scim_group_members',
  { tenant_id: record().tenant_id, group_id: id<ScimGroupId>(), member_id: id<ScimUserId>() },
  { key: ['tenant_id', 'group_id', 'member_id'] },
)

export const scimLog = table(
  'scim_log',
  {
    ...record<ScimLogId>(),
    ...ofConnection,
    token_id: id<ScimTokenId>().nullable(),
    ...many(text(), 'method', 'resource'),
    resource_id: text().nullable(),
    status: integer(),
    reason: text().nullable(),
  },
  { notExported: 'it says what the directory asked of this deployment, and is kept for 30 days' },
)
