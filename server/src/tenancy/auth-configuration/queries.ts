import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { authConfigurations } from '../tenants/tables.ts'
import type { LiveConnections } from '../tenants/tenant-entry.ts'

export const updateTenantAuthVersion = (tenantId: TenantId, version: number, at: Timestamp): Statement =>
  sql`UPDATE tenants SET auth_version = ${version}, updated_at = ${at} WHERE id = ${tenantId}`

export const selectTemplateType = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<{ type: string }>(sql`SELECT type FROM templates WHERE tenant_id = ${tenantId} AND id = ${id}`)

/** Selects a record whose rule requires a second factor. */
export const selectFactorRule = (db: Reader, tenantId: TenantId) =>
  db.first<{ kind: string; name: string }>(sql`SELECT 'role' AS kind, name FROM roles
    WHERE tenant_id = ${tenantId} AND requires_second_factor = 1
    UNION ALL SELECT 'organization' AS kind, name FROM organizations
    WHERE tenant_id = ${tenantId} AND second_factor_required = 1
    UNION ALL SELECT 'application' AS kind, name FROM applications
    WHERE tenant_id = ${tenantId} AND require_second_factor = 1 LIMIT 1`)

export const selectChannelType = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<{ type: string }>(sql`SELECT type FROM channels WHERE tenant_id = ${tenantId} AND id = ${id}`)

/** The social providers with which people can sign in. */
export const usableSocialProviders = (tenantId: TenantId): Fragment => sql`SELECT id FROM social_providers
  WHERE tenant_id = ${tenantId} AND enabled = 1 AND (authenticatable IS NULL OR authenticatable = 1)
  UNION ALL SELECT id FROM custom_providers WHERE tenant_id = ${tenantId} AND enabled = 1 AND authenticatable = 1`

export const selectUsableSocialProvider = (db: Reader, tenantId: TenantId) =>
  db.first<{ id: string }>(sql`${usableSocialProviders(tenantId)} LIMIT 1`)

export const selectAuthConfiguration = authConfigurations.byKey

type AuthInUseRow = Pick<RowOf<typeof authConfigurations>, 'document' | 'created_at'> & {
  readonly has_social_provider: number
  /** Whether an organization of the tenant has a live connection, and whether one is required. */
  readonly live_connections: LiveConnections
}

const liveConnections = (tenantId: TenantId) =>
  sql`SELECT 1 FROM connections WHERE tenant_id = ${tenantId} AND state = 'live'`

/** The configuration, and what else decides how people sign in: social providers, and connections of organizations. */
export const selectAuthInUse = (db: Reader, tenantId: TenantId, version: number) =>
  db.first<AuthInUseRow>(sql`SELECT document, created_at,
      CASE WHEN EXISTS (${usableSocialProviders(tenantId)}) THEN 1 ELSE 0 END AS has_social_provider,
      CASE WHEN EXISTS (${liveConnections(tenantId)} AND required = 1) THEN 'required'
        WHEN EXISTS (${liveConnections(tenantId)}) THEN 'live' ELSE 'none' END AS live_connections
    FROM auth_configurations WHERE tenant_id = ${tenantId} AND version = ${version}`)

/** Selects the version that was the newest at a time. */
export const selectVersionAt = (db: Reader, tenantId: TenantId, at: string) =>
  authConfigurations.first(db)`tenant_id = ${tenantId} AND created_at <= ${at} ORDER BY created_at DESC LIMIT 1`

export interface FactorRow {
  readonly id: UserId
  readonly created_at: Timestamp
  readonly has_username: number
  readonly has_email: number
  readonly has_phone: number
  readonly has_password: number
  readonly has_connection: number
  readonly has_passkey: number
}

type FactorTable = 'email_addresses' | 'phone_numbers' | 'passwords' | 'social_connections' | 'passkeys'

const present = (tenantId: TenantId, table: FactorTable) => sql`CASE WHEN EXISTS (
  SELECT 1 FROM ${sql.identifier(table)} t WHERE t.tenant_id = ${tenantId} AND t.user_id = u.id) THEN 1 ELSE 0 END`

