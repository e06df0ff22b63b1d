import type { Deps } from '../../identity/deps.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import type { FindConsoleUser } from '../../platform/http/credentials/authenticate.ts'
import type { ConsoleUser } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { whenReady } from '../../platform/maybe-promise.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'

/** Sessions of other tenants' users exist too, but give no access here. */
export function consoleUserOf(session: LiveSession | undefined): ConsoleUser | undefined {
  if (session === undefined || session.tenant.row.kind !== 'console') return undefined
  const { row, flags } = session
  return {
    type: 'console_user',
    tenantId: row.tenant_id,
    userId: row.user_id,
    sessionId: row.id,
    flags,
    impersonatedBy: row.actor_type === null ? undefined : { type: row.actor_type, id: row.actor_id },
  }
}

/** The first request asks all shards of a sharded database, and meanwhile finds out whose sessions can be meant. */
export function consoleUserFinder({ db, sessions }: Pick<Deps, 'db' | 'sessions'>): FindConsoleUser {
  let consoleTenantId: TenantId | undefined
  const learn = async () => {
    consoleTenantId = await getConsoleTenantId(db)
  }
  return (tokenHash, beforeLookUp) => {
    if (consoleTenantId === undefined) learn().catch(() => undefined)
    return whenReady(sessions.find(tokenHash, beforeLookUp, consoleTenantId), consoleUserOf)
  }
}
