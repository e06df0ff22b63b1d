// What a user has allowed applications, as a part of the exports of all data about the user.
import type { Deps } from '../../identity/deps.ts'
import type { DataPart } from '../../identity/people/export.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { newestFirst } from '../../platform/db/newest-first.ts'
import { sql } from '../../platform/db/sql.ts'
import type { GrantRow } from './grant-records.ts'
import { presentGrant } from './grants.ts'
import { presentAuthorizations } from './own-authorizations.ts'
import { grants } from './tables.ts'

const grantsOfUser = ({ db }: Deps, { row: { tenant_id: tenantId, id } }: UserRecord) =>
  newestFirst<GrantRow>((before, limit) => {
    const bound = before === undefined ? sql`` : sql`AND created_at < ${before}`
    return grants.all(db)`tenant_id = ${tenantId} AND user_id = ${id} ${bound} ORDER BY created_at DESC LIMIT ${limit}`
  })

export const authorizationsPart: DataPart = {
  name: 'authorizations',
  async *forTenant(deps, user) {
    for await (const rows of grantsOfUser(deps, user)) yield* rows.map(presentGrant)
  },
  async *forUser(deps, user) {
    for await (const rows of grantsOfUser(deps, user)) yield* await presentAuthorizations(deps, rows)
  },
}
