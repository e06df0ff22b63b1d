// The documents of a tenant of which every change is stored as a version: the authentication configuration, the brand, the pages,
// the claims, the attributes.
import { isDeepStrictEqual } from 'node:util'
import type { Issue, SettingsDifference } from '@bailiwick/contract'
import { invalidateTenant } from '../../../platform/cache/invalidation.ts'
import type { Timestamp } from '../../../platform/clock.ts'
import type { Reader, Transaction } from '../../../platform/db/database.ts'
import type { Statement } from '../../../platform/db/sql.ts'
import { type NewEventOf, eventStatement } from '../../../platform/events/append.ts'
import { ApiError, notFound } from '../../../platform/http/api-error.ts'
import { type DocumentBasis, assertPresentVersion } from '../../../platform/http/change-basis.ts'
import type { Actor } from '../../../platform/http/credentials/principal.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPage } from '../../../platform/http/lists/page.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { type JsonText, toJson } from '../../../platform/json-text.ts'
import type { Deps } from '../../deps.ts'
import { type TenantRow, lockTenant } from '../find-tenant.ts'
import type { TenantEntry } from '../tenant-entry.ts'
import { getTenant } from '../tenants.ts'
import { readNames } from './record-names.ts'
import * as queries from './version-queries.ts'

type Settings = Readonly<Record<string, unknown>>

/** A change as its event describes it. */
export interface Change<D> {
  readonly version: number
  readonly before: D
  readonly after: D
  readonly differences: readonly SettingsDifference[]
}

type VersionEventType =
  | 'auth_configuration.updated'
  | 'tenant.attributes_updated'
  | 'tenant.brand_updated'
  | 'tenant.claims_updated'
  | 'tenant.pages_updated'
type VersionEvent = { [Type in VersionEventType]: Pick<NewEventOf<Type>, 'type' | 'data'> }[VersionEventType]

/** A kind of document. */
export interface Versioned<D extends object> {
  readonly table: queries.VersionsTable
  /** What the event of a change contains. */
  readonly eventOf: (change: Change<D>) => VersionEvent
  /** Returns the number of the tenant's present version; 0 if a new tenant has none. */
  readonly numberOf: (tenant: TenantRow) => number
  /** Returns the present document if the tenant's own row has it, because versions may not have been stored from the beginning. */
  readonly presentOf?: (tenant: TenantRow) => D
  /** Adds to a stored document the settings that the tenant's own row decides. */
  readonly asOf?: (tenant: TenantRow, document: D) => D
  /** Reads a stored document; a setting that is newer than it has its default. `{}` is the document of a new tenant. */
  readonly parse: (document: JsonText<Partial<D>>) => D
  /** Returns what going back to a stored document makes of the present one. */
  readonly restored: (before: D, document: JsonText<Partial<D>>) => D
  /** Returns the settings by name, as differences and events name them. */
  readonly settingsOf: (document: D) => Settings
  /** Makes a version the tenant's present one. */
  readonly point: (tenantId: TenantId, version: number, at: Timestamp, document: D) => Statement
  /** Returns why a change is refused; empty if it is not. */
  readonly issuesOf?: (
    deps: Deps,
    tx: Transaction,
    tenantId: TenantId,
    before: D,
    after: D,
  ) => Promise<readonly Issue[]>
}

/** Returns the settings in which two documents differ, in the order of the first. */
export function differencesBetween(from: Settings, to: Settings): SettingsDifference[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  const valueIn = (settings: Settings, name: string) =>
    Object.hasOwn(settings, name) ? (settings[name] ?? null) : null
  return [...names]
    .map((setting) => ({ setting, from: valueIn(from, setting), to: valueIn(to, setting) }))
    .filter(({ from: before, to: after }) => !isDeepStrictEqual(before, after))
}

const byName = (differences: readonly SettingsDifference[], side: 'from' | 'to') =>
  Object.fromEntries(differences.map((each) => [each.setting, each[side]]))

/** Returns what the event of a change says about settings. */
export const changedSettings = <D>({ version, differences }: Change<D>) => ({
  version,
  before: byName(differences, 'from'),
  after: byName(differences, 'to'),
})

async function readDocument(db: Reader, table: queries.VersionsTable, tenantId: TenantId, version: number) {
  if (version === 0) return toJson({})
  const row = await queries.selectDocument(db, table, tenantId, version)
  if (row === undefined) throw notFound()
  return row.document
}

/**
 * Reads a version of a document.
 * @throws ApiError not_found
 */
export const readVersion = async <D extends object>(
  db: Reader,
  { table, parse }: Versioned<D>,
  tenantId: TenantId,
  version: number,
): Promise<D> => parse(await readDocument(db, table, tenantId, version))

