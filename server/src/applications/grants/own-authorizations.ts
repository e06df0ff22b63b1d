// The applications with access to the signed-in user's account.
import type { Authorization } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { EndGrants } from '../../identity/people/secure-account.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { fromJson } from '../../platform/json-text.ts'
import { applications } from '../applications/tables.ts'
import { visibleApplication } from '../applications/visible-application.ts'
import { resources } from '../resources/tables.ts'
import { type GrantRow, grantEventData } from './grant-records.ts'
import { grants } from './tables.ts'

/** The most applications that are shown. */
const shownMax = 200

/** Presents grants of one tenant, with the names of their applications and resources. */
export async function presentAuthorizations({ db, config }: Deps, rows: readonly GrantRow[]): Promise<Authorization[]> {
  const [first] = rows
  if (first === undefined) return []
  const tenantId = first.tenant_id
  const ids = [...new Set(rows.map((row) => row.application_id))]
  const indicators = [...new Set(rows.flatMap((row) => Object.keys(fromJson(row.resource_scopes))))]
  const apps = new Map((await applications.byIds(db, tenantId, ids)).map((row) => [row.id, row]))
  const named =
    indicators.length === 0
      ? []
      : await resources.all(db)`tenant_id = ${tenantId} AND indicator IN (${sql.list(indicators)})
          LIMIT ${indicators.length}`
  const names = new Map(named.map(({ indicator, name }) => [indicator, name]))
  return rows.flatMap((row) => {
    const application = apps.get(row.application_id)
    if (application === undefined) return []
    return {
      id: row.id,
      application: visibleApplication(config, application),
      organizationId: row.organization_id,
      scopes: fromJson(row.scopes) as string[],
      resources: Object.entries(fromJson(row.resource_scopes)).map(([indicator, scopes]) => ({
        name: names.get(indicator) ?? indicator,
        indicator,
        scopes: [...scopes],
      })),
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    }
  })
}

export async function listOwnAuthorizations(deps: Deps, { row }: LiveSession): Promise<Authorization[]> {
  const rows = await grants.all(deps.db)`tenant_id = ${row.tenant_id} AND user_id = ${row.user_id}
    ORDER BY created_at DESC LIMIT ${shownMax}`
  return presentAuthorizations(deps, rows)
}

/** Removes a grant with all tokens that were issued for it. The caller has locked the row in this transaction. */
export async function removeGrant({ clock, personal }: Deps, tx: Transaction, row: GrantRow, actor: Actor) {
  await tx.run(grants.delete(row.tenant_id, row.id))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId: row.tenant_id,
      type: 'grant.deleted',
      actor,
      subjectId: row.id,
      data: { before: grantEventData(row) },
    }),
  )
}

/** @throws ApiError not_found, also for a grant of another user. */
export async function deleteOwnAuthorization(deps: Deps, { row: own }: LiveSession, id: string, actor: Actor) {
  const row = await grants.byKey(deps.db, own.tenant_id, id)
  if (row?.user_id !== own.user_id) throw notFound()
  const [authorization] = await presentAuthorizations(deps, [row])
  if (authorization === undefined) throw notFound()
  await deps.db.transaction(async (tx) => {
    const held = await grants.lock(tx, own.tenant_id, id)
    if (held?.user_id !== own.user_id) throw notFound()
    await removeGrant(deps, tx, held, actor)
  })
  return { authorization }
}

/** Removes every grant of a user whom the caller's transaction holds, with all tokens. */
export const endGrants: EndGrants = async (deps, tx, { tenantId, userId }, actor) => {
  const rows = await grants.all(tx)`tenant_id = ${tenantId} AND user_id = ${userId}`
  for (const row of rows) await removeGrant(deps, tx, row, actor)
  return rows.length
}
