// Removes every authenticator of a user at once, when the account's owner has arrived and nobody knows who set them up.
import type { Timestamp } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type NewEvent, eventsStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { Deps } from '../deps.ts'
import type { UserRow } from '../users/find-user.ts'
import { selectAuthenticatorCode } from './authenticator-codes.ts'
import type { ChangedFactor } from './factor-changes.ts'
import { passkeysMax, selectPasskeys } from './passkey-queries.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

/** Removes the rows and records them. The caller's transaction holds the user. */
export function removeAuthenticatorsOf(deps: Deps, tx: Transaction, user: UserRow, actor: Actor): Promise<number> {
  return removeAuthenticatorsSince(deps, tx, user, undefined, actor)
}

/**
 * Does so with those that were set up since a time; whatever the time, recovery codes and trusted devices are removed with them. Returns how
 * many it removed.
 */
export async function removeAuthenticatorsSince(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  since: Timestamp | undefined,
  actor: Actor,
): Promise<number> {
  const { tenant_id: tenantId, id: userId } = user
  const isNewer = ({ created_at: at }: { readonly created_at: string }) => since === undefined || at >= since
  const code = await selectAuthenticatorCode(tx, tenantId, userId)
  const passkeys = (await selectPasskeys(tx, tenantId, userId)).slice(0, passkeysMax).filter(isNewer)
  const newer = since === undefined ? sql`` : sql` AND created_at >= ${since}`
  for (const table of ['authenticator_codes', 'passkeys', 'passkey_challenges', 'trusted_devices']) {
    const which = table.startsWith('passkey_') || table === 'trusted_devices' ? sql`` : newer
    await tx.run(
      sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND user_id = ${userId}${which}`,
    )
  }
  await tx.run(deleteRecoveryCodes(tenantId, userId))
  const removed: Pick<ChangedFactor, 'kind' | 'id'>[] = [
    ...(code === undefined || !isNewer(code) ? [] : [{ kind: 'authenticator_code' as const, id: code.id }]),
    ...passkeys.map(({ id }) => ({ kind: 'security_key' as const, id })),
  ]
  if (removed.length === 0) return 0
  const events = removed.map(({ kind, id }): NewEvent => ({
    tenantId,
    type: 'authenticator.deleted',
    actor,
    subjectId: id,
    data: { userId, kind },
  }))
  await tx.run(eventsStatement(deps.clock, deps.personal, events))
  return removed.length
}
