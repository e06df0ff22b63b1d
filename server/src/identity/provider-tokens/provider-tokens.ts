// The access that users let a tenant keep to their accounts at providers: what is stored of it, and how it ends.
import type { AnyProviderKey, ProviderAccess } from '@bailiwick/contract'
import { type Timestamp } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type SocialConnectionId, type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { providerRevocations, providerTokens } from './tables.ts'

export type ProviderTokensRow = RowOf<typeof providerTokens>

/** What is sealed. */
export interface KeptTokens {
  readonly accessToken: string
  readonly tokenType: string
  readonly refreshToken: string | null
}

/** What a provider has granted. */
export interface GrantedTokens extends KeptTokens {
  readonly scopes: readonly string[]
  readonly expiresAt: Timestamp | null
  /** From when on the access token is refreshed before it is returned. */
  readonly refreshAt: Timestamp | null
}

/** The connection that an access belongs to. */
export interface AccessPlace {
  readonly tenant_id: TenantId
  readonly id: SocialConnectionId
  readonly user_id: UserId
  readonly provider_key: AnyProviderKey
  readonly issuer: string
}

/** A user has as many connections at most. */
const accessesMax = 100

export const revokeJobKind = 'provider-tokens.revoke'

export const sealTokens = (
  { sealer }: Pick<Deps, 'sealer'>,
  row: Pick<ProviderTokensRow, 'tenant_id' | 'id'>,
  tokens: KeptTokens,
) => {
  const { accessToken, tokenType, refreshToken } = tokens
  return sealer.seal(
    JSON.stringify({ accessToken, tokenType, refreshToken }),
    providerTokens.place('sealed_tokens', row),
  )
}

/** Returns the tokens; undefined if the provider has refused them. */
export const openTokens = ({ sealer }: Pick<Deps, 'sealer'>, row: ProviderTokensRow): KeptTokens | undefined =>
  row.sealed_tokens === null
    ? undefined
    : (JSON.parse(sealer.open(row.sealed_tokens, providerTokens.place('sealed_tokens', row))) as KeptTokens)

export const presentAccess = (row: ProviderTokensRow): ProviderAccess => ({
  scopes: [...fromJson(row.scopes)],
  state: row.state,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  lastUsedAt: row.last_used_at,
})

export const listAccesses = (db: Reader, tenantId: TenantId, userId: UserId) =>
  providerTokens.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} ORDER BY updated_at DESC LIMIT ${accessesMax}`

export const findAccess = (db: Reader, tenantId: TenantId, connectionId: string) =>
  providerTokens.first(db)`tenant_id = ${tenantId} AND connection_id = ${connectionId}`

type AccessEvent = `social_connection.access_${'granted' | 'used' | 'lapsed' | 'removed'}`

export const accessEvent = ({ clock, personal }: Deps, type: AccessEvent, row: ProviderTokensRow, actor: Actor) =>
  eventStatement(clock, personal, {
    tenantId: row.tenant_id,
    type,
    actor,
    subjectId: row.connection_id,
    data: { userId: row.user_id, providerKey: row.provider_key, scopes: [...fromJson(row.scopes)] },
  })

/** Keeps what a user has allowed at the provider, in place of what was kept before. The caller's transaction holds the user. */
export async function keepAccess(deps: Deps, tx: Transaction, place: AccessPlace, tokens: GrantedTokens, actor: Actor) {
  const at = deps.clock.next()
  const before = await providerTokens.first(
    tx,
  )`tenant_id = ${place.tenant_id} AND connection_id = ${place.id} ${sql.forUpdate}`
  const known = before && openTokens(deps, before)
  const key = { tenant_id: place.tenant_id, id: before?.id ?? newId<'ProviderTokensId'>() }
  // Some providers send a refresh token with the first consent only.
  const kept = { ...tokens, refreshToken: tokens.refreshToken ?? known?.refreshToken ?? null }
  const row: ProviderTokensRow = {
    ...key,
    user_id: place.user_id,
    connection_id: place.id,
    provider_key: place.provider_key,
    scopes: toJson(tokens.scopes),
    state: 'active',
    sealed_tokens: sealTokens(deps, key, kept),
    expires_at: tokens.expiresAt,
    refresh_at: tokens.refreshAt,
    lease: null,
    leased_until: null,
    last_used_at: before?.last_used_at ?? null,
    created_at: before?.created_at ?? at,
    updated_at: at,
  }
  await tx.run(before === undefined ? providerTokens.insert(row) : providerTokens.rewrite(row))
  await tx.run(accessEvent(deps, 'social_connection.access_granted', row, actor))
}

/** Stores tokens that are no longer kept until a job has revoked them at the provider. */
export async function queueRevocation(
  deps: Deps,
  tx: Transaction,
  place: Omit<AccessPlace, 'id' | 'user_id'>,
  tokens: KeptTokens,
) {
  const { clock, sealer } = deps
  const { tenant_id: tenantId, provider_key: providerKey, issuer } = place
  const id = newId<'ProviderRevocationId'>()
  const sealed = sealer.seal(
    JSON.stringify(tokens),
    providerRevocations.place('sealed_tokens', { tenant_id: tenantId, id }),
  )
  const at = clock.next()
  await tx.run(
    providerRevocations.insert({
      tenant_id: tenantId,
      id,
      provider_key: providerKey,
      issuer,
      sealed_tokens: sealed,
      created_at: at,
      updated_at: at,
    }),
  )
  await tx.run(jobStatement(clock, { tenantId, kind: revokeJobKind, key: id }))
}

/**
 * Ends the access to one connected account, and has its tokens revoked at the provider. The caller's transaction holds the user.
 * @returns whether there was any.
 */
export async function endAccess(deps: Deps, tx: Transaction, place: AccessPlace, actor: Actor): Promise<boolean> {
  const row = await findAccess(tx, place.tenant_id, place.id)
  if (row === undefined) return false
  const tokens = openTokens(deps, row)
  await tx.run(providerTokens.delete(row.tenant_id, row.id))
  if (tokens !== undefined) await queueRevocation(deps, tx, place, tokens)
  await tx.run(accessEvent(deps, 'social_connection.access_removed', row, actor))
  return true
}
