// A user's password: setting it, checking it, and hashing it again if it came from another service or was hashed with weaker parameters.
import { randomInt } from 'node:crypto'
import { type Timestamp, addMilliseconds, clockSkewMsMax } from '../../platform/clock.ts'
import { TurnsSaturated } from '../../platform/crypto/fair-turns.ts'
import { unmatchable } from '../../platform/crypto/imported-password.ts'
import type { StoredPassword } from '../../platform/crypto/password-pool.ts'
import { needsRehash, nobodysHash } from '../../platform/crypto/password.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { passwords } from './tables.ts'

/** A random number by which the password may be drawn; see {@link selectPasswordOrDrawn}. */
export const newDraw = (): number => randomInt(2 ** 31)

export type NewPasswordRow = Pick<PasswordRow, 'tenant_id' | 'user_id' | 'hash' | 'kind' | 'created_at'>
type PasswordRow = RowOf<typeof passwords>

export const insertPasswords = (rows: readonly NewPasswordRow[]): Statement =>
  passwords.insertAll(rows.map((row) => ({ ...row, draw: newDraw(), updated_at: row.created_at })))

const setProven = passwords.upsert('hash', 'kind', 'must_change', 'is_unproven', 'reset_by', 'updated_at')
const setAsBefore = passwords.upsert('hash', 'kind', 'must_change', 'updated_at')

export interface NewPassword {
  readonly hash: string
  readonly at: Timestamp
  /** Whether the user must choose another password at the next sign-in, because somebody else has chosen this one. */
  readonly mustChange?: boolean
  /**
   * Whether this password stays unproven if the one before it was set by somebody who had not proven to own an address: that person may be
   * setting this one too.
   */
  readonly staysUnproven?: boolean
  /** The channel by which alone whoever chooses it has proven to be the user. */
  readonly resetBy?: 'email' | 'phone' | undefined
}

/** Sets the password of a user, whether it is the first one or replaces another. */
export const setPassword = (
  tenantId: TenantId,
  userId: UserId,
  { hash, at, mustChange = false, staysUnproven = false, resetBy }: NewPassword,
): Statement =>
  (staysUnproven ? setAsBefore : setProven)({
    tenant_id: tenantId,
    user_id: userId,
    hash,
    must_change: Number(mustChange),
    draw: newDraw(),
    reset_by: resetBy ?? null,
    created_at: at,
    updated_at: at,
  })

