// A tenant's social sign-in providers, one of each key. The client secret is sealed and in no answer.
import type { CreateSocialProvider, UpdateSocialProvider } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../platform/http/change-basis.ts'
import { assertMayChangeUsers } from '../../platform/http/credentials/authorize.ts'
import type { Actor, Caller, Principal } from '../../platform/http/credentials/principal.ts'
import { keptSecretIssues } from '../../platform/http/kept-secrets.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { endTokensUnlessKept } from '../custom-providers/kept-tokens.ts'
import type { Deps } from '../deps.ts'
import { getTenant } from '../tenants/tenants.ts'
import { openClientSecret, sealClientSecret, withPrivateKeyAsSecret } from './client-secret.ts'
import { presentSocialProvider } from './present.ts'
import * as queries from './queries.ts'

const flag = (value: boolean) => (value ? 1 : 0)

/**
 * Properties of `config` that name no address: whether claims about addresses are trusted, and Apple's ids of the client. Every other
 * property may be an address.
 */
const harmless = ['trustEmails', 'teamId', 'keyId']

/** A list or a plain value has no settings of its own, and is compared as a whole. */
function settingsOf(config: queries.SocialProviderRow['config']): Readonly<Record<string, unknown>> {
  const value = config === null ? null : fromJson(config)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { config: value ?? undefined }
}

/** @throws ApiError validation_failed if the client secret would stay and could be sent elsewhere. */
function refuseKeptSecret(before: queries.SocialProviderRow, after: queries.SocialProviderRow) {
  const { sealed_client_secret: kept } = before
  const issues = keptSecretIssues({
    before: settingsOf(before.config),
    after: settingsOf(after.config),
    harmless,
    kept: kept !== null && after.sealed_client_secret === kept ? ['/clientSecret'] : [],
  })
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

/** @throws ApiError forbidden if what the provider says about addresses would be believed, and the caller may not change users. */
function assertMayTrust(principal: Principal, { tenant_id: tenantId, config }: queries.SocialProviderRow) {
  if (settingsOf(config)['trustEmails'] === true) {
    assertMayChangeUsers(principal, tenantId, 'set up a provider whose addresses are trusted')
  }
}

/** Returns the row with the sent properties; what was left out stays, null unsets. */
function applied(
  sealer: Sealer,
  row: queries.SocialProviderRow,
  sent: UpdateSocialProvider,
): queries.SocialProviderRow {
  const input = withPrivateKeyAsSecret(sent)
  const { clientSecret } = input
  return {
    ...row,
    ...(input.enabled === undefined ? {} : { enabled: flag(input.enabled) }),
    ...(input.useCustomCredentials === undefined ? {} : { use_custom_credentials: flag(input.useCustomCredentials) }),
    ...(input.clientId === undefined ? {} : { client_id: input.clientId }),
    ...(clientSecret === undefined
      ? {}
      : {
          sealed_client_secret: clientSecret === null ? null : sealClientSecret(sealer, row, clientSecret),
        }),
    ...(input.redirectUri === undefined ? {} : { redirect_uri: input.redirectUri }),
    ...(input.additionalScopes === undefined ? {} : { additional_scopes: toJson(input.additionalScopes) }),
    ...(input.authenticatable === undefined ? {} : { authenticatable: flag(input.authenticatable) }),
    ...(input.autoConnectAccounts === undefined ? {} : { auto_connect_accounts: flag(input.autoConnectAccounts) }),
    ...(input.config === undefined ? {} : { config: toJson(input.config) }),
    ...(input.keepTokens === undefined ? {} : { keep_tokens: flag(input.keepTokens) }),
    ...(input.tokenScopes === undefined ? {} : { token_scopes: toJson([...new Set(input.tokenScopes)]) }),
  }
}

/** What events say about a change: the presented fields, and of the secret only that it changed. */
function changes(before: queries.SocialProviderRow | undefined, after: queries.SocialProviderRow) {
  const old: Record<string, unknown> = before === undefined ? {} : presentSocialProvider(before)
  const changed = Object.entries(presentSocialProvider(after)).filter(
    ([name, value]) => name !== 'updatedAt' && JSON.stringify(old[name]) !== JSON.stringify(value),
  )
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, old[name] ?? null])),
    after: Object.fromEntries(changed),
    clientSecretChanged: before?.sealed_client_secret !== after.sealed_client_secret,
  }
}

/** @throws ApiError provider_taken; not_found for a tenant that does not exist. */
export async function createSocialProvider(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateSocialProvider, 'tenantId'>,
  { principal, actor }: Caller,
) {
  await getTenant(deps, tenantId)
  const { db, clock, sealer, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const at = clock.next()
    const empty: queries.SocialProviderRow = {
      tenant_id: tenantId,
      id: newId<'SocialProviderId'>(),
      provider_key: input.providerKey,
      enabled: 0,
      use_custom_credentials: null,
      client_id: null,
      sealed_client_secret: null,
      redirect_uri: null,
      additional_scopes: null,
      authenticatable: null,
      auto_connect_accounts: null,
      config: null,
      keep_tokens: 0,
      token_scopes: null,
      created_at: at,
      updated_at: at,
    }
    const row = applied(sealer, empty, input)
    assertMayTrust(principal, row)
    await tx.run(queries.insertSocialProvider(row))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'social_provider.created',
        actor,
        subjectId: row.id,
        data: changes(undefined, row),
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentSocialProvider(row)
  })
}

/** @throws ApiError not_found; validation_failed if the client secret has to be sent again. */
export async function updateSocialProvider(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateSocialProvider,
  { principal, actor }: Caller,
  basis: RecordBasis = {},
) {
  const { db, clock, sealer, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const before = await queries.selectSocialProviderForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    assertUnchanged(before, basis)
    const after = { ...applied(sealer, before, input), updated_at: clock.now() }
    assertMayTrust(principal, after)
    refuseKeptSecret(before, after)
    await tx.run(queries.updateSocialProvider(after))
    await endTokensUnlessKept(clock, tx, before, after)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'social_provider.updated',
        actor,
        subjectId: id,
        data: changes(before, after),
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentSocialProvider(after)
  })
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listSocialProviders(deps: Deps, tenantId: TenantId) {
  await getTenant(deps, tenantId)
  return (await queries.selectSocialProviders(deps.db, tenantId)).map(presentSocialProvider)
}

/** @throws ApiError not_found */
export async function getSocialProvider({ db }: Deps, tenantId: TenantId, id: string) {
  const row = await queries.selectSocialProvider(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentSocialProvider(row)
}

/**
 * Returns the client secret in the clear; reading it is recorded as an event.
 * @throws ApiError not_found
 */
export async function revealClientSecret(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, sealer, personal } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectSocialProvider(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'social_provider.secret_revealed',
        actor,
        subjectId: id,
        data: { providerKey: row.provider_key },
      }),
    )
    const secret = openClientSecret(sealer, row)
    return { clientSecret: secret, secret }
  })
}

/** @throws ApiError not_found */
export async function deleteSocialProvider(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectSocialProviderForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteSocialProvider(tenantId, id))
    await endTokensUnlessKept(clock, tx, row)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'social_provider.deleted',
        actor,
        subjectId: id,
        data: { before: presentSocialProvider(row) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentSocialProvider(row)
  })
}
