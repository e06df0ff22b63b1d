// The devices on which the signed-in user is not asked for a second factor.
import type { TrustedDevice } from '@bailiwick/contract'
import { lockFactorOwner } from '../../identity/authenticators/factor-changes.ts'
import type { Deps } from '../../identity/deps.ts'
import {
  type TrustedDeviceRow,
  listTrustedDevices,
  removeTrustedDevice,
} from '../../identity/trusted-devices/trusted-devices.ts'
import type { AnyCall } from '../frontend/flow.ts'

const ownerOf = ({ tenantId, signedIn }: AnyCall) => ({ tenantId, userId: signedIn.row.user_id })

const present = (call: AnyCall, row: TrustedDeviceRow): TrustedDevice => ({
  id: row.id,
  browser: row.browser,
  os: row.os,
  factor: row.factor,
  current: row.token_hash === call.heldHash('device'),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})

export const listOwnTrustedDevices = async (deps: Deps, call: AnyCall): Promise<TrustedDevice[]> =>
  (await listTrustedDevices(deps, ownerOf(call))).map((row) => present(call, row))

/** @throws ApiError not_found, also if it belongs to another user. */
export function removeOwnTrustedDevice(deps: Deps, call: AnyCall, id: string): Promise<TrustedDevice> {
  return deps.db.transaction(async (tx) => {
    await lockFactorOwner(tx, ownerOf(call))
    return present(call, await removeTrustedDevice(deps, tx, ownerOf(call), id, call.actor()))
  })
}
