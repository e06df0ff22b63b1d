// Who signed in under which name of a provider, from the proof of the first factor until the session ends.
import { hash } from 'node:crypto'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { ConnectionId, SessionId, SignInAttemptId, TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { samlSignIns } from './tables.ts'

/** What a provider calls somebody, and the session there. */
export interface SamlName {
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  readonly sessionIndex: string | null
}

interface Place {
  readonly tenant_id: TenantId
  readonly id: ConnectionId
}

/** An attempt that is not finished by then never is. */
const pendingMs = 60 * 60_000
const sessionsMax = 100

const upsert = samlSignIns.upsert(
  'connection_id',
  'session_id',
  'subject_hash',
  'index_hash',
  'sealed_name',
  'expires_at',
)

/**
 * Keeps the name in the transaction that proves the first factor.
 * @param sessionId the session that it opens; null while the sign-in goes on.
 */
export function keepSamlName(
  { clock, sealer }: Deps,
  connection: Place,
  attemptId: SignInAttemptId,
  { nameId, nameIdFormat, nameQualifier, spNameQualifier, sessionIndex }: SamlName,
  sessionId: SessionId | null,
): Statement {
  const place = { tenant_id: connection.tenant_id, attempt_id: attemptId }
  const name: SamlName = { nameId, nameIdFormat, nameQualifier, spNameQualifier, sessionIndex }
  const at = clock.now()
  return upsert({
    ...place,
    connection_id: connection.id,
    session_id: sessionId,
    subject_hash: hash('sha256', nameId),
    index_hash: sessionIndex === null ? null : hash('sha256', sessionIndex),
    sealed_name: sealer.seal(JSON.stringify(name), samlSignIns.place('sealed_name', place)),
    created_at: at,
    expires_at: sessionId === null ? addMilliseconds(at, pendingMs) : null,
  })
}

/** Says which session an attempt has opened that went on after its first factor. */
export const bindSamlName = (tenantId: TenantId, attemptId: SignInAttemptId, sessionId: SessionId): Statement =>
  sql`UPDATE saml_sign_ins SET session_id = ${sessionId}, expires_at = NULL
    WHERE tenant_id = ${tenantId} AND attempt_id = ${attemptId}`

/** Returns the name with which a session began, and at which connection; undefined for any other session. */
export async function samlNameOfSession({ db, sealer }: Deps, tenantId: TenantId, sessionId: SessionId) {
  const row = await samlSignIns.first(db)`tenant_id = ${tenantId} AND session_id = ${sessionId}
    ORDER BY created_at DESC LIMIT 1`
  if (row === undefined) return undefined
  const name = JSON.parse(sealer.open(row.sealed_name, samlSignIns.place('sealed_name', row))) as SamlName
  return { connectionId: row.connection_id, name }
}

/**
 * Returns the live sessions that a connection has opened for a subject.
 * @param indexes those of the sessions that are meant, at the provider; none means all.
 */
export const sessionsOfSubject = (
  db: Reader,
  { tenant_id: tenantId, id }: Place,
  nameId: string,
  indexes: readonly string[],
) =>
  db.all<{ id: SessionId; user_id: UserId }>(sql`SELECT DISTINCT s.id, s.user_id FROM saml_sign_ins i
    JOIN sessions s ON s.tenant_id = i.tenant_id AND s.id = i.session_id
    WHERE i.tenant_id = ${tenantId} AND i.connection_id = ${id} AND i.subject_hash = ${hash('sha256', nameId)}
      AND s.ended_at IS NULL
      ${indexes.length === 0 ? sql`` : sql`AND i.index_hash IN (${sql.list(indexes.map((each) => hash('sha256', each)))})`}
    LIMIT ${sessionsMax}`)
