import { flag, id, many, record, text, time } from '../../platform/db/columns.ts'
import { sql } from '../../platform/db/sql.ts'
import { table } from '../../platform/db/table.ts'
import type { OrganizationId, SessionId, SignInAttemptId, SignUpAttemptId, UserId } from '../../platform/ids.ts'

export const sessionsCounter = 'sessions'

export const sessions = table(
  'sessions',
  {
    ...record<SessionId>(),
    user_id: id<UserId>(),
    token_hash: text(),
    ...many(text().nullable(), 'browser', 'device', 'engine', 'os', 'cpu', 'ua', 'ip'),
    sign_in_attempt_id: id<SignInAttemptId>().nullable(),
    sign_up_attempt_id: id<SignUpAttemptId>().nullable(),
    /** The actor who acts in the user's place; null if the user acts. */
    ...many(text().nullable(), 'actor_type', 'actor_id'),
    /** The organization that the session acts for; it has effect while the user is a member. */
    organization_id: id<OrganizationId>().nullable(),
    /** 1 if applications are to be told when it ends. */
    is_followed: flag().default(0),
    ...many(time(), 'expires_at', 'last_active_at'),
    ended_at: time().nullable(),
  },
  {
    counted: [{ where: sql`ended_at IS NULL`, counter: sessionsCounter }],
    notExported: 'a sign-in holds where it was made',
  },
)
