// The applications with access to the signed-in user's account.
import { type Authorization, idJagGrant } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { EndGrants } from '../../identity/people/secure-account.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { ApplicationRow } from '../applications/application-records.ts'
import { applications } from '../applications/tables.ts'
import { visibleApplication } from '../applications/visible-application.ts'
import { resources } from '../resources/tables.ts'
import { type GrantRow, grantEventData } from './grant-records.ts'
import { grants } from './tables.ts'

/** The most applications that are shown. */
const shownMax = 200

const isAgent = ({ grant_types: types }: Pick<ApplicationRow, 'grant_types'>) => fromJson(types).includes(idJagGrant)

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
      isAgent: row.organization_id !== null && isAgent(application),
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

/** An application that acts for members of an organization because their provider allows it. */
export interface Agent {
  readonly name: string
  /** For how many members, counted up to a limit. */
  readonly members: number
  readonly lastUsedAt: Timestamp
}

const agentGrantsMax = 10_000
const agentsMax = 50

/** Returns the agents of an organization, the one that was used last first. */
export async function listAgents(
  { db }: Pick<Deps, 'db'>,
  tenantId: TenantId,
  organizationId: string,
): Promise<Agent[]> {
  const rows = await db.all<{ name: string; members: number; last_used_at: Timestamp }>(sql`SELECT a.name,
      COUNT(*) AS members, MAX(g.last_used_at) AS last_used_at
    FROM (SELECT application_id, last_used_at FROM grants
      WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} LIMIT ${agentGrantsMax}) g
    JOIN applications a ON a.tenant_id = ${tenantId} AND a.id = g.application_id AND a.grant_types LIKE ${`%"${idJagGrant}"%`}
    GROUP BY a.id, a.name ORDER BY MAX(g.last_used_at) DESC LIMIT ${agentsMax}`)
  return rows.map(({ name, members, last_used_at: lastUsedAt }) => ({ name, members, lastUsedAt }))
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
