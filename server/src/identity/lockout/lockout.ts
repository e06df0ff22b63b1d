// How often somebody may try to prove that an account is theirs. Passwords and the codes of a second factor have a budget each, so that
// those who guess at one do not use up the other, and every device that the user has signed in with has budgets of its own, which
// strangers cannot touch. Codes that are sent are limited where they are made: see one-time-codes.ts. A try is taken before it is judged,
// so that five hundred at once are not more than five one after the other. SECURITY: lockout.
import type { Timestamp } from '../../platform/clock.ts'
import { addMilliseconds, clockSkewMsMax, toMs } from '../../platform/clock.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction, WriteOptions } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { guesses, knownDevices } from './tables.ts'

/** Failures in a row that cost no waiting. */
const freeFailures = 4
const waitMsMax = 15 * 60_000
/** As NIST SP 800-63B has it: then the factor is off until another proof resets it. */
export const failuresMax = 100
const strangers = ''

/** Who tries: NIST SP 800-63 calls the party whose identity is to be proven the claimant. */
export interface Claimant {
  readonly tenantId: TenantId
  /** The account: the id of a user, or what takes its place for an identifier that nobody has. */
  readonly subject: string
  /** The hash of the device token that the caller holds, whoever it was given to. */
  readonly device: string | undefined
}

/** What is guessed at: the password, or a second factor once the first one is proven. */
export type LockableFactor = 'password' | 'second'

/** An identifier that nobody has gets a budget like any other: waiting tells nothing of who exists. */
export const subjectOf = (userId: UserId | undefined, identifierKey: string): string =>
  userId ?? `unknown:${hashToken(identifierKey)}`

export type FailureRow = Omit<RowOf<typeof guesses>, 'tenant_id' | 'subject' | 'device' | 'updated_at'>

/** Where the failures of each factor are, and how many in a row count against it. */
const factors = {
  password: {
    failures: sql.identifier('failures'),
    blockedUntil: sql.identifier('blocked_until'),
    of: (row: FailureRow) => ({ failures: row.failures, blockedUntil: row.blocked_until, inARow: row.failures }),
  },
  second: {
    failures: sql.identifier('second_failures'),
    blockedUntil: sql.identifier('second_blocked_until'),
    // Whoever guesses at the second factor has guessed the password before, perhaps: the limit is of both together. Not the other way
    // round: those who know the password cannot switch it off by guessing at what comes after.
    of: (row: FailureRow) => ({
      failures: row.second_failures,
      blockedUntil: row.second_blocked_until,
      inARow: row.failures + row.second_failures,
    }),
  },
} as const

/** How a factor stands: whether it is off, or until when it is to be waited for. */
export function blockOf(row: FailureRow, factor: LockableFactor, now: Timestamp) {
  const { failures, blockedUntil, inARow } = factors[factor].of(row)
  if (inARow >= failuresMax) return { isOff: true, until: null } as const
  // Only what cost a wait is waited for: whoever came at the same moment may have asked for the time later, or at another node.
  // A wait that is longer than any was begun by a clock that has been set back since.
  const isBlocked =
    failures > freeFailures &&
    blockedUntil !== '' &&
    blockedUntil > now &&
    blockedUntil <= addMilliseconds(now, waitMsMax + clockSkewMsMax)
  return isBlocked ? ({ isOff: false, until: blockedUntil } as const) : undefined
}

/** The device, if the user has signed in with it. */
export async function knownDevice(db: Reader, { tenantId, subject, device }: Claimant): Promise<string | undefined> {
  if (device === undefined) return undefined
  const row = await knownDevices.byKey(db, tenantId, subject, device)
  return row === undefined ? undefined : device
}

const waitMs = (failures: number) =>
  failures <= freeFailures ? 0 : Math.min(1000 * 2 ** (failures - freeFailures), waitMsMax)

