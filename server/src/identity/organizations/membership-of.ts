// One user's membership of one organization, with the roles that the membership and the user's groups there give.
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type TimedReader, isCurrent, isPast, roleIdNow } from '../../platform/http/ends.ts'
import type { RoleId, TenantId, UserId } from '../../platform/ids.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import { type FoundRole, findRoleRow, findRoleRows } from '../../tenancy/roles/find-role.ts'
import { type OrganizationRules, type OrganizationRulesRow, rulesOf } from './organization-security.ts'

export interface Membership {
  readonly id: string
  readonly organizationId: string
  /** When the membership, the role or the one in a group ends, whichever is first: what is granted by them must not last longer. */
  readonly endsAt: Timestamp | null
  /** The member's own role. */
  readonly role: FoundRole | undefined
  /** The member's own role and those of the member's groups. */
  readonly roles: readonly FoundRole[]
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

interface Place {
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly memberId: string
  readonly userId: UserId
}

interface GroupRole {
  readonly role_id: RoleId
  readonly expires_at: Timestamp | null
}

/**
 * The roles of the groups that a member is in, chosen or by a directory, and until when. An organization has at most a hundred groups, of each
 * of which a user is a member once.
 */
const selectGroupRoles = (db: Reader, { tenantId, organizationId, memberId, userId }: Place, now: Timestamp) =>
  db.all<GroupRole>(sql`SELECT g.role_id, m.expires_at FROM organization_groups g
    LEFT JOIN organization_group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id
      AND m.member_id = ${memberId} AND (m.expires_at IS NULL OR m.expires_at > ${now})
    WHERE g.tenant_id = ${tenantId} AND g.organization_id = ${organizationId} AND g.role_id IS NOT NULL AND (
      (g.scim_group_id IS NULL AND m.member_id IS NOT NULL)
      OR EXISTS (SELECT 1 FROM scim_users u JOIN scim_group_members s
        ON s.tenant_id = u.tenant_id AND s.member_id = u.id
        WHERE u.tenant_id = ${tenantId} AND u.user_id = ${userId} AND u.active = 1 AND s.group_id = g.scim_group_id))
    LIMIT 100`)

/**
 * Returns the name of a member's own role for tokens. Apps decide by names that they know, which are those of the tenant's roles; the names
 * of other roles are chosen by the organization.
 */
export const roleNameForTokens = ({ role }: Pick<Membership, 'role'>): string | null =>
  role?.organization_id === null ? role.name : null

/** Returns what the roles of a member allow together. */
export const permissionsOfMember = ({ roles }: Pick<Membership, 'roles'>): string[] => [
  ...new Set(roles.flatMap(({ permissions }) => fromJson(permissions))),
]

type MetaRow = Readonly<Record<keyof typeof metaColumns, JsonText<unknown>>>
type MemberRow = OrganizationRulesRow &
  Partial<MetaRow> & {
    readonly id: string
    readonly role_id: RoleId | null
    readonly expires_at: Timestamp | null
    readonly role_expires_at: Timestamp | null
    /** Whether a group of the organization gives a role. */
    readonly has_groups: number
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

const earliest = (ends: readonly (Timestamp | null)[]): Timestamp | null =>
  ends.filter((end) => end !== null).toSorted()[0] ?? null

/** Returns the earlier end; a role that has ended already ends nothing more. */
const firstEnd = ({ expires_at: end, role_expires_at: roleEnd }: MemberRow, now: Timestamp) =>
  earliest([end, isPast(roleEnd, now) ? null : roleEnd])

/**
 * Also returns undefined for an organization that does not exist, and once the membership has ended.
 * @param withMeta whether the metadata are read too, which may be long.
 */
export async function findMembershipOf(
  { db, clock }: TimedReader,
  tenantId: TenantId,
  organizationId: string,
  userId: UserId,
  withMeta = false,
): Promise<Membership | undefined> {
  const now = clock.now()
  const row =
    await db.first<MemberRow>(sql`SELECT m.id, m.role_id, m.expires_at, m.role_expires_at, o.second_factor_required, o.allowed_strategies,
      o.session_maximum_lifetime, o.name, o.slug, CASE WHEN EXISTS (SELECT 1 FROM organization_groups g
        WHERE g.tenant_id = ${tenantId} AND g.organization_id = o.id AND g.role_id IS NOT NULL) THEN 1 ELSE 0 END
        AS has_groups${withMeta ? withMetaColumns : sql``}
    FROM organization_members m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId} AND m.user_id = ${userId}
      AND ${isCurrent(now)}`)
  if (row === undefined) return undefined
  const ownRoleId = roleIdNow(row, now)
  const role = ownRoleId === null ? undefined : await findRoleRow(db, tenantId, organizationId, ownRoleId)
  const own = role === undefined ? [] : [role]
  const { id, name, slug } = row
  const meta = withMeta ? metaIn(row as MetaRow) : undefined
  const membership = {
    id,
    organizationId,
    endsAt: firstEnd(row, now),
    role,
    roles: own,
    rules: rulesOf(row),
    organization: { name, slug },
    meta,
  }
  if (row.has_groups === 0) return membership
  const granted = await selectGroupRoles(db, { tenantId, organizationId, memberId: id, userId }, now)
  const others = await findRoleRows(
    db,
    tenantId,
    organizationId,
    granted.map(({ role_id: roleId }) => roleId).filter((roleId) => roleId !== role?.id),
  )
  const endsAt = earliest([membership.endsAt, ...granted.map((each) => each.expires_at)])
  return { ...membership, endsAt, roles: [...own, ...others.values()] }
}
