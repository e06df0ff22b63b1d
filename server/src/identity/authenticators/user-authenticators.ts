// Shows the tenant what a user has set up, and removes what the user has lost.
import type { Authenticator, UserAuthenticator } from '@bailiwick/contract'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { AuthenticatorId, TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { removeTrustedDevice } from '../trusted-devices/trusted-devices.ts'
import { type UserRow, getUserRow, lockUser } from '../users/find-user.ts'
import { notify, recordRemoved } from './factor-changes.ts'
import { authenticatorsOf } from './present.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

const types = {
  authenticator_code: 'totp',
  security_key: 'passkey',
  recovery_codes: 'recovery_codes',
  trusted_device: 'trusted_device',
} as const
const tables = { authenticator_code: 'authenticator_codes', security_key: 'passkeys' } as const

const present = ({ kind, ...shared }: UserAuthenticator): Authenticator => ({ ...shared, type: types[kind] })

/** @throws ApiError not_found */
export async function listUserAuthenticators({ db }: Deps, tenantId: TenantId, userId: string) {
  const user = await getUserRow(db, tenantId, userId)
  return (await authenticatorsOf(db, tenantId, user.id)).map(present)
}

/**
 * Removes one, ends the user's sessions and tells the user: the caller may not be the user.
 * @throws ApiError not_found, also if it belongs to another user.
 */
export function removeUserAuthenticator(deps: Deps, tenantId: TenantId, userId: string, id: string, actor: Actor) {
  return deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, tenantId, userId)
    const all = user && (await authenticatorsOf(tx, tenantId, user.id))
    const found = all?.find((each) => each.id === id)
    if (user === undefined || found === undefined) throw notFound()
    if (found.kind === 'trusted_device') {
      await removeTrustedDevice(deps, tx, { tenantId, userId: user.id }, id, actor)
      return present(found)
    }
    await remove(deps, tx, user, { ...found, kind: found.kind }, actor)
    await endSessionsOf(deps, tx, tenantId, user.id, actor)
    return present(found)
  })
}

type RemovedFactor = UserAuthenticator & { readonly kind: Exclude<UserAuthenticator['kind'], 'trusted_device'> }

async function remove(deps: Deps, tx: Transaction, user: UserRow, found: RemovedFactor, actor: Actor) {
  const { tenant_id: tenantId, id: userId } = user
  const { kind, name } = found
  if (kind !== 'recovery_codes') {
    const id = found.id as AuthenticatorId
    await tx.run(sql`DELETE FROM ${sql.identifier(tables[kind])}
      WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND id = ${id}`)
    return recordRemoved(deps, tx, user, { kind, id, name }, actor)
  }
  await tx.run(deleteRecoveryCodes(tenantId, userId))
  await tx.run(
    eventStatement(deps.clock, deps.personal, {
      tenantId,
      type: 'recovery_codes.deleted',
      actor,
      subjectId: userId,
      data: {},
    }),
  )
  await invalidateUser(tx, deps.sessions, tenantId, userId)
  await notify(deps, tx, user, 'factor-removed', actor, {
    factor: 'A set of recovery codes',
    factorKind: 'recovery_codes',
  })
}