/** Has the user choose another password at the next sign-in; changes nothing for a user without one. */
export const demandAnother = (tenantId: TenantId, userId: UserId, at: Timestamp): Statement =>
  sql`UPDATE passwords SET must_change = 1, updated_at = ${at} WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/**
 * Selects the password of a user, and one of the tenant's passwords that a number draws: the one whose own number is next, so that each is
 * equally likely. It is one statement, because it runs whether or not there is such a user.
 */
const selectPasswordOrDrawn = (db: Reader, tenantId: TenantId, userId: UserId, draw: number) =>
  passwords.all(db)`tenant_id = ${tenantId} AND user_id IN (${userId}, COALESCE(
    (SELECT user_id FROM passwords WHERE tenant_id = ${tenantId} AND draw >= ${draw} ORDER BY draw LIMIT 1),
    (SELECT user_id FROM passwords WHERE tenant_id = ${tenantId} ORDER BY draw LIMIT 1)))`

/**
 * Stores a new hash of the same password. This is not a change of the password, so sessions that began with it continue. Changes nothing if
 * another request has stored a new hash or password meanwhile.
 */
export const updateHash = (tenantId: TenantId, userId: UserId, before: string, after: string): Statement =>
  sql`UPDATE passwords SET hash = ${after}, kind = 'own'
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND hash = ${before}`

/** Seals an imported hash, because hashes of other services may be weak, and Firebase's form carries the project's own key. */
export const sealImportedHash = ({ sealer }: Deps, tenantId: TenantId, userId: UserId, encoded: string): string =>
  sealer.seal(encoded, passwords.place('hash', { tenant_id: tenantId, user_id: userId }))

export interface PasswordCheck {
  readonly isRight: boolean
  /** The password is right, but the user has to choose another one before anything else. */
  readonly mustChange: boolean
  /** The version of the password that was right, by which a later change is noticed. */
  readonly version: string | undefined
  /** What the tenant's former system checks the password by, which nothing here can; see `former-system.ts`. */
  readonly foreign?: ForeignPassword
}

export interface ForeignPassword {
  /** As the former system stored it. */
  readonly hash: string
  /** As it is stored here. */
  readonly sealed: string
}

const wrong: PasswordCheck = { isRight: false, mustChange: false, version: undefined }
/** The id that is looked for if there is no user, so that the database is asked either way. */
const nobody = '' as UserId

const opened = ({ sealer }: Pick<Deps, 'sealer'>, row: PasswordRow) =>
  sealer.open(row.hash, passwords.place('hash', row))

/** Returns what is verified here: of a foreign password, a hash that no password matches. */
function stored(deps: Pick<Deps, 'sealer'>, row: PasswordRow): StoredPassword {
  if (row.kind === 'foreign') return { kind: 'own', encoded: nobodysHash }
  return { kind: row.kind, encoded: row.kind === 'own' ? row.hash : opened(deps, row) }
}

/**
 * Returns what is verified if there is no password: a hash that no password matches, and that takes as long as one of the tenant's
 * passwords.
 */
function nobodysPassword(deps: Deps, drawn: PasswordRow | undefined): StoredPassword {
  if (drawn === undefined) return { kind: 'own', encoded: nobodysHash }
  const { kind, encoded } = stored(deps, drawn)
  return { kind, encoded: unmatchable(encoded) }
}

/** Returns the same number for the same identifier each time, which nobody can predict. */
const drawOf = ({ hashCode }: Deps, tenantId: TenantId, identifierKey: string): number =>
  Buffer.from(hashCode(['password draw', tenantId, identifierKey].join('\0')), 'base64url').readUInt32BE() >>> 1

/**
 * Checks a password, when the tenant has its turn in the password pool. If it is right and was imported, or hashed with less than today's
 * parameters, it is hashed again. If there is no user or no password, the check asks the database as much and takes as long as for one of
 * the tenant's passwords; which one depends on the identifier alone.
 * @param whose the user whose password it is, if there is one, and the key of the identifier that was asked for.
 * @throws TurnsSaturated
 */
export async function checkUserPassword(
  deps: Deps,
  tenantId: TenantId,
  { userId, identifierKey }: { readonly userId: UserId | undefined; readonly identifierKey: string },
  password: string,
): Promise<PasswordCheck> {
  const { db, passwordPool } = deps
  const draw = drawOf(deps, tenantId, identifierKey)
  const rows = await selectPasswordOrDrawn(db, tenantId, userId ?? nobody, draw)
  const row = rows.find((each) => each.user_id === userId)
  if (row === undefined || userId === undefined) {
    await passwordPool.verify(tenantId, nobodysPassword(deps, rows[0]), password)
    return wrong
  }
  const isRight = await passwordPool.verify(tenantId, stored(deps, row), password)
  if (row.kind === 'foreign') return { ...wrong, foreign: { hash: opened(deps, row), sealed: row.hash } }
  if (!isRight) return wrong
  if (row.kind === 'imported' || needsRehash(row.hash)) await hashAnew(deps, tenantId, userId, row, password)
  return { isRight, mustChange: row.must_change === 1, version: row.updated_at }
}

/** If there is no turn for it now, the next sign-in does it. */
async function hashAnew(
  { db, passwordPool }: Deps,
  tenantId: TenantId,
  userId: UserId,
  row: PasswordRow,
  password: string,
) {
  try {
    const hash = await passwordPool.hash(tenantId, password)
    await db.write(() => [updateHash(tenantId, userId, row.hash, hash)])
  } catch (error) {
    if (!(error instanceof TurnsSaturated)) throw error
  }
}

/** Returns the present password of a user, to compare another one with it. */
export async function selectStoredPassword(deps: Pick<Deps, 'db' | 'sealer'>, tenantId: TenantId, userId: UserId) {
  const row = await passwords.byKey(deps.db, tenantId, userId)
  return row && stored(deps, row)
}

/** Returns whether the password that was checked before the transaction is still the user's. */
export async function isPasswordUnchanged(tx: Reader, tenantId: TenantId, userId: UserId, version: string) {
  const row = await passwords.byKey(tx, tenantId, userId)
  return row?.updated_at === version
}

/**
 * Returns whether the user's password is still the one that it was at a time. A password whose own time lies in the future was set before
 * the clock was set back, and counts as unchanged. If the given time lies in the future, nothing can be said: the result is false.
 */
export async function isPasswordSince(
  { db, now }: { readonly db: Reader; readonly now: Timestamp },
  tenantId: TenantId,
  userId: UserId,
  at: Timestamp,
) {
  const future = addMilliseconds(now, clockSkewMsMax)
  if (at > future) return false
  const row = await passwords.byKey(db, tenantId, userId)
  return row !== undefined && (row.updated_at <= at || row.updated_at > future)
}

export const hasPassword = async (db: Reader, tenantId: TenantId, userId: UserId) =>
  (await passwords.byKey(db, tenantId, userId)) !== undefined

/** Removes a password that was set by somebody who had not proven to own any address of the user. */
export const deleteUnprovenPassword = (tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM passwords WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND is_unproven = 1`

/** Keeps the password, because the user has proven to own an address in a session that began with it. */
export const keepProvenPassword = (tenantId: TenantId, userId: UserId): Statement =>
  sql`UPDATE passwords SET is_unproven = 0 WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

export const deletePassword = passwords.delete
