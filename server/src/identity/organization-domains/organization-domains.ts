// Domains of organizations, managed by the tenant or by members of the organization who may. Several organizations of a tenant may claim a
// domain, but only one of them can have proved that it owns it, and only a proven domain has effects.
import { type EventDataByType, type EventType, type OrganizationDomain, asciiDomain } from '@bailiwick/contract'
import { atMachineTime } from '../../platform/clock.ts'
import { newPublicKey } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { type OrganizationId, newId } from '../../platform/ids.ts'
import { takeQuota } from '../../platform/quotas/quotas.ts'
import { recordName, recordValue, whyUnproven } from '../../tenancy/domains/verification-record.ts'
import type { Deps } from '../deps.ts'
import * as queries from '../organizations/domain-records.ts'
import { holdOrganization } from '../organizations/members.ts'
import type { OrganizationPlace } from '../organizations/organizations.ts'
import { whyRefused } from './refused-names.ts'

/** A limit for each organization, because every check makes the deployment ask foreign name servers. */
const checks = ({ config }: Deps) => ({
  name: 'organization_domain_checks:hour',
  usesMax: config.env === 'development' ? 3000 : 30,
  windowSeconds: 60 * 60,
})

const present = (row: queries.OrganizationDomainRow): OrganizationDomain => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  verified: row.verified_at !== null,
  verifiedByDns: row.dns_verified_at !== null,
  verificationRecordType: 'TXT',
  verificationRecordDomain: recordName(row.name),
  verificationRecordValue: recordValue(row.verification_token),
  verificationRecordReason: row.verification_reason,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

type DomainEventType = Extract<EventType, `organization_domain.${string}`>

const named = ({ organization_id: organizationId, name }: queries.OrganizationDomainRow) => ({ organizationId, name })

const event = <Type extends DomainEventType>(
  { clock, personal }: Deps,
  type: Type,
  row: queries.OrganizationDomainRow,
  { actor }: OrganizationPlace,
  data: EventDataByType[Type],
) => eventStatement(clock, personal, { tenantId: row.tenant_id, type, actor, subjectId: row.id, data })

/**
 * Changes of one organization's domains, and their consequences for others, happen one after the other: the organization's row is their
 * lock, which is taken only for callers who may make the change.
 */
async function change<Result>(
  { db }: Deps,
  place: OrganizationPlace,
  make: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await holdOrganization(tx, place.tenantId, place.organizationId)
    await place.enter(tx)
    return make(tx)
  })
}

async function getRow(db: Reader, { tenantId, organizationId }: OrganizationPlace, id: string) {
  const row = await queries.selectDomain(db, tenantId, organizationId, id)
  if (row === undefined) throw notFound()
  return row
}

/** @throws ApiError forbidden, not_found */
export async function listOrganizationDomains({ db }: Deps, place: OrganizationPlace) {
  await place.enter(db)
  return (await queries.selectDomains(db, place.tenantId, place.organizationId)).map(present)
}

/** @throws ApiError forbidden, not_found */
export async function getOrganizationDomain({ db }: Deps, place: OrganizationPlace, id: string) {
  await place.enter(db)
  return present(await getRow(db, place, id))
}

/**
 * Claims a domain. If another organization has proved it, the caller learns that only by proving it too, because nobody else may know.
 * @throws ApiError forbidden, not_found, domain_exists, domain_limit_reached; validation_failed for a domain that is open to everybody.
 */
export async function createOrganizationDomain(deps: Deps, place: OrganizationPlace, given: string) {
  const name = asciiDomain(given) ?? given
  const reason = whyRefused(name)
  await place.enter(deps.db)
  if (reason !== undefined) throw invalid('/name', 'public_domain', reason)
  return change(deps, place, async (tx) => {
    const domains = await queries.selectDomains(tx, place.tenantId, place.organizationId)
    if (domains.some((domain) => domain.name === name)) throw new ApiError('domain_exists')
    if (domains.length >= queries.domainsMax) throw new ApiError('domain_limit_reached')
    const at = deps.clock.next()
    const row: queries.OrganizationDomainRow = {
      tenant_id: place.tenantId,
      id: newId<'OrganizationDomainId'>(),
      organization_id: place.organizationId as OrganizationId,
      name,
      verified_at: null,
      dns_verified_at: null,
      verification_token: newPublicKey(''),
      verification_reason: null,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertDomain(row))
    await tx.run(event(deps, 'organization_domain.created', row, place, named(row)))
    return present(row)
  })
}

/**
 * Looks the record up and stores the result. The name server's answer counts only for the claim that was asked about, and only while the
 * caller may still manage domains.
 * @throws ApiError forbidden, not_found, too_many_attempts; domain_taken if another organization has proved it already.
 */
export async function verifyOrganizationDomain(deps: Deps, place: OrganizationPlace, id: string) {
  const { db, clock } = deps
  await place.enter(db)
  const asked = await getRow(db, place, id)
  if (asked.dns_verified_at !== null) return present(asked)
  // A clock that is moved ahead brings no more questions to the name servers.
  await atMachineTime(() =>
    db.transaction((tx) => takeQuota(deps, tx, place.tenantId, checks(deps), place.organizationId)),
  )
  const reason = (await whyUnproven(deps, asked.tenant_id, asked.name, asked.verification_token)) ?? null
  return change(deps, place, async (tx) => {
    // The claim is read by its id, which no other claim has: one that was removed and made again meanwhile is not found.
    const before = await getRow(tx, place, id)
    if (before.dns_verified_at !== null) return present(before)
    const at = clock.now()
    const row = {
      ...before,
      // What the tenant has vouched for stays verified.
      verified_at: before.verified_at ?? (reason === null ? at : null),
      dns_verified_at: reason === null ? at : null,
      verification_reason: reason,
      updated_at: at,
    }
    await tx.run(queries.updateVerification(row))
    const type = reason === null ? 'organization_domain.verified' : 'organization_domain.verification_failed'
    await tx.run(event(deps, type, row, place, { ...named(row), reason }))
    return present(row)
  })
}

/**
 * Marks a domain as proved by the caller's authority. Verifying twice keeps the first time and writes nothing.
 * @throws ApiError not_found; domain_taken if another organization has proved it already.
 */
export function vouchForOrganizationDomain(
  deps: Deps,
  place: OrganizationPlace,
  id: string,
): Promise<OrganizationDomain> {
  return change(deps, place, async (tx) => {
    const before = await getRow(tx, place, id)
    if (before.verified_at !== null) return present(before)
    const at = deps.clock.now()
    const row = { ...before, verified_at: at, verification_reason: null, updated_at: at }
    await tx.run(queries.updateVerification(row))
    const data = { ...named(row), reason: null, byAuthority: true }
    await tx.run(event(deps, 'organization_domain.verified', row, place, data))
    return present(row)
  })
}

/**
 * Removes a domain. Invitations that were sent because of it become invalid.
 * @throws ApiError forbidden, not_found
 */
export async function deleteOrganizationDomain(deps: Deps, place: OrganizationPlace, id: string) {
  await place.enter(deps.db)
  return change(deps, place, async (tx) => {
    const row = await getRow(tx, place, id)
    await tx.run(queries.deleteDomain(row))
    await tx.run(event(deps, 'organization_domain.deleted', row, place, named(row)))
    return present(row)
  })
}
