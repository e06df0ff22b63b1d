import { id, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { ConnectionId, SessionId, SignInAttemptId } from '../../platform/ids.ts'

/** The assertions and requests that have had their effect, for as long as they could be sent again. */
export const seenAssertions = table(
  'saml_seen_assertions',
  {
    tenant_id: record().tenant_id,
    connection_id: id<ConnectionId>(),
    /** SHA-256 of the id of the assertion or request, which the provider chooses. */
    assertion_hash: text(),
    expires_at: time(),
  },
  { key: ['tenant_id', 'connection_id', 'assertion_hash'], notExported: 'they expire within minutes' },
)

/** Under which name a provider has signed somebody in, so that both sides can end it. */
export const samlSignIns = table(
  'saml_sign_ins',
  {
    tenant_id: record().tenant_id,
    connection_id: id<ConnectionId>(),
    attempt_id: id<SignInAttemptId>(),
    /** Null until the attempt has opened its session. */
    session_id: id<SessionId>().nullable(),
    /** SHA-256 of the name id and of the index of the session at the provider. */
    subject_hash: text(),
    index_hash: text().nullable(),
    sealed_name: text(),
    created_at: time(),
    /** When a sign-in that was not finished is forgotten. */
    expires_at: time().nullable(),
  },
  {
    key: ['tenant_id', 'attempt_id'],
    sealed: { sealed_name: 'name' },
    notExported: 'a sign-in holds where it was made',
  },
)

/** Browsers that are at their provider to sign out. */
export const samlLogouts = table(
  'saml_logouts',
  {
    tenant_id: record().tenant_id,
    connection_id: id<ConnectionId>(),
    /** SHA-256 of the id of our request, which the provider repeats. */
    request_hash: text(),
    return_uri: text(),
    ...many(time(), 'created_at', 'expires_at'),
  },
  { key: ['tenant_id', 'request_hash'], notExported: 'they expire within minutes' },
)
