// A tenant's own OpenID Connect providers. The client secret is sealed and never in an answer but the one made for it.
import type { CreateCustomProvider, CustomProviderCheck, UpdateCustomProvider } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { assertMayChangeUsers } from '../../platform/http/credentials/authorize.ts'
import type { Actor, Caller, Principal } from '../../platform/http/credentials/principal.ts'
import { keptSecretIssues } from '../../platform/http/kept-secrets.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { frontendBaseUrl } from '../tenants/env.ts'
import { type FindFile, assertShowable } from '../tenants/lifecycle.ts'
import { getTenant } from '../tenants/tenants.ts'
import { DiscoveryError, discoverProvider } from './discovery.ts'
import { openCustomSecret, sealCustomSecret } from './find-custom-provider.ts'
import { endTokensUnlessKept } from './kept-tokens.ts'
import { presentCustomProvider } from './present.ts'
import * as queries from './queries.ts'

type Row = queries.CustomProviderRow

const flagOr = (value: boolean | undefined, before: number) => (value === undefined ? before : value ? 1 : 0)
const textOr = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value)

/** Returns the row with what was sent put into it; what was left out stays, null unsets. */
function applied({ sealer }: Pick<Deps, 'sealer'>, row: Row, input: UpdateCustomProvider): Row {
  const { clientSecret, scopes, claims } = input
  return {
    ...row,
    name: textOr(input.name, row.name),
    enabled: flagOr(input.enabled, row.enabled),
    issuer: textOr(input.issuer, row.issuer),
    client_id: textOr(input.clientId, row.client_id),
    sealed_client_secret: clientSecret ? sealCustomSecret(sealer, row, clientSecret) : keptSecret(row, clientSecret),
    redirect_uri: textOr(input.redirectUri, row.redirect_uri),
    scopes: scopes === undefined ? row.scopes : toJson([...new Set(scopes)]),
    claims: claims === undefined ? row.claims : toJson(claims),
    trust_emails: flagOr(input.trustEmails, row.trust_emails),
    authenticatable: flagOr(input.authenticatable, row.authenticatable),
    auto_connect_accounts: flagOr(input.autoConnectAccounts, row.auto_connect_accounts),
    keep_tokens: flagOr(input.keepTokens, row.keep_tokens),
    token_scopes: input.tokenScopes === undefined ? row.token_scopes : toJson([...new Set(input.tokenScopes)]),
    logo_id: textOr(input.logoId, row.logo_id),
  }
}

const keptSecret = (row: Row, sent: string | null | undefined) => (sent === null ? null : row.sealed_client_secret)

/** @throws ApiError validation_failed where the client secret would stay and be sent to another issuer. */
function refuseKeptSecret(before: Row, after: Row) {
  const { sealed_client_secret: kept } = before
  const issues = keptSecretIssues({
    before: { issuer: before.issuer },
    after: { issuer: after.issuer },
    harmless: [],
    kept: kept !== null && after.sealed_client_secret === kept ? ['/clientSecret'] : [],
  })
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

/** @throws ApiError forbidden if what the provider says about addresses would be believed, and the caller may not change users. */
function assertMayTrust(principal: Principal, { tenant_id: tenantId, trust_emails: trusts }: Row) {
  if (trusts === 1) assertMayChangeUsers(principal, tenantId, 'set up a provider with trustEmails')
}

async function assertLogo(
  tx: Transaction,
  { tenant_id: tenantId, logo_id: id }: Row,
  before: string | null,
  findFile: FindFile,
) {
  if (id !== null && id !== before) await assertShowable('logoId', () => findFile(tx, tenantId, id))
}

/** What events say of a change: the presented fields, and of the secret only that it changed. */
function changes({ config }: Pick<Deps, 'config'>, before: Row | undefined, after: Row) {
  const old: Record<string, unknown> = before === undefined ? {} : presentCustomProvider(config, before)
  const changed = Object.entries(presentCustomProvider(config, after)).filter(
    ([name, value]) => name !== 'updatedAt' && JSON.stringify(old[name]) !== JSON.stringify(value),
  )
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, old[name] ?? null])),
    after: Object.fromEntries(changed),
    clientSecretChanged: before?.sealed_client_secret !== after.sealed_client_secret,
  }
}

function newRow(deps: Deps, tenantId: TenantId, input: Omit<CreateCustomProvider, 'tenantId'>): Row {
  const at = deps.clock.next()
  const empty: Row = {
    tenant_id: tenantId,
    id: newId<'SocialProviderId'>(),
    provider_key: input.key,
    name: input.name,
    enabled: 0,
    issuer: input.issuer,
    client_id: input.clientId,
    sealed_client_secret: null,
    redirect_uri: null,
    scopes: toJson(['email', 'profile']),
    claims: toJson({}),
    trust_emails: 0,
    authenticatable: 1,
    auto_connect_accounts: 1,
    keep_tokens: 0,
    token_scopes: null,
    logo_id: null,
    created_at: at,
    updated_at: at,
  }
  return applied(deps, empty, input)
}

