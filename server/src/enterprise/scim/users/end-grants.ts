// Ends what a user has allowed applications to do for an organization, or at all. Their tokens end with the rows: a refresh token does not work again
// when the user becomes a member again. The grants themselves belong to the applications, a wing above.
import type { Transaction } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import type { Actor } from '../../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../../platform/ids.ts'
import { type JsonText, fromJson } from '../../../platform/json-text.ts'
import type { Deps } from '../../deps.ts'

interface Ended {
  readonly id: string
  readonly user_id: string
  readonly application_id: string
  readonly organization_id: string | null
  readonly scopes: JsonText<readonly string[]>
  readonly resource_scopes: JsonText<Readonly<Record<string, readonly string[]>>>
  readonly claims: JsonText<readonly string[]>
}

interface Leaving {
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly actor: Actor
}

const batchSize = 100

/**
 * Runs in a transaction that holds the user.
 * @param organizationId undefined ends what was allowed for any organization, and for none.
 */
export async function endGrants(
  { clock, personal }: Deps,
  tx: Transaction,
  { tenantId, userId, actor }: Leaving,
  organizationId: string | undefined,
): Promise<void> {
  const forOrganization = organizationId === undefined ? sql`` : sql`AND organization_id = ${organizationId}`
  const ofUser = sql`tenant_id = ${tenantId} AND user_id = ${userId} ${forOrganization}`
  for (;;) {
    const rows =
      await tx.all<Ended>(sql`SELECT id, user_id, application_id, organization_id, scopes, resource_scopes, claims
      FROM grants WHERE ${ofUser} ORDER BY created_at LIMIT ${batchSize}`)
    for (const row of rows) {
      await tx.run(sql`DELETE FROM grants WHERE tenant_id = ${tenantId} AND id = ${row.id}`)
      const before = {
        userId: row.user_id,
        applicationId: row.application_id,
        organizationId: row.organization_id,
        scopes: [...fromJson(row.scopes)],
        resources: Object.entries(fromJson(row.resource_scopes)).map(([indicator, scopes]) => ({
          indicator,
          scopes: [...scopes],
        })),
        claims: [...fromJson(row.claims)],
      }
      await tx.run(
        eventStatement(clock, personal, {
          tenantId,
          type: 'grant.deleted',
          actor,
          subjectId: row.id,
          data: { before },
        }),
      )
    }
    if (rows.length < batchSize) return
  }
}
