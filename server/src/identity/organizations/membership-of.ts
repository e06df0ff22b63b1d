// One user's membership of one organization, with the role that the membership gives.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RoleId, TenantId, UserId } from '../../platform/ids.ts'
import { type RoleRow, findRoleRow } from '../../tenancy/roles/find-role.ts'
import { type OrganizationRules, type OrganizationRulesRow, rulesOf } from './organization-security.ts'

export interface Membership {
  readonly id: string
  readonly organizationId: string
  readonly role: RoleRow | undefined
  /** What the organization requires of sessions that act for it. */
  readonly rules: OrganizationRules
}

type MemberRow = OrganizationRulesRow & { readonly id: string; readonly role_id: RoleId | null }

/** Also returns undefined for an organization that does not exist. */
export async function findMembershipOf(
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
  userId: UserId,
): Promise<Membership | undefined> {
  const row = await db.first<MemberRow>(sql`SELECT m.id, m.role_id, o.second_factor_required, o.allowed_strategies,
      o.session_maximum_lifetime
    FROM organization_members m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId} AND m.user_id = ${userId}`)
  if (row === undefined) return undefined
  const role = row.role_id === null ? undefined : await findRoleRow(db, tenantId, row.role_id)
  return { id: row.id, organizationId, role, rules: rulesOf(row) }
}
