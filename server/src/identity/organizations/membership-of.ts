// One user's membership of one organization, with the role that the membership gives.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RoleId, TenantId, UserId } from '../../platform/ids.ts'
import type { JsonText } from '../../platform/json-text.ts'
import { type RoleRow, findRoleRow } from '../../tenancy/roles/find-role.ts'
import { type OrganizationRules, type OrganizationRulesRow, rulesOf } from './organization-security.ts'

export interface Membership {
  readonly id: string
  readonly organizationId: string
  readonly role: RoleRow | undefined
  /** What the organization requires of sessions that act for it. */
  readonly rules: OrganizationRules
  readonly organization: { readonly name: string; readonly slug: string }
  /** Present if it was asked for. */
  readonly meta: MembershipMeta | undefined
}

/** What the tenant keeps with the organization and with the membership. */
interface MembershipMeta {
  readonly public: JsonText<unknown>
  readonly private: JsonText<unknown>
  readonly organizationPublic: JsonText<unknown>
  readonly organizationPrivate: JsonText<unknown>
}

type MetaRow = Readonly<Record<keyof typeof metaColumns, JsonText<unknown>>>
type MemberRow = OrganizationRulesRow &
  Partial<MetaRow> & {
    readonly id: string
    readonly role_id: RoleId | null
    readonly name: string
    readonly slug: string
  }

const metaColumns = {
  public_meta: sql`m.public_meta`,
  private_meta: sql`m.private_meta`,
  organization_public_meta: sql`o.public_meta AS organization_public_meta`,
  organization_private_meta: sql`o.private_meta AS organization_private_meta`,
}
const withMetaColumns = sql`, ${sql.join(Object.values(metaColumns), ', ')}`

const metaIn = (row: MetaRow): MembershipMeta => ({
  public: row.public_meta,
  private: row.private_meta,
  organizationPublic: row.organization_public_meta,
  organizationPrivate: row.organization_private_meta,
})

/**
 * Also returns undefined for an organization that does not exist.
 * @param withMeta whether the metadata are read too, which may be long.
 */
export async function findMembershipOf(
  db: Reader,
  tenantId: TenantId,
  organizationId: string,
  userId: UserId,
  withMeta = false,
): Promise<Membership | undefined> {
  const row = await db.first<MemberRow>(sql`SELECT m.id, m.role_id, o.second_factor_required, o.allowed_strategies,
      o.session_maximum_lifetime, o.name, o.slug${withMeta ? withMetaColumns : sql``}
    FROM organization_members m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId} AND m.user_id = ${userId}`)
  if (row === undefined) return undefined
  const role = row.role_id === null ? undefined : await findRoleRow(db, tenantId, row.role_id)
  const { id, name, slug } = row
  const meta = withMeta ? metaIn(row as MetaRow) : undefined
  return { id, organizationId, role, rules: rulesOf(row), organization: { name, slug }, meta }
}
