// The tokens with which the directory of a connection calls. A token names its tenant and connection by itself; an address only has to agree.
import {
  type CreateScimToken,
  type ScimToken,
  type ScimTokenWithToken,
  parseCursor,
  scimTokensMax,
  tokenPrefixes,
} from '@bailiwick/contract'
import { type Clock, type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { assertMayChangeUsers } from '../../platform/http/credentials/authorize.ts'
import type { Caller } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { type ConnectionRow, findConnection, holdConnection } from '../connections/find-connection.ts'
import type { Deps } from '../deps.ts'
import { baseUri } from './place.ts'
import * as queries from './queries.ts'

const touchEveryMs = 60_000

const present = (row: queries.TokenRow): ScimToken => ({
  id: row.id,
  tenantId: row.tenant_id,
  connectionId: row.connection_id,
  name: row.name,
  last4: row.last4,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export function assertMayProvision({ principal }: Caller, tenantId: TenantId) {
  assertMayChangeUsers(principal, tenantId, 'decide whom a directory may provision')
}

function expiry({ expiresAt }: CreateScimToken, clock: Clock): Timestamp | null {
  if (expiresAt === undefined || expiresAt === null) return null
  const at = parseCursor(expiresAt)?.from as Timestamp | undefined
  if (at === undefined || at <= clock.now()) throw invalid('/expiresAt', 'too_early', 'must be in the future')
  return at
}

const isLive = ({ expires_at: expiresAt }: queries.TokenRow, now: Timestamp) => expiresAt === null || expiresAt > now

/** The first token of a connection makes its directory. */
async function ensureDirectory(tx: Transaction, { tenant_id: tenantId, id }: ConnectionRow) {
  if ((await queries.selectDirectory(tx, tenantId, id)) !== undefined) return
  const row = { tenant_id: tenantId, connection_id: id, group_rules: toJson([]), users_total: 0, groups_total: 0 }
  await tx.run(queries.insertDirectory(row))
}

const eventData = (connection: ConnectionRow, { name, last4 }: queries.TokenRow) => ({
  organizationId: connection.organization_id,
  connectionId: connection.id,
  name,
  last4,
})

/** @throws ApiError not_found, forbidden, scim_token_limit_reached; validation_failed for an expiry in the past. */
export async function createScimToken(
  deps: Deps,
  tenantId: TenantId,
  connectionId: string,
  input: CreateScimToken,
  caller: Caller,
): Promise<ScimTokenWithToken> {
  const { db, clock, config, personal } = deps
  assertMayProvision(caller, tenantId)
  const expiresAt = expiry(input, clock)
  const token = newToken(tokenPrefixes.scim)
  return db.transaction(async (tx) => {
    const connection = await holdConnection(tx, tenantId, connectionId)
    await ensureDirectory(tx, connection)
    const now = clock.now()
    const tokens = await queries.selectTokens(tx, tenantId, connectionId)
    if (tokens.filter((each) => isLive(each, now)).length >= scimTokensMax) {
      throw new ApiError('scim_token_limit_reached')
    }
    // Those that have expired would otherwise add up.
    for (const each of tokens) if (!isLive(each, now)) await tx.run(queries.deleteToken(tenantId, each.id))
    const at = clock.next()
    const row: queries.TokenRow = {
      tenant_id: tenantId,
      id: newId<'ScimTokenId'>(),
      connection_id: connection.id,
      name: input.name,
      hash: hashToken(token),
      last4: token.slice(-4),
      expires_at: expiresAt,
      last_used_at: null,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertToken(row))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'scim_token.created',
        actor: caller.actor,
        subjectId: row.id,
        data: eventData(connection, row),
      }),
    )
    return { ...present(row), token, baseUri: baseUri(config, connection) }
  })
}

/** @throws ApiError not_found */
export async function listScimTokens({ db, clock }: Deps, tenantId: TenantId, connectionId: string) {
  if ((await findConnection(db, tenantId, connectionId)) === undefined) throw notFound()
  const now = clock.now()
  const rows = await queries.selectTokens(db, tenantId, connectionId)
  return rows.filter((each) => isLive(each, now)).map(present)
}

/** @throws ApiError not_found, forbidden */
export async function deleteScimToken(
  { db, clock, personal }: Deps,
  tenantId: TenantId,
  connectionId: string,
  id: string,
  caller: Caller,
): Promise<ScimToken> {
  assertMayProvision(caller, tenantId)
  return db.transaction(async (tx) => {
    const connection = await holdConnection(tx, tenantId, connectionId)
    const row = (await queries.selectTokens(tx, tenantId, connectionId)).find((each) => each.id === id)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteToken(tenantId, id))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'scim_token.revoked',
        actor: caller.actor,
        subjectId: row.id,
        data: eventData(connection, row),
      }),
    )
    return present(row)
  })
}

/** Returns the live token, read from the database each time, so that a revoked one is refused at every node at once. */
export async function findLiveToken(
  db: Reader,
  clock: Clock,
  tenantId: string,
  token: string,
): Promise<queries.TokenRow | undefined> {
  const row = await queries.selectTokenByHash(db, tenantId, hashToken(token))
  return row !== undefined && isLive(row, clock.now()) ? row : undefined
}

/** Records the use of a token, at most once a minute. */
export async function recordUse({ db, clock }: Deps, row: queries.TokenRow): Promise<void> {
  const now = clock.now()
  if (row.last_used_at !== null && addMilliseconds(row.last_used_at, touchEveryMs) > now) return
  await db.write(() => [queries.touchToken({ ...row, last_used_at: now })])
}
