// Limits how often somebody may try to prove that an account is theirs. Passwords and the codes of a second factor have a budget each, so
// that guessing at one does not use up the other. Every device that the user has signed in with has budgets of its own, which strangers
// cannot touch. Codes that are sent are limited where they are made: see one-time-codes.ts. A try is counted before it is judged, so that
// five hundred at once are not more than five one after the other.
import { type Timestamp, addMilliseconds, clockSkewMsMax, toMs } from '../../platform/clock.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import { isSharded } from '../../platform/db/citus/is-sharded.ts'
import type { Database, Reader, Transaction, WriteOptions } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { guesses, knownDevices } from './tables.ts'

/** Consecutive failures that cost no waiting. */
const freeFailures = 4
const waitMsMax = 15 * 60_000
/** The limit of NIST SP 800-63B: at this many failures the factor is off until another proof resets it. */
export const failuresMax = 100
const strangers = ''

/** The party whose identity is to be proven, in the words of NIST SP 800-63. */
export interface Claimant {
  readonly tenantId: TenantId
  /** The account: the id of a user, or a stand-in for an identifier that nobody has. */
  readonly subject: string
  /** The hash of the device token that the caller holds, whoever it was issued to. */
  readonly device: string | undefined
}

/** The factor that is guessed at: the password, or a second factor once the first one is proven. */
export type LockableFactor = 'password' | 'second'

/** An identifier that nobody has gets a budget like any other, so that waiting reveals nothing about who exists. */
export const subjectOf = (userId: UserId | undefined, identifierKey: string): string =>
  userId ?? `unknown:${hashToken(identifierKey)}`

export type FailureRow = Omit<RowOf<typeof guesses>, 'tenant_id' | 'subject' | 'device' | 'updated_at'>

/** The columns of each factor's failures, and how many consecutive failures count against it. */
const factors = {
  password: {
    failures: sql.identifier('failures'),
    blockedUntil: sql.identifier('blocked_until'),
    of: (row: FailureRow) => ({ failures: row.failures, blockedUntil: row.blocked_until, inARow: row.failures }),
  },
  second: {
    failures: sql.identifier('second_failures'),
    blockedUntil: sql.identifier('second_blocked_until'),
    // Whoever guesses at the second factor may have guessed the password before, so this limit counts both. The reverse is not true: those
    // who know the password cannot switch it off by guessing at what comes after.
    of: (row: FailureRow) => ({
      failures: row.second_failures,
      blockedUntil: row.second_blocked_until,
      inARow: row.failures + row.second_failures,
    }),
  },
} as const

/** Returns whether a factor is off, or until when the claimant has to wait; undefined if neither. */
export function blockOf(row: FailureRow, factor: LockableFactor, now: Timestamp) {
  const { failures, blockedUntil, inARow } = factors[factor].of(row)
  if (inARow >= failuresMax) return { isOff: true, until: null } as const
  // Only a failure that cost a wait blocks: a request of the same moment may have read the time later, or on another node. A wait that is
  // longer than the longest possible one was begun by a clock that has been set back since.
  const isBlocked =
    failures > freeFailures &&
    blockedUntil !== '' &&
    blockedUntil > now &&
    blockedUntil <= addMilliseconds(now, waitMsMax + clockSkewMsMax)
  return isBlocked ? ({ isOff: false, until: blockedUntil } as const) : undefined
}

/** Returns the device if the user has signed in with it. */
export async function knownDevice(db: Reader, { tenantId, subject, device }: Claimant): Promise<string | undefined> {
  if (device === undefined) return undefined
  const row = await knownDevices.byKey(db, tenantId, subject, device)
  return row === undefined ? undefined : device
}

const waitMs = (failures: number) =>
  failures <= freeFailures ? 0 : Math.min(1000 * 2 ** (failures - freeFailures), waitMsMax)

/**
 * The budget that a try is taken from: that of the device if it is known, otherwise that of strangers. The statement finds that out itself,
 * which saves a round trip; Citus refuses an INSERT that does.
 */
async function countedDevice(db: Database, claimant: Claimant): Promise<Fragment> {
  const { tenantId, subject, device } = claimant
  if (device === undefined) return sql`${strangers}`
  if (await isSharded(db)) return sql`${(await knownDevice(db, claimant)) ?? strangers}`
  return sql`COALESCE((SELECT token_hash FROM known_devices
    WHERE tenant_id = ${tenantId} AND user_id = ${subject} AND token_hash = ${device}), ${strangers})`
}