/** Reads the present document of a tenant, whose row was read in the same transaction. */
export async function readPresent<D extends object>(
  db: Reader,
  versioned: Versioned<D>,
  tenant: TenantRow,
): Promise<D> {
  const { presentOf, asOf, numberOf } = versioned
  if (presentOf !== undefined) return presentOf(tenant)
  const document = await readVersion(db, versioned, tenant.id, numberOf(tenant))
  return asOf === undefined ? document : asOf(tenant, document)
}

/**
 * Stores a present document that is not a version yet, if there is one: a document that is older than its versions, or one that a node of
 * the previous release has written. Returns the number of the present version.
 */
async function keepPresent<D extends object>(
  { clock }: Deps,
  tx: Transaction,
  versioned: Versioned<D>,
  tenant: TenantRow,
  present: D,
): Promise<number> {
  const number = versioned.numberOf(tenant)
  if (versioned.presentOf === undefined) return number
  const kept = await readVersion(tx, versioned, tenant.id, number)
  if (isDeepStrictEqual(kept, present)) return number
  const unknown = { type: 'system', id: null }
  const document = toJson(present)
  await tx.run(queries.insertVersion(versioned.table, tenant.id, number + 1, document, unknown, clock.next()))
  return number + 1
}

/** Returns the statement that writes the first version of a document that new tenants have. */
export const insertFirstVersion = <D extends object>(
  { table }: Versioned<D>,
  tenantId: TenantId,
  document: D,
  actor: Pick<Actor, 'type' | 'id'>,
  at: Timestamp,
): Statement => queries.insertVersion(table, tenantId, 1, toJson(document), actor, at)

/**
 * Stores the next version, made from the present one by `change`. An empty change makes no version.
 * @throws ApiError not_found; validation_failed with every reason
 */
export async function writeVersion<D extends object>(
  deps: Deps,
  versioned: Versioned<D>,
  tenantId: TenantId,
  actor: Actor,
  change: (before: D, tx: Transaction) => D | Promise<D>,
  basis: DocumentBasis = {},
): Promise<TenantEntry> {
  const { db, clock, personal, tenants } = deps
  const { table, eventOf, settingsOf } = versioned
  await db.transaction(async (tx) => {
    const tenant = await lockTenant(tx, tenantId)
    assertPresentVersion(versioned.numberOf(tenant), basis)
    const before = await readPresent(tx, versioned, tenant)
    const after = await change(before, tx)
    const differences = differencesBetween(settingsOf(before), settingsOf(after))
    if (differences.length === 0) return
    const issues = (await versioned.issuesOf?.(deps, tx, tenantId, before, after)) ?? []
    if (issues.length > 0) throw new ApiError('validation_failed', { issues: [...issues] })
    const version = (await keepPresent(deps, tx, versioned, tenant, before)) + 1
    const at = clock.next()
    await tx.run(queries.insertVersion(table, tenantId, version, toJson(after), actor, at))
    await tx.run(versioned.point(tenantId, version, at, after))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        actor,
        subjectId: tenantId,
        ...eventOf({ version, before, after, differences }),
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
  })
  return getTenant(deps, tenantId)
}

/**
 * Goes back to a version, as a new one.
 * @throws ApiError not_found; validation_failed if it would not be allowed today.
 */
export const restoreVersion = <D extends object>(
  deps: Deps,
  versioned: Versioned<D>,
  tenantId: TenantId,
  version: number,
  actor: Actor,
) =>
  writeVersion(deps, versioned, tenantId, actor, async (before, tx) =>
    versioned.restored(before, await readDocument(tx, versioned.table, tenantId, version)),
  )

/**
 * Lists the versions, newest first.
 * @throws ApiError not_found
 */
export async function listVersions<D extends object>(
  deps: Deps,
  { table, numberOf }: Versioned<D>,
  tenantId: TenantId,
  query: PageQuery,
) {
  const { row } = await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const page = await selectPage(deps.db, queries.versionSource(table, tenantId), request)
  const actors = page.rows.map(({ actor_type, actor_id }) => ({ type: actor_type, id: actor_id }))
  const findName = await readNames(deps.db, tenantId, actors)
  const data = page.rows.map(({ version, actor_type, actor_id, created_at }) => {
    const actor = { type: actor_type, id: actor_id }
    return { version, actor, actorName: findName(actor), createdAt: created_at }
  })
  // Versions are numbered without gaps and never removed, so the newest one's number counts them.
  return pageEnvelope(page, data, numberOf(row), request.perPage)
}

/**
 * Returns the settings in which two versions differ.
 * @throws ApiError not_found
 */
export async function diffVersions<D extends object>(
  deps: Deps,
  versioned: Versioned<D>,
  tenantId: TenantId,
  from: number,
  to: number,
): Promise<SettingsDifference[]> {
  await getTenant(deps, tenantId)
  const read = async (version: number) => versioned.settingsOf(await readVersion(deps.db, versioned, tenantId, version))
  const [before, after] = await Promise.all([read(from), read(to)])
  return differencesBetween(before, after)
}
