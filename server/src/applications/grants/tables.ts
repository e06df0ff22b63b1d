import { type ColumnRule, listOf } from '../../platform/db/accepted.ts'
import { id, json, record, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { ApplicationId, GrantId, OrganizationId, UserId } from '../../platform/ids.ts'

const scopes = listOf(/^[!#-[\]-~]{1,256}$/, 500)

const resourceScopes: ColumnRule = {
  rule: 'must be scopes by resource',
  test: (value, row) =>
    typeof value === 'object' && value !== null && Object.values(value).every((each) => scopes.test(each, row)),
}

/**
 * What users have allowed applications; unique by user, application and organization. An application that asks for no consent gets a row
 * when it first signs a user in, so that the user sees it among those with access. Deleting the row deletes its tokens, too.
 */
export const grants = table(
  'grants',
  {
    ...record<GrantId>(),
    user_id: id<UserId>(),
    application_id: id<ApplicationId>(),
    /** The organization for which the user has allowed it; null if none. */
    organization_id: id<OrganizationId>().nullable(),
    /** Scopes of OpenID Connect. */
    scopes: json<readonly string[]>(),
    /** The scopes at each resource, by its indicator. */
    resource_scopes: json<Readonly<Record<string, readonly string[]>>>(),
    /** Single claims that were requested outside of scopes. */
    claims: json<readonly string[]>(),
    last_used_at: time(),
  },
  { accepts: { scopes, claims: scopes, resource_scopes: resourceScopes } },
)
