// The keys that sign a tenant's tokens: the newest one of each kind signs, and earlier ones verify for one more day.
import { type IdTokenAlgorithm, type JwkCertificate, idTokenAlgorithms } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { generateSigningKey } from '../../platform/crypto/signing-keys.ts'
import { rsaSigningKeys, signingKeyTables, signingKeys } from '../../platform/crypto/tables.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { lockTenant } from '../tenants/find-tenant.ts'
import { getTenant } from '../tenants/tenants.ts'

/** Longer than any token's life and any cache of the published keys. */
const verifyingMs = 24 * 60 * 60 * 1000
const keysMax = 100

type Row = RowOf<typeof signingKeys>
export type NewSigningKey = Awaited<ReturnType<typeof newSigningKey>>

async function selectSigningKeys(db: Reader, tenantId: TenantId): Promise<Row[]> {
  const rows: Row[] = []
  for (const algorithm of idTokenAlgorithms) {
    const found = await signingKeyTables[algorithm].all(db)`tenant_id = ${tenantId}
      ORDER BY created_at DESC LIMIT ${keysMax}`
    rows.push(...found)
  }
  return rows
}

const presentSigningKey = (row: Row): JwkCertificate => ({
  id: row.id,
  tenantId: row.tenant_id,
  public: row.public_pem,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** @throws ApiError not_found */
export async function listSigningKeys(deps: Deps, tenantId: TenantId) {
  await getTenant(deps, tenantId)
  return (await selectSigningKeys(deps.db, tenantId)).map(presentSigningKey)
}

/** Returns the row of a new key without its times; its private half is sealed. */
export async function newSigningKey(sealer: Sealer, tenantId: TenantId, algorithm: IdTokenAlgorithm = 'ES256') {
  const { kid, publicPem, privatePem } = await generateSigningKey(algorithm)
  const place = { tenant_id: tenantId, id: newId<'SigningKeyId'>() }
  const sealed = sealer.seal(privatePem, signingKeyTables[algorithm].place('sealed_private_pem', place))
  return { ...place, kid, public_pem: publicPem, sealed_private_pem: sealed }
}

export const insertSigningKey = signingKeys.insert

/** Adds a key and its event; the one before it, which still verifies, is retired. */
async function addKey(
  { clock, personal }: Pick<Deps, 'clock' | 'personal'>,
  tx: Transaction,
  algorithm: IdTokenAlgorithm,
  key: NewSigningKey,
  actor: Actor,
) {
  const table = sql.identifier(signingKeyTables[algorithm].name)
  const { tenant_id: tenantId } = key
  const at = clock.now()
  await tx.run(sql`DELETE FROM ${table}
    WHERE tenant_id = ${tenantId} AND retired_at IS NOT NULL AND retired_at <= ${addMilliseconds(at, -verifyingMs)}`)
  await tx.run(sql`UPDATE ${table} SET retired_at = ${at}, updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND retired_at IS NULL`)
  await tx.run(signingKeyTables[algorithm].insert({ ...key, created_at: clock.next(), updated_at: at }))
  const data = { kid: key.kid }
  await tx.run(
    eventStatement(clock, personal, { tenantId, type: 'signing_key.rotated', actor, subjectId: key.id, data }),
  )
}

const hasRsaKey = async (db: Reader, tenantId: TenantId) =>
  (await rsaSigningKeys.first(db)`tenant_id = ${tenantId} LIMIT 1`) !== undefined

/** Makes the tenant's first RSA key, before the transaction that adds it, because that takes time; undefined if there is one. */
export async function prepareRsaKey({ db, sealer }: Pick<Deps, 'db' | 'sealer'>, tenantId: TenantId) {
  return (await hasRsaKey(db, tenantId)) ? undefined : newSigningKey(sealer, tenantId, 'RS256')
}

/** Adds the tenant's first RSA key, in a transaction that holds the tenant. Another request may have been first. */
export async function addRsaKey(
  deps: Pick<Deps, 'clock' | 'personal'>,
  tx: Transaction,
  key: NewSigningKey | undefined,
  actor: Actor,
) {
  if (key === undefined || (await hasRsaKey(tx, key.tenant_id))) return
  await addKey(deps, tx, 'RS256', key, actor)
}

/** Rotates the key of each kind that the tenant has. @throws ApiError not_found */
export async function rotateSigningKeys(deps: Deps, tenantId: TenantId, actor: Actor) {
  const { db, sealer, tenants } = deps
  const key = await newSigningKey(sealer, tenantId)
  const rsaKey = (await hasRsaKey(db, tenantId)) ? await newSigningKey(sealer, tenantId, 'RS256') : undefined
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    await addKey(deps, tx, 'ES256', key, actor)
    if (rsaKey !== undefined) await addKey(deps, tx, 'RS256', rsaKey, actor)
    await invalidateTenant(tx, tenants, tenantId)
    return (await selectSigningKeys(tx, tenantId)).map(presentSigningKey)
  })
}

async function findAlgorithm(db: Reader, tenantId: TenantId, id: string): Promise<IdTokenAlgorithm | undefined> {
  for (const algorithm of idTokenAlgorithms) {
    if ((await signingKeyTables[algorithm].byKey(db, tenantId, id)) !== undefined) return algorithm
  }
  return undefined
}

/**
 * Removes a key that others may have, so that nothing it has signed is accepted any more. A new one replaces the newest of its kind.
 * @throws ApiError not_found
 */
export async function withdrawSigningKey(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, sealer, clock, personal, tenants } = deps
  const algorithm = await findAlgorithm(db, tenantId, id)
  if (algorithm === undefined) throw notFound()
  const table = signingKeyTables[algorithm]
  const next = await newSigningKey(sealer, tenantId, algorithm)
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const row = await table.byKey(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(table.delete(tenantId, id))
    const data = { kid: row.kid }
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: 'signing_key.withdrawn', actor, subjectId: row.id, data }),
    )
    if (row.retired_at === null) await addKey(deps, tx, algorithm, next, actor)
    await invalidateTenant(tx, tenants, tenantId)
    return (await selectSigningKeys(tx, tenantId)).map(presentSigningKey)
  })
}