/** Takes a try that costs no waiting; changes no row if none is left. */
function freeTry({ tenantId, subject }: Claimant, device: Fragment, factor: LockableFactor, at: Timestamp): Statement {
  const { failures, blockedUntil } = factors[factor]
  return sql`INSERT INTO guesses (tenant_id, subject, device, failures, blocked_until, second_failures, second_blocked_until,
      updated_at)
    VALUES (${tenantId}, ${subject}, ${device}, ${factor === 'password' ? 1 : 0}, ${at}, ${factor === 'second' ? 1 : 0}, ${at}, ${at})
    ON CONFLICT (tenant_id, subject, device) DO UPDATE SET ${failures} = guesses.${failures} + 1,
      ${blockedUntil} = excluded.${blockedUntil}, updated_at = excluded.updated_at
    WHERE guesses.${failures} < ${freeFailures} AND guesses.failures + guesses.second_failures < ${failuresMax}`
}

const touch = guesses.upsert('updated_at')

/** Returns the row of a claimant, held until the transaction ends. */
async function holdRow(tx: Transaction, { tenantId, subject }: Claimant, device: string, at: Timestamp) {
  // The row is always written, so that it is held: a right proof could remove it in between.
  await tx.run(touch({ tenant_id: tenantId, subject, device, failures: 0, blocked_until: at, updated_at: at }))
  const row = await guesses.byKey(tx, tenantId, subject, device)
  if (row === undefined) throw new Error('a row that was just inserted is gone')
  return row
}

/**
 * Takes one try, in a transaction of its own, so that it counts whatever happens next.
 * @param options provisional if the result is written before anybody is told of it.
 * @throws ApiError too_many_attempts
 */
export async function takeTry(
  { db, clock }: Deps,
  claimant: Claimant,
  factor: LockableFactor = 'password',
  options?: WriteOptions,
): Promise<void> {
  const counted = await countedDevice(db, claimant)
  if ((await db.write(() => [freeTry(claimant, counted, factor, clock.now())], options)) > 0) return
  const { tenantId, subject } = claimant
  const waitSeconds = await db.transaction(async (tx) => {
    const device = (await knownDevice(tx, claimant)) ?? strangers
    const at = clock.now()
    const row = await holdRow(tx, claimant, device, at)
    const block = blockOf(row, factor, at)
    if (block?.isOff === true) return waitMsMax / 1000
    // Less than a millisecond counts as a wait too.
    if (block !== undefined) return Math.max(1, Math.ceil((toMs(block.until) - toMs(at)) / 1000))
    const { failures: failuresColumn, blockedUntil: blockedColumn, of } = factors[factor]
    const failures = of(row).failures + 1
    const blockedUntil = addMilliseconds(at, waitMs(failures))
    await tx.run(sql`UPDATE guesses SET ${failuresColumn} = ${failures}, ${blockedColumn} = ${blockedUntil}, updated_at = ${at}
      WHERE tenant_id = ${tenantId} AND subject = ${subject} AND device = ${device}`)
    return 0
  })
  if (waitSeconds > 0) throw new ApiError('too_many_attempts', { retryAfterSeconds: waitSeconds })
}

/** Selects how much of an account's budget strangers have used up. */
export const selectStrangersFailures = (db: Reader, tenantId: TenantId, subject: string) =>
  guesses.byKey(db, tenantId, subject, strangers)

/** Ends every row of failures, for all devices, after a complete sign-in or on an administrator's request. */
export const clearFailures = (tenantId: TenantId, subject: string) =>
  sql`DELETE FROM guesses WHERE tenant_id = ${tenantId} AND subject = ${subject}`

/**
 * Forgets wrong passwords, for all devices, after another proof of the first factor. Guesses at the second factor stay counted: otherwise
 * somebody who reads the user's mail could go on guessing for ever.
 */
export const clearPasswordFailures = (tenantId: TenantId, subject: string) =>
  sql`UPDATE guesses SET failures = 0 WHERE tenant_id = ${tenantId} AND subject = ${subject} AND failures > 0`

const remember = knownDevices.upsert('last_used_at')

/** Remembers the device that a sign-in came from. */
export const rememberDevice = (tenantId: TenantId, userId: UserId, hash: string, at: Timestamp) =>
  remember({ tenant_id: tenantId, user_id: userId, token_hash: hash, last_used_at: at })

/** Returns whether a user has signed in before, but not with the device that holds a token. */
export async function isNewDevice(
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  device: string | undefined,
): Promise<boolean> {
  if ((await knownDevice(db, { tenantId, subject: userId, device })) !== undefined) return false
  const known = await db.first(
    sql`SELECT 1 AS one FROM known_devices WHERE tenant_id = ${tenantId} AND user_id = ${userId} LIMIT 1`,
  )
  return known !== undefined
}