/** The budget that a try is taken from: the device's own where it is known. */
const countedDevice = ({ tenantId, subject, device }: Claimant) =>
  device === undefined
    ? sql`${strangers}`
    : sql`COALESCE((SELECT token_hash FROM known_devices
        WHERE tenant_id = ${tenantId} AND user_id = ${subject} AND token_hash = ${device}), ${strangers})`

/** Takes a try that costs no waiting; changes no row where there is none left. */
function freeTry(claimant: Claimant, factor: LockableFactor, at: Timestamp): Statement {
  const { failures, blockedUntil } = factors[factor]
  return sql`INSERT INTO guesses (tenant_id, subject, device, failures, blocked_until, second_failures, second_blocked_until,
      updated_at)
    VALUES (${claimant.tenantId}, ${claimant.subject}, ${countedDevice(claimant)}, ${factor === 'password' ? 1 : 0}, ${at},
      ${factor === 'second' ? 1 : 0}, ${at}, ${at})
    ON CONFLICT (tenant_id, subject, device) DO UPDATE SET ${failures} = guesses.${failures} + 1,
      ${blockedUntil} = excluded.${blockedUntil}, updated_at = excluded.updated_at
    WHERE guesses.${failures} < ${freeFailures} AND guesses.failures + guesses.second_failures < ${failuresMax}`
}

const touch = guesses.upsert('updated_at')

/** The row of a claimant, held until the transaction ends. */
async function holdRow(tx: Transaction, { tenantId, subject }: Claimant, device: string, at: Timestamp) {
  // Written either way, so that it is held: a right proof could remove it in between.
  await tx.run(touch({ tenant_id: tenantId, subject, device, failures: 0, blocked_until: at, updated_at: at }))
  const row = await guesses.byKey(tx, tenantId, subject, device)
  if (row === undefined) throw new Error('a row that was just inserted is gone')
  return row
}

/**
 * Takes one try, in a transaction of its own: it counts whatever becomes of it.
 * @param options provisional where how it went is written before anybody is told of it.
 * @throws ApiError too_many_attempts
 */
export async function takeTry(
  { db, clock }: Deps,
  claimant: Claimant,
  factor: LockableFactor = 'password',
  options?: WriteOptions,
): Promise<void> {
  if ((await db.write(() => [freeTry(claimant, factor, clock.now())], options)) > 0) return
  const { tenantId, subject } = claimant
  const waitSeconds = await db.transaction(async (tx) => {
    const device = (await knownDevice(tx, claimant)) ?? strangers
    const at = clock.now()
    const row = await holdRow(tx, claimant, device, at)
    const block = blockOf(row, factor, at)
    if (block?.isOff === true) return waitMsMax / 1000
    // Less than a millisecond is a wait too.
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

/** What strangers have used up of an account. */
export const selectStrangersFailures = (db: Reader, tenantId: TenantId, subject: string) =>
  guesses.byKey(db, tenantId, subject, strangers)

/** A sign-in that is complete, or an administrator, ends every row of failures, of all devices. */
export const clearFailures = (tenantId: TenantId, subject: string) =>
  sql`DELETE FROM guesses WHERE tenant_id = ${tenantId} AND subject = ${subject}`

/**
 * Another proof of the first factor ends the row of wrong passwords, of all devices. What was guessed at the second factor stays counted:
 * whoever reads the user's mail could otherwise go on guessing for ever.
 */
export const clearPasswordFailures = (tenantId: TenantId, subject: string) =>
  sql`UPDATE guesses SET failures = 0 WHERE tenant_id = ${tenantId} AND subject = ${subject} AND failures > 0`

const remember = knownDevices.upsert('last_used_at')

/** Remembers, with a sign-in, the device that it came from. */
export const rememberDevice = (tenantId: TenantId, userId: UserId, hash: string, at: Timestamp) =>
  remember({ tenant_id: tenantId, user_id: userId, token_hash: hash, last_used_at: at })
