// A tenant's domains. A domain is proved by a TXT record; of all tenants that claim a name, only one can have proved it.
import { type EventDataByType, type EventType, type TenantDomain, domainKey } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { newPublicKey } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { TenantDefaults } from '../../platform/feature.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { lockTenant } from '../tenants/find-tenant.ts'
import { getTenant } from '../tenants/tenants.ts'
import * as queries from './queries.ts'
import { recordName, recordValue, whyUnproven } from './verification-record.ts'

const presentDomain = (row: queries.DomainRow): TenantDomain => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  primary: row.is_primary === 1,
  type: row.type,
  verified: row.verified_at !== null,
  verificationRecordType: 'TXT',
  verificationRecordDomain: recordName(row.name_key),
  verificationRecordValue: recordValue(row.verification_token),
  verificationRecordReason: row.verification_reason,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const event = <Type extends Extract<EventType, `domain.${string}`>>(
  { clock, personal }: Deps,
  type: Type,
  row: queries.DomainRow,
  actor: Actor,
  data: EventDataByType[Type],
) => eventStatement(clock, personal, { tenantId: row.tenant_id, type, actor, subjectId: row.id, data })

const newDomainRow = (tenantId: TenantId, name: string, at: Timestamp, isPrimary: boolean): queries.DomainRow => ({
  tenant_id: tenantId,
  id: newId<'DomainId'>(),
  name,
  name_key: domainKey(name),
  is_primary: isPrimary ? 1 : 0,
  type: 'external',
  verified_at: null,
  verification_token: newPublicKey(''),
  verification_reason: null,
  created_at: at,
  updated_at: at,
})

/** Returns the tenant that has verified a domain, by the domain's key. */
export async function findDomainOwner(db: Reader, nameKey: string): Promise<TenantId | undefined> {
  return (await queries.selectVerifiedDomainOwner(db, nameKey))?.tenant_id
}

async function getRow(db: Transaction | Deps['db'], tenantId: TenantId, id: string) {
  const row = await queries.selectDomain(db, tenantId, id)
  if (row === undefined) throw notFound()
  return row
}

/** @throws ApiError not_found */
export async function listDomains(deps: Deps, tenantId: TenantId) {
  await getTenant(deps, tenantId)
  return (await queries.selectDomains(deps.db, tenantId)).map(presentDomain)
}

/** @throws ApiError not_found */
export const getDomain = async ({ db }: Deps, tenantId: TenantId, id: string) =>
  presentDomain(await getRow(db, tenantId, id))

/** The domain that a new tenant begins with, unverified and primary. */
export function firstDomain({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId, name: string): TenantDefaults {
  const row = newDomainRow(tenantId, name, clock.next(), true)
  return { statements: [queries.insertDomain(row)], counts: {} }
}

/**
 * Adds a domain, unverified; the first one is primary.
 * @throws ApiError not_found; domain_exists; domain_taken if another tenant has verified it; domain_limit_reached.
 */
export async function createDomain(deps: Deps, tenantId: TenantId, name: string, actor: Actor) {
  const { db, clock, tenants } = deps
  const key = domainKey(name)
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const domains = await queries.selectDomains(tx, tenantId)
    if (domains.some((domain) => domain.name_key === key)) throw new ApiError('domain_exists')
    if ((await findDomainOwner(tx, key)) !== undefined) throw new ApiError('domain_taken')
    if (domains.length >= queries.domainsMax) throw new ApiError('domain_limit_reached')
    const at = clock.next()
    const row = newDomainRow(tenantId, name, at, domains.length === 0)
    await tx.run(queries.insertDomain(row))
    await tx.run(event(deps, 'domain.created', row, actor, { name }))
    await invalidateTenant(tx, tenants, tenantId)
    return presentDomain(row)
  })
}

/**
 * Looks the record up and stores the result. The name server's answer counts only for the claim that was asked about: it does not verify a
 * domain that was removed or made again meanwhile.
 * @throws ApiError not_found; domain_taken if another tenant has proved it already.
 */
export async function verifyDomain(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, tenants } = deps
  const asked = await getRow(db, tenantId, id)
  if (asked.verified_at !== null) return presentDomain(asked)
  const reason = (await whyUnproven(deps, asked.tenant_id, asked.name_key, asked.verification_token)) ?? null
  const isFound = reason === null
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const row = await getRow(tx, tenantId, id)
    if (row.verified_at !== null) return presentDomain(row)
    if (row.verification_token !== asked.verification_token || row.name_key !== asked.name_key) throw notFound()
    const at = clock.now()
    const after = { ...row, verified_at: isFound ? at : null, verification_reason: reason, updated_at: at }
    await tx.run(queries.updateVerification(after))
    const type = isFound ? 'domain.verified' : 'domain.verification_failed'
    await tx.run(event(deps, type, row, actor, { name: row.name, reason }))
    await invalidateTenant(tx, tenants, tenantId)
    return presentDomain(after)
  })
}

/** @throws ApiError not_found; domain_unverified. */
export async function makeDomainPrimary(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, tenants } = deps
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const row = await getRow(tx, tenantId, id)
    if (row.is_primary === 1) return presentDomain(row)
    if (row.verified_at === null) throw new ApiError('domain_unverified')
    const at = clock.now()
    for (const statement of queries.updatePrimary(tenantId, id, at)) await tx.run(statement)
    await tx.run(event(deps, 'domain.made_primary', row, actor, { name: row.name }))
    await invalidateTenant(tx, tenants, tenantId)
    return presentDomain({ ...row, is_primary: 1, updated_at: at })
  })
}

/**
 * Removes a domain. If it was primary, the oldest verified one becomes primary, else the oldest.
 * @throws ApiError not_found
 */
export async function deleteDomain(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, tenants } = deps
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const row = await getRow(tx, tenantId, id)
    await tx.run(queries.deleteDomain(tenantId, id))
    const rest = (await queries.selectDomains(tx, tenantId)).toReversed()
    const heir = rest.find((domain) => domain.verified_at !== null) ?? rest[0]
    if (row.is_primary === 1 && heir !== undefined) {
      for (const statement of queries.updatePrimary(tenantId, heir.id, clock.now())) await tx.run(statement)
    }
    await tx.run(event(deps, 'domain.deleted', row, actor, { name: row.name }))
    await invalidateTenant(tx, tenants, tenantId)
    return presentDomain(row)
  })
}