const factorsOfUsers = (
  tenantId: TenantId,
) => sql`SELECT u.id, u.created_at, CASE WHEN u.username IS NULL THEN 0 ELSE 1 END AS has_username,
      ${present(tenantId, 'email_addresses')} AS has_email, ${present(tenantId, 'phone_numbers')} AS has_phone,
      ${present(tenantId, 'passwords')} AS has_password, ${present(tenantId, 'social_connections')} AS has_connection,
      ${present(tenantId, 'passkeys')} AS has_passkey FROM users u`

/** Selects what some users have for signing in; those who are not active are left out. */
export const selectFactorsAmong = (db: Reader, tenantId: TenantId, ids: readonly UserId[]) =>
  db.all<FactorRow>(sql`${factorsOfUsers(tenantId)}
    WHERE u.tenant_id = ${tenantId} AND u.id IN (${sql.list(ids)}) AND u.status = 'active'`)

/** Selects what active users have for signing in, newest first, a batch at a time. */
export const selectFactors = (db: Reader, tenantId: TenantId, before: string, batchSize: number) =>
  db.all<FactorRow>(sql`${factorsOfUsers(tenantId)}
    WHERE u.tenant_id = ${tenantId} AND u.created_at < ${before} AND u.status = 'active'
    ORDER BY u.created_at DESC LIMIT ${batchSize}`)

/** Counts, among the newest active users, those who have set up none of the given second factors. */
export async function countUsersToEnrol(
  db: Reader,
  tenantId: TenantId,
  { app, key, mail, text }: Readonly<Record<'app' | 'key' | 'mail' | 'text', boolean>>,
  usersMax: number,
): Promise<number> {
  const isOn = (flag: boolean) => sql`${flag ? 1 : 0} = 1`
  const row = await db.first<{ count: number }>(sql`SELECT count(*) AS count FROM (
      SELECT id FROM users WHERE tenant_id = ${tenantId} AND status = 'active' ORDER BY created_at DESC LIMIT ${usersMax}) u
    WHERE NOT (${isOn(app)} AND EXISTS (SELECT 1 FROM authenticator_codes c
        WHERE c.tenant_id = ${tenantId} AND c.user_id = u.id AND c.is_confirmed = 1))
      AND NOT (${isOn(key)} AND EXISTS (SELECT 1 FROM passkeys p
        WHERE p.tenant_id = ${tenantId} AND p.user_id = u.id AND p.is_second_factor = 1))
      AND NOT (${isOn(mail)} AND EXISTS (SELECT 1 FROM email_addresses e
        WHERE e.tenant_id = ${tenantId} AND e.user_id = u.id AND e.verified_at IS NOT NULL))
      AND NOT (${isOn(text)} AND EXISTS (SELECT 1 FROM phone_numbers n
        WHERE n.tenant_id = ${tenantId} AND n.user_id = u.id AND n.verified_at IS NOT NULL))`)
  return row?.count ?? 0
}

/** Counts, among the newest live sessions, those whose user has proven no second factor. They continue when a rule begins. */
export async function countSessionsWithoutFactor(
  db: Reader,
  tenantId: TenantId,
  now: Timestamp,
  sessionsMax: number,
): Promise<number> {
  const row = await db.first<{ count: number }>(sql`SELECT count(*) AS count FROM (
      SELECT second_factor_at, expires_at, actor_type FROM sessions WHERE tenant_id = ${tenantId} AND ended_at IS NULL
      ORDER BY created_at DESC LIMIT ${sessionsMax}) s
    WHERE second_factor_at IS NULL AND actor_type IS NULL AND expires_at > ${now}`)
  return row?.count ?? 0
}

/** Returns how many hooks let nobody sign in while their server fails. A tenant has at most ten. */
export async function countDenyingHooks(db: Reader, tenantId: TenantId): Promise<number> {
  const rows = await db.all(sql`SELECT id FROM hooks WHERE tenant_id = ${tenantId} AND point = 'sign_in.before_session'
    AND enabled = 1 AND on_failure = 'deny' LIMIT 10`)
  return rows.length
}
