import type { SignInStrategy } from '@bailiwick/contract'
import { flag, id, json, many, record, text, time } from '../../platform/db/columns.ts'
import { sql } from '../../platform/db/sql.ts'
import { table } from '../../platform/db/table.ts'
import type {
  ApplicationId,
  OrganizationId,
  SessionId,
  SignInAttemptId,
  SignUpAttemptId,
  TenantId,
  UserId,
} from '../../platform/ids.ts'

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
    /** When the user has proven who it is once more; null if only as the session began. */
    auth_time: time().nullable(),
    /** When the last proof that was a second factor, or two at once, was given. */
    second_factor_at: time().nullable(),
    /** What was proven; null in a session from before it was recorded, and in one that somebody opened in the user's place. */
    factors: json<SignInStrategy[]>().nullable(),
  },
  {
    counted: [{ where: sql`ended_at IS NULL`, counter: sessionsCounter }],
    notExported: 'a sign-in holds where it was made',
  },
)

/** The applications that have signed the user in by a session. Each is told when the session ends. */
export const sessionFollowers = table(
  'session_followers',
  {
    tenant_id: id<TenantId>(),
    session_id: id<SessionId>(),
    application_id: id<ApplicationId>(),
    /** The name of the session in the application's ID tokens, and the issuer that these tokens name. */
    ...many(text(), 'sid', 'issuer'),
    created_at: time(),
  },
  {
    key: ['tenant_id', 'session_id', 'application_id', 'sid'],
    notExported: 'a sign-in holds where it was made',
  },
)