/**
 * @param findFile looks the logo up.
 * @throws ApiError provider_taken, provider_limit_reached; not_found for a tenant that does not exist; validation_failed for a logo that is no
 * public file of the tenant.
 */
export async function createCustomProvider(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateCustomProvider, 'tenantId'>,
  { principal, actor }: Caller,
  findFile: FindFile,
) {
  await getTenant(deps, tenantId)
  const { db, clock, config, personal, tenants } = deps
  return db.transaction(async (tx) => {
    await tx.run(queries.lockTenantOfProviders(tenantId))
    const { length } = await queries.selectCustomProviders(tx, tenantId)
    if (length >= queries.customProvidersMax) throw new ApiError('provider_limit_reached')
    const row = newRow(deps, tenantId, input)
    assertMayTrust(principal, row)
    await assertLogo(tx, row, null, findFile)
    await tx.run(queries.insertCustomProvider(row))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'custom_provider.created',
        actor,
        subjectId: row.id,
        data: changes(deps, undefined, row),
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentCustomProvider(config, row)
  })
}

/**
 * @param findFile looks the logo up.
 * @throws ApiError not_found; validation_failed where the client secret has to be given again, and for a logo that is no public file.
 */
export async function updateCustomProvider(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateCustomProvider,
  { principal, actor }: Caller,
  findFile: FindFile,
) {
  const { db, clock, config, personal, tenants } = deps
  return db.transaction(async (tx) => {
    // As the deletion of a file does, so that none is deleted that becomes a logo meanwhile.
    await tx.run(queries.lockTenantOfProviders(tenantId))
    const before = await queries.selectCustomProviderForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    const after = { ...applied(deps, before, input), updated_at: clock.now() }
    assertMayTrust(principal, after)
    refuseKeptSecret(before, after)
    await assertLogo(tx, after, before.logo_id, findFile)
    await tx.run(queries.updateCustomProvider(after))
    await endTokensUnlessKept(clock, tx, before, after)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'custom_provider.updated',
        actor,
        subjectId: id,
        data: changes(deps, before, after),
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentCustomProvider(config, after)
  })
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listCustomProviders(deps: Deps, tenantId: TenantId) {
  await getTenant(deps, tenantId)
  const rows = await queries.selectCustomProviders(deps.db, tenantId)
  return rows.map((row) => presentCustomProvider(deps.config, row))
}

async function getRow({ db }: Pick<Deps, 'db'>, tenantId: TenantId, id: string): Promise<Row> {
  const row = await queries.selectCustomProvider(db, tenantId, id)
  if (row === undefined) throw notFound()
  return row
}

/** @throws ApiError not_found */
export const getCustomProvider = async (deps: Deps, tenantId: TenantId, id: string) =>
  presentCustomProvider(deps.config, await getRow(deps, tenantId, id))

/**
 * Reads the metadata of the provider anew.
 * @throws ApiError not_found
 */
export async function checkCustomProvider(deps: Deps, tenantId: TenantId, id: string): Promise<CustomProviderCheck> {
  const row = await getRow(deps, tenantId, id)
  const callbackUri = row.redirect_uri ?? `${frontendBaseUrl(deps.config.baseUrl)}/oauth/callback/${row.provider_key}`
  try {
    const { metadata } = await discoverProvider(deps, tenantId, row.issuer, true)
    const authorizationEndpoint = metadata.authorization_endpoint ?? null
    return { problem: null, reason: null, authorizationEndpoint, callbackUri }
  } catch (error) {
    if (!(error instanceof DiscoveryError)) throw error
    deps.log.info({ err: error.cause ?? error, tenantId }, 'a custom provider cannot be used')
    return { problem: error.problem, reason: error.message, authorizationEndpoint: null, callbackUri }
  }
}

/**
 * Returns the client secret in the clear; the reading itself is an event.
 * @throws ApiError not_found
 */
export async function revealCustomSecret(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, sealer, personal } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectCustomProvider(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'custom_provider.secret_revealed',
        actor,
        subjectId: id,
        data: { providerKey: row.provider_key },
      }),
    )
    const secret = openCustomSecret(sealer, row)
    return { clientSecret: secret, secret }
  })
}

/** @throws ApiError not_found */
export async function deleteCustomProvider(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, config, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectCustomProviderForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteCustomProvider(tenantId, id))
    await endTokensUnlessKept(clock, tx, row)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'custom_provider.deleted',
        actor,
        subjectId: id,
        data: { before: presentCustomProvider(config, row) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentCustomProvider(config, row)
  })
}
