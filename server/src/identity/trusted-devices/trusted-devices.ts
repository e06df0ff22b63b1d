// "Do not ask on this device": after a second factor, a user can spare the device the question for as many days as the tenant allows. It ends
// with a change of the password or of a factor, with signing out everywhere, and when the user is suspended. It never counts as a factor.
import type { SignInStrategy, TenantAuthSettings } from '@bailiwick/contract'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { trustedDevices } from './tables.ts'

export type TrustedDeviceRow = RowOf<typeof trustedDevices>

/** How many devices a user can trust; the oldest one makes room. */
const devicesMax = 20
const dayMs = 24 * 60 * 60_000

interface Owner {
  readonly tenantId: TenantId
  readonly userId: UserId
}

export interface NewTrustedDevice extends Owner {
  /** The hash of a token that was made for this, so that nobody else can know it. */
  readonly tokenHash: string
  readonly factor: SignInStrategy
  readonly browser: string | null
  readonly os: string | null
}

/** Also selects those that have expired and are not removed yet. */
export const selectTrustedDevices = (db: Reader, { tenantId, userId }: Owner) =>
  trustedDevices.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} ORDER BY created_at LIMIT ${devicesMax}`

/** Returns the devices on which the user is not asked at present, oldest first. */
export async function listTrustedDevices(
  { db, clock }: { readonly db: Reader; readonly clock: Deps['clock'] },
  owner: Owner,
): Promise<TrustedDeviceRow[]> {
  const now = clock.now()
  return (await selectTrustedDevices(db, owner)).filter(({ expires_at: end }) => end > now)
}

/** Returns whether a user need not be asked on the device that holds a token, as the tenant's settings say at this moment. */
export async function isTrustedDevice(
  { clock }: Pick<Deps, 'clock'>,
  db: Reader,
  auth: TenantAuthSettings,
  { tenantId, userId, tokenHash }: Owner & { readonly tokenHash: string | undefined },
): Promise<boolean> {
  if (auth.trustedDeviceDays === 0 || tokenHash === undefined) return false
  const row = await trustedDevices.first(db)`tenant_id = ${tenantId} AND user_id = ${userId}
    AND token_hash = ${tokenHash}`
  if (row === undefined) return false
  const now = clock.now()
  return row.expires_at > now && addMilliseconds(row.created_at, auth.trustedDeviceDays * dayMs) > now
}

const event = ({ clock, personal }: Deps, name: 'created' | 'deleted', row: TrustedDeviceRow, actor: Actor) =>
  eventStatement(clock, personal, {
    tenantId: row.tenant_id,
    type: `trusted_device.${name}`,
    actor,
    subjectId: row.id,
    data: { userId: row.user_id, factor: row.factor, expiresAt: row.expires_at },
  })

/** Trusts a device of a user whom the caller's transaction holds. */
export async function trustDevice(
  deps: Deps,
  tx: Transaction,
  auth: TenantAuthSettings,
  { tenantId, userId, tokenHash, factor, browser, os }: NewTrustedDevice,
  actor: Actor,
): Promise<void> {
  const [oldest, ...others] = await selectTrustedDevices(tx, { tenantId, userId })
  if (oldest !== undefined && others.length + 1 >= devicesMax) await tx.run(trustedDevices.delete(tenantId, oldest.id))
  const at = deps.clock.next()
  const row: TrustedDeviceRow = {
    tenant_id: tenantId,
    id: newId(),
    user_id: userId,
    token_hash: tokenHash,
    factor,
    browser,
    os,
    expires_at: addMilliseconds(deps.clock.now(), auth.trustedDeviceDays * dayMs),
    created_at: at,
    updated_at: at,
  }
  await tx.run(trustedDevices.insert(row))
  await tx.run(event(deps, 'created', row, actor))
}

/** Ends the trust in all devices of a user. */
export const forgetTrustedDevices = (tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM trusted_devices WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/**
 * Ends the trust in one device.
 * @throws ApiError not_found, also if it belongs to another user.
 */
export async function removeTrustedDevice(
  deps: Deps,
  tx: Transaction,
  { tenantId, userId }: Owner,
  id: string,
  actor: Actor,
) {
  const row = await trustedDevices.byKey(tx, tenantId, id)
  if (row?.user_id !== userId) throw notFound()
  await tx.run(trustedDevices.delete(tenantId, row.id))
  await tx.run(event(deps, 'deleted', row, actor))
  return row
}
