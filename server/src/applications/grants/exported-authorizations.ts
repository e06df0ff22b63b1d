// What a user has allowed applications, as a part of the exports of all data about the user.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../../identity/deps.ts'
import type { DataPart } from '../../identity/users/export.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { sql } from '../../platform/db/sql.ts'
import type { GrantRow } from './grant-records.ts'
import { presentGrant } from './grants.ts'
import { presentAuthorizations } from './own-authorizations.ts'
import { grants } from './tables.ts'

export const batchSize = 200

/** Yields all grants of a user in batches, newest first. */
async function* grantsOfUser(
  { db }: Deps,
  { row: { tenant_id: tenantId, id } }: UserRecord,
): AsyncGenerator<readonly GrantRow[]> {
  let before: string | undefined
  for (;;) {
    const bound = before === undefined ? sql`` : sql`AND created_at < ${before}`
    const rows = await grants.all(db)`tenant_id = ${tenantId} AND user_id = ${id} ${bound}
      ORDER BY created_at DESC LIMIT ${batchSize}`
    yield rows
    before = rows.at(-1)?.created_at
    if (before === undefined || rows.length < batchSize) return
    // On SQLite nothing here ever waits for I/O, so other requests would not get a turn.
    await nextTurn()
  }
}

export const authorizationsPart: DataPart = {
  name: 'authorizations',
  async *forTenant(deps, user) {
    for await (const rows of grantsOfUser(deps, user)) yield* rows.map(presentGrant)
  },
  async *forUser(deps, user) {
    for await (const rows of grantsOfUser(deps, user)) yield* await presentAuthorizations(deps, rows)
  },
}
