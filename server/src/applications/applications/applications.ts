// Applications that sign users in through a tenant, or call its resources for themselves.
import {
  type Application,
  type ApplicationWithSecret,
  type CreateApplication,
  type Issue,
  type UpdateApplication,
  applicationTypeRules,
} from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addToCounters, readCounters } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPage } from '../../platform/http/lists/page.ts'
import type { Actor, Principal } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../../identity/deps.ts'
import { type FindFile, assertShowable } from '../../tenancy/tenants/lifecycle.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { addRsaKey, prepareRsaKey } from '../../tenancy/signing-keys/signing-keys.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { EgressError } from '../../platform/net/egress.ts'
import { assertRoom } from './application-limit.ts'
import { applicationIssues } from './application-rules.ts'
import { addSecret, hasSecret } from './application-secrets.ts'
import { assertHolds, exchangeIssues, machineScopeIssues } from './machine-scopes.ts'
import { presentApplication } from './present.ts'
import * as queries from './queries.ts'

type Row = queries.ApplicationRow

const counter = queries.applicationsCounter
const flag = (value: boolean | undefined, before: number) => (value === undefined ? before : value ? 1 : 0)
const or = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value)
const list = (values: readonly string[] | undefined, before: Row['redirect_uris']) =>
  values === undefined ? before : toJson([...new Set(values)])

/** Returns the row with the sent values; a value that was left out stays, and null unsets it. */
function applied(row: Row, input: UpdateApplication): Row {
  return {
    ...row,
    name: or(input.name, row.name),
    redirect_uris: list(input.redirectUris, row.redirect_uris),
    post_logout_redirect_uris: list(input.postLogoutRedirectUris, row.post_logout_redirect_uris),
    backchannel_logout_uri: or(input.backchannelLogoutUri, row.backchannel_logout_uri),
    cors_origins: list(input.corsOrigins, row.cors_origins),
    grant_types: list(input.grantTypes, row.grant_types),
    token_endpoint_auth_method: or(input.tokenEndpointAuthMethod, row.token_endpoint_auth_method),
    jwks: input.jwks === undefined ? row.jwks : input.jwks && toJson({ keys: input.jwks.keys as object[] }),
    jwks_uri: or(input.jwksUri, row.jwks_uri),
    id_token_alg: or(input.idTokenSigningAlg, row.id_token_alg),
    access_token_format: or(input.accessTokenFormat, row.access_token_format),
    access_token_ttl: or(input.accessTokenTtl, row.access_token_ttl),
    refresh_token_ttl: or(input.refreshTokenTtl, row.refresh_token_ttl),
    refresh_token_rotation: flag(input.refreshTokenRotation, row.refresh_token_rotation),
    require_pkce: flag(input.requirePkce, row.require_pkce),
    require_consent: flag(input.requireConsent, row.require_consent),
    require_par: flag(input.requirePar, row.require_par),
    require_dpop: flag(input.requireDpop, row.require_dpop),
    machine_scopes: input.machineScopes === undefined ? row.machine_scopes : toJson(input.machineScopes),
    exchange_from: list(input.exchangeFrom, row.exchange_from),
    exchange_to: list(input.exchangeTo, row.exchange_to),
    logo_id: or(input.logoId, row.logo_id),
    terms_uri: or(input.termsUri, row.terms_uri),
    policy_uri: or(input.policyUri, row.policy_uri),
  }
}

function newRow({ clock }: Deps, tenantId: TenantId, input: Omit<CreateApplication, 'tenantId'>): Row {
  const at = clock.next()
  const id = newId<'ApplicationId'>()
  const none = toJson<readonly string[]>([])
  const empty: Row = {
    tenant_id: tenantId,
    id,
    client_id: id,
    origin: 'manual',
    name: input.name,
    type: input.type,
    redirect_uris: none,
    post_logout_redirect_uris: none,
    backchannel_logout_uri: null,
    cors_origins: none,
    grant_types: toJson<readonly string[]>(applicationTypeRules[input.type].grantDefaults),
    token_endpoint_auth_method: applicationTypeRules[input.type].methods[0],
    jwks: null,
    jwks_uri: null,
    id_token_alg: 'ES256',
    access_token_format: 'jwt',
    access_token_ttl: null,
    refresh_token_ttl: null,
    refresh_token_rotation: 1,
    require_pkce: 1,
    require_consent: 1,
    require_par: 0,
    require_dpop: 0,
    machine_scopes: toJson([]),
    exchange_from: none,
    exchange_to: none,
    logo_id: null,
    logo_uri: null,
    terms_uri: null,
    policy_uri: null,
    created_at: at,
    updated_at: at,
  }
  return applied(empty, input)
}

/** A tenant gets its RSA key with its first application that asks for RS256, so that the key is published before it signs. */
const rsaKeyFor = async (deps: Deps, tenantId: TenantId, { idTokenSigningAlg: alg }: UpdateApplication) =>
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
 * @throws ApiError not_found, application_limit_reached, validation_failed, forbidden
 */
export async function createApplication(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateApplication, 'tenantId'>,
  checks: Checks | undefined,
  actor: Actor,
): Promise<ApplicationWithSecret> {
  const tenant = await getTenant(deps, tenantId)
  const { db, clock, config, personal, tenants } = deps
  const rsaKey = await rsaKeyFor(deps, tenantId, input)
  return db.transaction(async (tx) => {
    await tx.run(queries.lockTenant(tenantId))
    await assertRoom(tx, tenantId)
    const origin = checks === undefined ? 'registration' : 'manual'
    const row = { ...newRow(deps, tenantId, input), origin } as const
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
  const [page, counters] = await Promise.all([
    selectPage(db, queries.applicationSource(tenantId), request),
    readCounters(db, tenantId, [counter]),
  ])
  return pageEnvelope(
    page,
    await withSecrets(deps, db, tenantId, page.rows),
    counters.get(counter) ?? 0,
    request.perPage,
  )
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
  const { db, clock, personal, tenants } = deps
  const rsaKey = await rsaKeyFor(deps, tenantId, input)
  return db.transaction(async (tx) => {
    await tx.run(queries.lockTenant(tenantId))
    const row = await queries.selectApplicationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    const before = await presented(deps, tx, row)
    const changed = { ...applied(row, input), updated_at: clock.now() }
    await assertSound(deps, tx, tenant, { row: changed, before: row, checks })
    await tx.run(queries.updateApplication(changed))
    await addRsaKey(deps, tx, rsaKey, actor)
    // Otherwise an unused secret would become valid again with the next change.
    if (!hasSecret(changed)) {
      for (const { id: secretId } of before.secrets) await tx.run(queries.deleteSecret(tenantId, secretId))
    }
    const after = await presented(deps, tx, changed)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'application.updated',
        actor,
        subjectId: id,
        data: changes(before, after),
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return after
  })
}

/** @throws ApiError not_found */
export async function deleteApplication(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  actor: Actor,
): Promise<Application> {
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectApplicationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    const application = await presented(deps, tx, row)
    // Secrets, grants and tokens go with it.
    await tx.run(queries.deleteApplication(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { [counter]: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'application.deleted',
        actor,
        subjectId: id,
        data: { before: described(application) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return application
  })
}
