// An account whose owner nobody has shown to be: when the owner of its address comes, every way into it that was there before ends, for
// any of them may be a stranger's who has registered the address first (SECURITY 2.2).
import { removeAuthenticatorsOf } from '../authenticators/remove-all.ts'
import type { Transaction } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../events/append.ts'
import type { Actor } from '../http/principal.ts'
import type { TenantId, UserId } from '../ids.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { deletePassword } from './passwords.ts'
import { selectUser } from './queries.ts'
import { endVerificationsOf } from '../verifications/verifications.ts'
import { removeConnection, selectConnectionsOf } from '../social-sign-in/connections.ts'

/** Part of the caller's transaction, which holds the user. */
export async function endUnprovenAccess(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  id: UserId,
  actor: Actor,
): Promise<void> {
  const user = await selectUser(tx, tenantId, id)
  if (user === undefined) return
  const hadPassword = (await tx.run(deletePassword(tenantId, id))) > 0
  const authenticators = await removeAuthenticatorsOf(deps, tx, user, actor)
  await tx.run(endVerificationsOf(tenantId, id))
  const connections = await selectConnectionsOf(tx, tenantId, id)
  for (const row of connections) await removeConnection(deps, tx, row, { salt: user.personal_salt, actor })
  const sessions = await endSessionsOf(deps, tx, tenantId, id, actor)
  await tx.run(
    eventStatement(deps.clock, deps.personal, {
      tenantId,
      type: 'user.unproven_access_ended',
      actor,
      subject: { type: 'user', id },
      data: { hadPassword, authenticators, connections: connections.length, sessions },
    }),
  )
}
