// Applications that sign users in through a tenant, or call its resources for themselves.
import {
  type Application,
  type ApplicationWithSecret,
  type CreateApplication,
  type Issue,
  type UpdateApplication,
} from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addToCounters, sumOfCounter } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor, Principal } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { EgressError } from '../../platform/net/egress.ts'
import { addRsaKey, prepareRsaKey } from '../../tenancy/signing-keys/signing-keys.ts'
import { type FindFile, assertShowable } from '../../tenancy/tenants/lifecycle.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { assertRoom } from './application-limit.ts'
import { changedRow, newRow } from './application-rows.ts'
import { applicationIssues } from './application-rules.ts'
import { addSecret, hasSecret } from './application-secrets.ts'
import { assertHolds, exchangeIssues, machineScopeIssues } from './machine-scopes.ts'
import { presentApplication } from './present.ts'
import * as queries from './queries.ts'

type Row = queries.ApplicationRow

const counter = queries.applicationsCounter

/** A tenant gets its RSA key with its first application that asks for RS256, so that the key is published before it signs. */
export const rsaKeyFor = async (deps: Deps, tenantId: TenantId, { idTokenSigningAlg: alg }: UpdateApplication) =>
  alg === 'RS256' ? prepareRsaKey(deps, tenantId) : undefined

interface Checks {
  readonly principal: Principal
  readonly findFile: FindFile
}

/** Returns an issue for each new address that can never be called. Names are looked up only at each call. */
function calledAddressIssues({ egress }: Deps, application: Application, before: Row | undefined): Issue[] {
  const { backchannelLogoutUri: logoutUri, jwksUri } = application
  const given = [
    { name: 'backchannelLogoutUri', uri: logoutUri, known: before?.backchannel_logout_uri },
    { name: 'jwksUri', uri: jwksUri, known: before?.jwks_uri },
  ]
  return given.flatMap(({ name, uri, known }): Issue[] => {
    if (uri === null || uri === known) return []
    try {
      egress.check(uri)
      return []
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      const message = 'must be an https URL on the public internet'
      return [{ path: `/${name}`, code: 'not_allowed', message }]
    }
  })
}

/**
 * @param tenant read before the transaction, which holds the tenant's row: waiting for a connection in there would mean waiting for
 * requests that wait for the row.
 * @throws ApiError validation_failed; forbidden for a caller without the rights that the application has at the management interface.
 */
async function assertSound(
  deps: Deps,
  tx: Transaction,
  tenant: TenantEntry,
  { row, before, checks }: { readonly row: Row; readonly before?: Row; readonly checks: Checks | undefined },
) {
  const { config } = deps
  const { tenant_id: tenantId, logo_id: logoId } = row
  const application = presentApplication(config, row, [])
  const issues = [
    ...applicationIssues(application, tenant.row.environment === 'development'),
    ...calledAddressIssues(deps, application, before),
    ...(await machineScopeIssues(tx, tenantId, application)),
    ...(await exchangeIssues(tx, tenantId, application)),
  ]
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  // A client that registers itself has neither scopes of the management interface nor a logo.
  if (checks === undefined) return
  const { principal, findFile } = checks
  assertHolds(
    principal,
    tenantId,
    application,
    ...(before === undefined ? [] : [presentApplication(config, before, [])]),
  )
  if (logoId !== null && logoId !== before?.logo_id) {
    await assertShowable('logoId', () => findFile(tx, tenantId, logoId))
  }
}

const described = ({ clientId, name, type, redirectUris, grantTypes }: Application) => ({
  clientId,
  name,
  type,
  redirectUris,
  grantTypes,
})

/**
 * The answer is the only place that ever shows the secret.
 * @param checks the limits of the caller; undefined for a client that registers itself.
 * @param registrationTokenHash of the token by which such a client manages its registration.
 * @throws ApiError not_found, application_limit_reached, validation_failed, forbidden
 */
