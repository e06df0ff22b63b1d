import type { LiveSession } from '../../identity/sessions/live-session.ts'
import type { SessionDirectory } from '../../identity/sessions/session-directory.ts'
import type { FindConsoleUser } from '../../platform/http/credentials/authenticate.ts'
import type { ConsoleUser } from '../../platform/http/credentials/principal.ts'
import { whenReady } from '../../platform/maybe-promise.ts'

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

export const consoleUserFinder =
  ({ find }: SessionDirectory): FindConsoleUser =>
  (tokenHash, beforeLookUp) =>
    whenReady(find(tokenHash, beforeLookUp), consoleUserOf)
