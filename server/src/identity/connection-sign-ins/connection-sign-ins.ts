// How sessions began at the identity provider of an organization, from the proof of the first factor until the session's record is removed. Of
// what the provider said, only the claims are kept that the tenant names as sources of its own.
import { type ConnectionType, claimBytesMax } from '@bailiwick/contract'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { newestFirst } from '../../platform/db/newest-first.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { ConnectionId, OrganizationId, SessionId, SignInAttemptId, TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { connectionSignIns } from './tables.ts'

/** Values of claims and attributes, as providers send them. */
export type IdpClaims = Readonly<Record<string, string | readonly string[]>>

export interface ConnectionSignIn {
  readonly connectionId: ConnectionId
  readonly organizationId: OrganizationId
  readonly name: string
  readonly type: ConnectionType
  readonly claims: IdpClaims
}

type SignInRow = RowOf<typeof connectionSignIns>
type Place = Pick<SignInRow, 'tenant_id' | 'attempt_id' | 'connection_id' | 'organization_id' | 'user_id'>

/** An attempt that is not finished by then never is. */
const pendingMs = 60 * 60_000

/**
 * Returns those of the claims that the tenant names; undefined if they are larger than a token may be, because some of them would be
 * misread.
 */
export function namedClaims(names: readonly string[], claims: IdpClaims): IdpClaims | undefined {
  const named = names.flatMap((name) => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return Buffer.byteLength(JSON.stringify(named)) > claimBytesMax ? undefined : Object.fromEntries(named)
}

const upsert = connectionSignIns.upsert(
  'connection_id',
  'organization_id',
  'user_id',
  'session_id',
  'sealed_claims',
  'created_at',
  'expires_at',
)

/**
 * Keeps how a sign-in began, in the transaction that proves the first factor.
 * @param sessionId the session that it opens; null while the sign-in goes on.
 */
export function keepConnectionSignIn(
  { clock, sealer }: Deps,
  place: Place,
  claims: IdpClaims,
  sessionId: SessionId | null,
): Statement {
  const isEmpty = Object.keys(claims).length === 0
  const at = clock.next()
  return upsert({
    ...place,
    session_id: sessionId,
    sealed_claims: isEmpty
      ? null
      : sealer.seal(JSON.stringify(claims), connectionSignIns.place('sealed_claims', place)),
    created_at: at,
    expires_at: sessionId === null ? addMilliseconds(at, pendingMs) : null,
  })
}

/** Says which session an attempt has opened that went on after its first factor, or in which it was a further proof. */
export const bindConnectionSignIn = (tenantId: TenantId, attemptId: SignInAttemptId, id: SessionId): Statement =>
  sql`UPDATE connection_sign_ins SET session_id = ${id}, expires_at = NULL
    WHERE tenant_id = ${tenantId} AND attempt_id = ${attemptId}`

const openClaims = ({ sealer }: Pick<Deps, 'sealer'>, row: SignInRow): IdpClaims =>
  row.sealed_claims === null
    ? {}
    : (JSON.parse(sealer.open(row.sealed_claims, connectionSignIns.place('sealed_claims', row))) as IdpClaims)

type NamedRow = SignInRow & { readonly name: string; readonly type: ConnectionType }

async function findNewest(deps: Pick<Deps, 'db' | 'sealer'>, where: Fragment): Promise<ConnectionSignIn | undefined> {
  const row = await deps.db.first<NamedRow>(sql`SELECT ${connectionSignIns.columnsOf('i')}, c.name, c.type
    FROM connection_sign_ins AS i JOIN connections AS c ON c.tenant_id = i.tenant_id AND c.id = i.connection_id
    WHERE ${where} ORDER BY i.created_at DESC LIMIT 1`)
  if (row === undefined) return undefined
  const { connection_id: connectionId, organization_id: organizationId, name, type } = row
  return { connectionId, organizationId, name, type, claims: openClaims(deps, row) }
}

/** Returns how a session began, or was proven last, at a provider; undefined for any other session. */
export const findSignInOfSession = (deps: Pick<Deps, 'db' | 'sealer'>, tenantId: TenantId, sessionId: SessionId) =>
  findNewest(deps, sql`i.tenant_id = ${tenantId} AND i.session_id = ${sessionId}`)

/** Returns the last sign-in of a user with a connection of the organization, or of any without one. */
export const findLastSignIn = (
  deps: Pick<Deps, 'db' | 'sealer'>,
  tenantId: TenantId,
  userId: UserId,
  organizationId: string | undefined,
) =>
  findNewest(
    deps,
    sql`i.tenant_id = ${tenantId} AND i.user_id = ${userId} AND i.session_id IS NOT NULL
      ${organizationId === undefined ? sql`` : sql`AND i.organization_id = ${organizationId}`}`,
  )

/** Returns the statement that forgets what a connection has said about a user. */
export const forgetSignIns = (tenantId: TenantId, userId: UserId, connectionId: string): Statement =>
  sql`DELETE FROM connection_sign_ins
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND connection_id = ${connectionId}`

/** Yields the sign-ins of a user with what is kept of each, newest first. */
export async function* readConnectionSignIns(deps: Deps, tenantId: TenantId, userId: UserId) {
  const read = (db: Reader) => (before: string | undefined, limit: number) =>
    connectionSignIns.all(db)`tenant_id = ${tenantId} AND user_id = ${userId}
      ${before === undefined ? sql`` : sql`AND created_at < ${before}`} ORDER BY created_at DESC LIMIT ${limit}`
  for await (const rows of newestFirst<SignInRow>(read(deps.db))) {
    for (const row of rows) {
      yield {
        connectionId: row.connection_id,
        organizationId: row.organization_id,
        sessionId: row.session_id,
        claims: openClaims(deps, row),
        createdAt: row.created_at,
      }
    }
  }
}

/** Does one bounded piece of work; returns whether there is more. */
export const removeUnfinished = ({ db, clock }: Deps): Promise<boolean> =>
  removeExpired(db, [
    {
      table: 'connection_sign_ins',
      key: ['tenant_id', 'attempt_id'],
      column: 'expires_at',
      before: clock.now(),
    },
  ])