export async function createApplication(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateApplication, 'tenantId'>,
  checks: Checks | undefined,
  actor: Actor,
  registrationTokenHash: string | null = null,
): Promise<ApplicationWithSecret> {
  const tenant = await getTenant(deps, tenantId)
  const { db, clock, config, personal, tenants } = deps
  const rsaKey = await rsaKeyFor(deps, tenantId, input)
  return db.transaction(async (tx) => {
    await tx.run(queries.lockTenant(tenantId))
    await assertRoom(tx, tenantId)
    const origin = checks === undefined ? 'registration' : 'manual'
    const row = { ...newRow(deps, tenantId, input), origin, registration_token_hash: registrationTokenHash } as const
    await assertSound(deps, tx, tenant, { row, checks })
    await tx.run(queries.insertApplication(row))
    await addRsaKey(deps, tx, rsaKey, actor)
    const made = hasSecret(row) ? await addSecret(deps, tx, row) : undefined
    await tx.run(addToCounters(tx, tenantId, { [counter]: 1 }))
    const application = presentApplication(config, row, made === undefined ? [] : [made.row])
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'application.created',
        actor,
        subjectId: row.id,
        data: { after: described(application) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return { ...application, clientSecret: made?.secret ?? null }
  })
}

async function withSecrets({ clock, config }: Deps, db: Reader, tenantId: TenantId, rows: readonly Row[]) {
  const ids = rows.map(({ id }) => id)
  const secrets = ids.length === 0 ? [] : await queries.selectSecrets(db, tenantId, ids, clock.now())
  return rows.map((row) => presentApplication(config, row, secrets))
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listApplications(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(
    db,
    queries.applicationSource(tenantId),
    sumOfCounter(tenantId, counter),
    request,
  )
  return pageEnvelope(page, await withSecrets(deps, db, tenantId, page.rows), total, request.perPage)
}

async function presented(deps: Deps, db: Reader, row: Row): Promise<Application> {
  const [application] = await withSecrets(deps, db, row.tenant_id, [row])
  if (application === undefined) throw new Error('one row is one application')
  return application
}

/** @throws ApiError not_found */
export async function getApplication(deps: Deps, tenantId: TenantId, id: string): Promise<Application> {
  const row = await queries.selectApplication(deps.db, tenantId, id)
  if (row === undefined) throw notFound()
  return presented(deps, deps.db, row)
}

/** Returns the fields that differ. */
function changes(before: Application, after: Application) {
  const old: Readonly<Record<string, unknown>> = before
  const changed = Object.entries(after).filter(
    ([name, value]) => name !== 'updatedAt' && JSON.stringify(old[name]) !== JSON.stringify(value),
  )
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, old[name] ?? null])),
    after: Object.fromEntries(changed),
  }
}

/** @throws ApiError not_found, validation_failed, forbidden */
export async function updateApplication(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateApplication,
  checks: Checks,
  actor: Actor,
): Promise<Application> {
  const tenant = await getTenant(deps, tenantId)
  const rsaKey = await rsaKeyFor(deps, tenantId, input)
  return deps.db.transaction(async (tx) => {
    await tx.run(queries.lockTenant(tenantId))
    const row = await queries.selectApplicationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    const { application } = await writeChange(
      deps,
      tx,
      tenant,
      { row, changed: changedRow(row, input), checks, rsaKey },
      actor,
    )
    return application
  })
}

interface Change {
  readonly row: Row
  readonly changed: Row
  readonly checks: Checks | undefined
  readonly rsaKey: Awaited<ReturnType<typeof rsaKeyFor>>
}

/**
 * Writes the change of a locked row. An application that authenticates by a secret from now on and has none gets one if it has changed itself.
 * @throws ApiError validation_failed, forbidden
 */
export async function writeChange(
  deps: Deps,
  tx: Transaction,
  tenant: TenantEntry,
  { row, changed: input, checks, rsaKey }: Change,
  actor: Actor,
) {
  const { clock, personal, tenants } = deps
  const { tenant_id: tenantId, id } = row
  const before = await presented(deps, tx, row)
  const changed = { ...input, updated_at: clock.now() }
  await assertSound(deps, tx, tenant, { row: changed, before: row, checks })
  await tx.run(queries.updateApplication(changed))
  await addRsaKey(deps, tx, rsaKey, actor)
  // Otherwise an unused secret would become valid again with the next change.
  if (!hasSecret(changed)) {
    for (const { id: secretId } of before.secrets) await tx.run(queries.deleteSecret(tenantId, secretId))
  }
  const isWithout = checks === undefined && hasSecret(changed) && before.secrets.length === 0
  const made = isWithout ? await addSecret(deps, tx, changed) : undefined
  const application = await presented(deps, tx, changed)
  const data = changes(before, application)
  await tx.run(eventStatement(clock, personal, { tenantId, type: 'application.updated', actor, subjectId: id, data }))
  await invalidateTenant(tx, tenants, tenantId)
  return { application, clientSecret: made?.secret ?? null }
}

/** @throws ApiError not_found */
export async function deleteApplication(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  actor: Actor,
): Promise<Application> {
  return deps.db.transaction(async (tx) => {
    const row = await queries.selectApplicationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    return removeApplication(deps, tx, row, actor)
  })
}

/** Removes an application, whose row is locked, with its secrets, grants and tokens. */
export async function removeApplication(deps: Deps, tx: Transaction, row: Row, actor: Actor): Promise<Application> {
  const { clock, personal, tenants } = deps
  const { tenant_id: tenantId, id } = row
  const application = await presented(deps, tx, row)
  await tx.run(queries.deleteApplication(tenantId, id))
  await tx.run(addToCounters(tx, tenantId, { [counter]: -1 }))
  const data = { before: described(application) }
  await tx.run(eventStatement(clock, personal, { tenantId, type: 'application.deleted', actor, subjectId: id, data }))
  await invalidateTenant(tx, tenants, tenantId)
  return application
}
