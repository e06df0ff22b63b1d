// Makes kept tokens valid again that have expired: with one request at the provider, however many requests and nodes need them. Whoever has
// the lease of the row asks; the others wait for what is written.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../identity/deps.ts'
import {
  type AccessPlace,
  type GrantedTokens,
  type KeptTokens,
  type ProviderTokensRow,
  accessEvent,
  openTokens,
  queueRevocation,
  sealTokens,
} from '../../identity/provider-tokens/provider-tokens.ts'
import { providerTokens } from '../../identity/provider-tokens/tables.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { inTenant, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { FoundProvider } from '../../tenancy/social-providers/find-provider.ts'
import { openProviderClient } from '../providers/provider-client.ts'
import { settingsOf } from '../providers/provider-settings.ts'
import { refreshTokens } from '../providers/provider-tokens.ts'

/** Longer than a request to the provider may take, with the look-up of its endpoints. */
const leaseMs = 30_000
const waitMs = 25_000
const pollMs = 100

/** Kept access, and the connected account that it is for. */
export interface Access {
  readonly row: ProviderTokensRow
  readonly provider: FoundProvider
  readonly place: AccessPlace
}

const readAgain = ({ db }: Deps, { tenant_id: tenantId, id }: ProviderTokensRow) =>
  providerTokens.byKey(db, tenantId, id)

const isFresh = ({ clock }: Deps, { refresh_at: due }: ProviderTokensRow) => due === null || due > clock.now()

/** Returns the lease of the tokens that were read; undefined if somebody else has it, or the tokens have changed. */
async function takeLease({ db, clock }: Deps, row: ProviderTokensRow): Promise<string | undefined> {
  const [lease, at] = [newId(), clock.now()]
  const taken = await db.write(() => [
    sql`UPDATE provider_tokens SET lease = ${lease}, leased_until = ${addMilliseconds(at, leaseMs)}
      WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND sealed_tokens = ${row.sealed_tokens}
        AND (leased_until IS NULL OR leased_until <= ${at})`,
  ])
  return taken === 1 ? lease : undefined
}

const isMine = (row: ProviderTokensRow, lease: string) =>
  sql`tenant_id = ${row.tenant_id} AND id = ${row.id} AND lease = ${lease}`

const giveUp = ({ db }: Deps, row: ProviderTokensRow, lease: string) =>
  db.write(() => [sql`UPDATE provider_tokens SET lease = NULL, leased_until = NULL WHERE ${isMine(row, lease)}`])

const setTokens = providerTokens.set('sealed_tokens', 'scopes', 'expires_at', 'refresh_at', 'lease', 'leased_until')

/** Writes both new tokens at once. What nobody keeps any more, because the user has withdrawn it meanwhile, is revoked. */
async function store(deps: Deps, { row, place }: Access, lease: string, granted: GrantedTokens) {
  const after: ProviderTokensRow = {
    ...row,
    sealed_tokens: sealTokens(deps, row, granted),
    scopes: toJson(granted.scopes),
    expires_at: granted.expiresAt,
    refresh_at: granted.refreshAt,
    lease: null,
    leased_until: null,
  }
  await deps.db.transaction(async (tx) => {
    if ((await tx.run(sql`${setTokens(after)} WHERE ${isMine(row, lease)}`)) === 1) return
    if ((await providerTokens.byKey(tx, row.tenant_id, row.id)) === undefined)
      await queueRevocation(deps, tx, place, granted)
  })
}

/** Records that the provider no longer accepts the tokens. */
export async function lapse(deps: Deps, row: ProviderTokensRow, actor: Actor, lease?: string) {
  const isMeant =
    lease === undefined
      ? sql`tenant_id = ${row.tenant_id} AND id = ${row.id} AND sealed_tokens = ${row.sealed_tokens}`
      : isMine(row, lease)
  await deps.db.transaction(async (tx) => {
    const changed = await tx.run(sql`UPDATE provider_tokens SET state = 'consent_required', sealed_tokens = NULL,
      lease = NULL, leased_until = NULL, updated_at = ${deps.clock.now()} WHERE ${isMeant}`)
    if (changed === 1) await tx.run(accessEvent(deps, 'social_connection.access_lapsed', row, actor))
  })
}

/** @throws ApiError consent_required for a provider that is no longer where the user has allowed the access. */
async function askProvider(deps: Deps, { row, provider, place }: Access, refreshToken: string) {
  const client = await openProviderClient(deps, settingsOf(deps, provider))
  // Whoever changes the address of a provider must not be sent the tokens of another one.
  if (client.issuer !== place.issuer) throw new ApiError('consent_required')
  return refreshTokens(deps, client, refreshToken, fromJson(row.scopes))
}

async function refresh(deps: Deps, access: Access, lease: string, refreshToken: string, actor: Actor) {
  let granted: GrantedTokens | undefined
  try {
    granted = await askProvider(deps, access, refreshToken)
  } catch (error) {
    await giveUp(deps, access.row, lease)
    throw error
  }
  await (granted === undefined ? lapse(deps, access.row, actor, lease) : store(deps, access, lease, granted))
}

/** Returns the tokens to refresh with; undefined if the access token is valid for as long as it lasts. */
async function refreshTokenIn(deps: Deps, row: ProviderTokensRow, tokens: KeptTokens, actor: Actor) {
  if (tokens.refreshToken !== null) return tokens.refreshToken
  if (row.expires_at !== null && row.expires_at > deps.clock.now()) return undefined
  await lapse(deps, row, actor)
  throw new ApiError('consent_required')
}

/** @throws ApiError consent_required, provider_unusable, unavailable */
async function waitForFresh(deps: Deps, access: Access, actor: Actor): Promise<ProviderTokensRow> {
  const until = performance.now() + waitMs
  let row: ProviderTokensRow | undefined = access.row
  for (;;) {
    const tokens = row && openTokens(deps, row)
    if (row === undefined || tokens === undefined) throw new ApiError('consent_required')
    if (isFresh(deps, row)) return row
    const refreshToken = await refreshTokenIn(deps, row, tokens, actor)
    if (refreshToken === undefined) return row
    const lease = await takeLease(deps, row)
    if (lease !== undefined) await refresh(deps, { ...access, row }, lease, refreshToken, actor)
    else if (performance.now() < until) await sleep(pollMs)
    else throw new ApiError('unavailable', { detail: 'The token is being refreshed. Try again shortly.' })
    row = await readAgain(deps, row)
  }
}

/** Returns the operation that makes tokens of an access valid, which requests at this node share. */
export function createFreshTokens(deps: Deps) {
  const underWay = new Map<string, Promise<ProviderTokensRow>>()
  return (access: Access, actor: Actor): Promise<ProviderTokensRow> => {
    const { row } = access
    if (isFresh(deps, row) && row.sealed_tokens !== null) return Promise.resolve(row)
    const key = inTenant(row.tenant_id, row.id)
    let fresh = underWay.get(key)
    if (fresh === undefined) {
      fresh = waitForFresh(deps, access, actor).finally(() => underWay.delete(key))
      underWay.set(key, fresh)
    }
    return fresh
  }
}
