// Accounts at social providers with which users sign in.
import type { AnyProviderKey, SocialConnection } from '@bailiwick/contract'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { type ProviderTokensRow, endAccess, listAccesses, presentAccess } from '../provider-tokens/provider-tokens.ts'
import { type UserRow, lockUser } from '../users/find-user.ts'
import { socialConnections } from './tables.ts'

/** A user of a provider, as a connection names it. */
export type ConnectedIdentity = Pick<ConnectionRow, 'issuer' | 'subject' | 'email'> & {
  readonly providerKey: AnyProviderKey
}

export type ConnectionRow = RowOf<typeof socialConnections>

/** A user can have one for each account at a provider; more than these are not shown. */
export const connectionsMax = 100

/** Finds a connection by issuer and subject alone, never by the address. */
export const selectConnection = (db: Reader, tenantId: TenantId, { providerKey, issuer, subject }: ConnectedIdentity) =>
  socialConnections.first(db)`tenant_id = ${tenantId} AND provider_key = ${providerKey} AND issuer = ${issuer}
    AND subject = ${subject}`

export const findConnection = socialConnections.byKey

export const selectConnectionsOf = (db: Reader, tenantId: TenantId, userId: UserId) =>
  socialConnections.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} ORDER BY created_at DESC
    LIMIT ${connectionsMax}`

/** @param access what the tenant keeps for the user; undefined if nothing. */
export const presentConnection = (row: ConnectionRow, access?: ProviderTokensRow): SocialConnection => ({
  id: row.id,
  providerKey: row.provider_key,
  email: row.email,
  access: access === undefined ? null : presentAccess(access),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Returns the user's connections as they are shown, newest first, with the access that the tenant keeps. */
export async function listConnections(db: Reader, tenantId: TenantId, userId: UserId): Promise<SocialConnection[]> {
  const [rows, accesses] = await Promise.all([
    selectConnectionsOf(db, tenantId, userId),
    listAccesses(db, tenantId, userId),
  ])
  const byConnection = new Map(accesses.map((access) => [access.connection_id, access]))
  return rows.map((row) => presentConnection(row, byConnection.get(row.id)))
}

interface ConnectionEvent {
  readonly type: 'social_connection.created' | 'social_connection.deleted'
  readonly row: ConnectionRow
  readonly salt: string
  readonly actor: Actor
}

const connectionEvent = ({ clock, personal }: Deps, { type, row, salt, actor }: ConnectionEvent) =>
  eventStatement(clock, personal, {
    tenantId: row.tenant_id,
    type,
    actor,
    subjectId: row.id,
    data: { userId: row.user_id, providerKey: row.provider_key },
    personal: { salt, userId: row.user_id, data: { email: row.email } },
  })

/** @param isProven whether the person who connects it has proven to own an address of the user, or is signed in. */
export async function insertConnection(
  deps: Deps,
  tx: Transaction,
  user: Pick<UserRow, 'tenant_id' | 'id' | 'personal_salt'>,
  identity: ConnectedIdentity,
  { actor, isProven }: { readonly actor: Actor; readonly isProven: boolean },
): Promise<ConnectionRow> {
  const at = deps.clock.next()
  const { providerKey, issuer, subject, email } = identity
  const row: ConnectionRow = {
    tenant_id: user.tenant_id,
    id: newId<'SocialConnectionId'>(),
    user_id: user.id,
    provider_key: providerKey,
    issuer,
    subject,
    email,
    is_unproven: isProven ? 0 : 1,
    created_at: at,
    updated_at: at,
  }
  await tx.run(socialConnections.insert(row))
  await tx.run(connectionEvent(deps, { type: 'social_connection.created', row, salt: user.personal_salt, actor }))
  return row
}

const updateEmail = socialConnections.update('email', 'updated_at')

/** Stores the address that the provider last sent, by which people recognise their accounts. */
export async function refreshConnection(
  { clock }: Deps,
  tx: Transaction,
  row: ConnectionRow,
  { email }: ConnectedIdentity,
) {
  if (row.email === email) return
  await tx.run(updateEmail({ ...row, email, updated_at: clock.now() }))
}

export async function removeConnection(
  deps: Deps,
  tx: Transaction,
  row: ConnectionRow,
  { salt, actor }: { readonly salt: string; readonly actor: Actor },
): Promise<void> {
  await endAccess(deps, tx, row, actor)
  await tx.run(socialConnections.delete(row.tenant_id, row.id))
  await tx.run(connectionEvent(deps, { type: 'social_connection.deleted', row, salt, actor }))
}

/** Ends the access that the tenant keeps to each account of a user whom the transaction holds; resolves with how many there were. */
export async function endAllAccesses(deps: Deps, tx: Transaction, tenantId: TenantId, userId: UserId, actor: Actor) {
  const accesses = await listAccesses(tx, tenantId, userId)
  if (accesses.length === 0) return 0
  for (const row of await selectConnectionsOf(tx, tenantId, userId)) await endAccess(deps, tx, row, actor)
  return accesses.length
}

/**
 * Removes the connections that came with an account for which nobody had proven to own an address.
 * @returns whether there were any.
 */
export async function removeUnprovenConnections(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  userId: UserId,
  actor: Actor,
): Promise<boolean> {
  const isUnproven = sql`tenant_id = ${tenantId} AND user_id = ${userId} AND is_unproven = 1`
  const rows = await socialConnections.all(tx)`${isUnproven} LIMIT ${connectionsMax}`
  for (const row of rows) await endAccess(deps, tx, row, actor)
  return rows.length > 0 && (await tx.run(sql`DELETE FROM social_connections WHERE ${isUnproven}`)) > 0
}

/**
 * Ends the access that the tenant keeps to one account of a user; nothing happens if it keeps none.
 * @throws ApiError not_found
 */
export function withdrawAccess(
  deps: Deps,
  tenantId: TenantId,
  { userId, id }: { readonly userId: UserId; readonly id: string },
  actor: Actor,
): Promise<SocialConnection> {
  return deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, tenantId, userId)
    const row = await socialConnections.byKey(tx, tenantId, id)
    if (user === undefined || row?.user_id !== userId) throw notFound()
    await endAccess(deps, tx, row, actor)
    return presentConnection(row)
  })
}

/** Keeps the connections, because the user has proven to own an address in a session that began with them. */
export const keepProvenConnections = (tenantId: TenantId, userId: UserId): Statement =>
  sql`UPDATE social_connections SET is_unproven = 0 WHERE tenant_id = ${tenantId} AND user_id = ${userId}`
