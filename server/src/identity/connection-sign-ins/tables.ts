import { id, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { ConnectionId, OrganizationId, SessionId, SignInAttemptId, UserId } from '../../platform/ids.ts'

/** With which connection of an organization somebody has signed in, and what its provider said then. Rows go with the session. */
export const connectionSignIns = table(
  'connection_sign_ins',
  {
    tenant_id: record().tenant_id,
    attempt_id: id<SignInAttemptId>(),
    connection_id: id<ConnectionId>(),
    organization_id: id<OrganizationId>(),
    user_id: id<UserId>(),
    /** Null until the attempt has opened its session. */
    session_id: id<SessionId>().nullable(),
    /** The claims that the tenant names as sources of its own; null if there is none. */
    sealed_claims: text().nullable(),
    created_at: time(),
    /** When a sign-in that was not finished is forgotten. */
    expires_at: time().nullable(),
  },
  {
    key: ['tenant_id', 'attempt_id'],
    sealed: { sealed_claims: 'claims' },
    notExported: 'a sign-in holds where it was made',
  },
)
