// The settings of a tenant's authorization server, for those who run the tenant.
import { type OAuthSettings, type UpdateOAuthSettings, tokenPrefixes } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { issuerOfTenant } from './issuer.ts'
import { lifetimeDefaults } from './oauth-settings.ts'
import { oauthSettings } from './tables.ts'

type Row = RowOf<typeof oauthSettings>

const issuerGraceSecondsDefault = 7 * 24 * 60 * 60
const registrationSecondsDefault = 24 * 60 * 60

const unset = (tenantId: TenantId, at: Timestamp): Row => ({
  tenant_id: tenantId,
  metadata_documents_enabled: 0,
  registration_enabled: 0,
  registration_token_hash: null,
  registration_token_expires_at: null,
  access_token_ttl: null,
  refresh_token_ttl: null,
  id_token_ttl: null,
  issuer_domain: null,
  has_previous_issuer: 0,
  previous_issuer_domain: null,
  previous_issuer_until: null,
  created_at: at,
  updated_at: at,
})

const later = (at: Timestamp | null, now: Timestamp) => (at !== null && at > now ? at : null)

function present(deps: Deps, tenant: TenantEntry, row: Row): OAuthSettings {
  const now = deps.clock.now()
  return {
    issuer: issuerOfTenant(deps, tenant, { row }).id,
    issuerDomain: row.issuer_domain,
    previousIssuerUntil: row.has_previous_issuer === 1 ? later(row.previous_issuer_until, now) : null,
    metadataDocumentsEnabled: row.metadata_documents_enabled === 1,
    registrationEnabled: row.registration_enabled === 1,
    registrationTokenExpiresAt: later(row.registration_token_expires_at, now),
    accessTokenTtl: row.access_token_ttl ?? lifetimeDefaults.accessToken,
    refreshTokenTtl: row.refresh_token_ttl ?? lifetimeDefaults.refreshToken,
    idTokenTtl: row.id_token_ttl ?? lifetimeDefaults.idToken,
  }
}

/** @throws ApiError validation_failed for a domain that is not verified. */
function withIssuer({ domains }: TenantEntry, row: Row, input: UpdateOAuthSettings, now: Timestamp): Row {
  const { issuerDomain: domain, issuerGraceSeconds = issuerGraceSecondsDefault } = input
  if (domain === undefined || domain === row.issuer_domain) return row
  const isVerified = domains.some((each) => each.name === domain && each.is_verified === 1)
  if (domain !== null && !isVerified) {
    throw invalid('/issuerDomain', 'unknown_reference', 'is not a verified domain of this tenant')
  }
  return {
    ...row,
    issuer_domain: domain,
    has_previous_issuer: issuerGraceSeconds > 0 ? 1 : 0,
    previous_issuer_domain: row.issuer_domain,
    previous_issuer_until: addMilliseconds(now, issuerGraceSeconds * 1000),
  }
}

const or = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value)
const flag = (value: boolean | undefined, before: number) => (value === undefined ? before : value ? 1 : 0)

function applied(entry: TenantEntry, row: Row, input: UpdateOAuthSettings, now: Timestamp): Row {
  return {
    ...withIssuer(entry, row, input, now),
    metadata_documents_enabled: flag(input.metadataDocumentsEnabled, row.metadata_documents_enabled),
    registration_enabled: flag(input.registrationEnabled, row.registration_enabled),
    access_token_ttl: or(input.accessTokenTtl, row.access_token_ttl),
    refresh_token_ttl: or(input.refreshTokenTtl, row.refresh_token_ttl),
    id_token_ttl: or(input.idTokenTtl, row.id_token_ttl),
    updated_at: now,
  }
}

/** Returns the row, held until the transaction ends; the defaults if there is none yet. */
async function held(tx: Transaction, tenantId: TenantId, at: Timestamp) {
  await tx.run(sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`)
  return (await oauthSettings.byKey(tx, tenantId)) ?? unset(tenantId, at)
}

async function write(tx: Transaction, row: Row) {
  if ((await tx.run(oauthSettings.rewrite(row))) === 0) await tx.run(oauthSettings.insert(row))
}

/** @throws ApiError not_found */
export async function getOAuthSettings(deps: Deps, tenantId: TenantId): Promise<OAuthSettings> {
  const tenant = await getTenant(deps, tenantId)
  return present(deps, tenant, (await oauthSettings.byKey(deps.db, tenantId)) ?? unset(tenantId, deps.clock.now()))
}

function changes(before: OAuthSettings, after: OAuthSettings) {
  const old: Readonly<Record<string, unknown>> = before
  const changed = Object.entries(after).filter(([name, value]) => old[name] !== value)
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, old[name]])),
    after: Object.fromEntries(changed),
  }
}

/**
 * Changes the settings that are given. After a change of the issuer, the previous one is served for a time.
 * @throws ApiError not_found, validation_failed
 */
export async function putOAuthSettings(
  deps: Deps,
  tenantId: TenantId,
  input: UpdateOAuthSettings,
  actor: Actor,
): Promise<OAuthSettings> {
  const entry = await getTenant(deps, tenantId)
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const now = clock.now()
    const row = await held(tx, tenantId, now)
    const changed = applied(entry, row, input, now)
    await write(tx, changed)
    const after = present(deps, entry, changed)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'oauth_settings.updated',
        actor,
        subjectId: tenantId,
        data: changes(present(deps, entry, row), after),
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return after
  })
}

/**
 * Makes the initial access token with which clients register themselves. It is shown only in this answer.
 * @throws ApiError not_found
 */
export async function createRegistrationToken(
  deps: Deps,
  tenantId: TenantId,
  ttlSeconds: number = registrationSecondsDefault,
  actor: Actor,
) {
  await getTenant(deps, tenantId)
  const { db, clock, personal, tenants } = deps
  const token = newToken(tokenPrefixes.initialAccess)
  return db.transaction(async (tx) => {
    const now = clock.now()
    const expiresAt = addMilliseconds(now, ttlSeconds * 1000)
    const row = await held(tx, tenantId, now)
    await write(tx, {
      ...row,
      registration_token_hash: hashToken(token),
      registration_token_expires_at: expiresAt,
      updated_at: now,
    })
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'oauth_settings.updated',
        actor,
        subjectId: tenantId,
        data: { before: {}, after: {}, initialAccessTokenRotated: true },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return { token, expiresAt }
  })
}
