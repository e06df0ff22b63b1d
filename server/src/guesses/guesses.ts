// How often somebody may guess at an account: one budget over all paths and all proofs. A guess is taken before it is judged, so that
// five hundred at once are not more than five one after the other. SECURITY: lockout.
import type { Timestamp } from '../clock.ts'
import { addMilliseconds, toMs } from '../clock.ts'
import { hashToken } from '../crypto/tokens.ts'
import type { Transaction, WriteOptions } from '../db/database.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantId, UserId } from '../ids.ts'

/** Failures in a row that cost no waiting. */
const freeFailures = 4
const waitMsMax = 15 * 60_000
/** As NIST SP 800-63B has it: then the factor is off until another proof resets it. */
const failuresMax = 100
const nobody = ''

export interface Guesser {
  readonly tenantId: TenantId
  /** Whose account: a user, or what stands for one that nobody has. */
  readonly subject: string
  /** The hash of the token of a device that this user has signed in with before. */
  readonly device: string | undefined
}

/** An identifier that nobody has gets a budget like any other: waiting tells nothing of who exists. */
export const subjectOf = (userId: UserId | undefined, identifierKey: string): string =>
  userId ?? `unknown:${hashToken(identifierKey)}`

interface GuessRow {
  readonly failures: number
  readonly blocked_until: Timestamp
}

/** Whether the device is one that the user has signed in with. */
async function isKnown(tx: Transaction, { tenantId, subject, device }: Guesser) {
  if (device === undefined) return false
  const row = await tx.first(sql`SELECT last_used_at FROM known_devices
    WHERE tenant_id = ${tenantId} AND user_id = ${subject} AND token_hash = ${device}`)
  return row !== undefined
}

const waitMs = (failures: number) =>
  failures <= freeFailures ? 0 : Math.min(1000 * 2 ** (failures - freeFailures), waitMsMax)

/** Failures from a device that the user has signed in with are counted apart, so that nobody else's lock it out. */
const countedDevice = ({ tenantId, subject, device }: Guesser) =>
  device === undefined
    ? sql`${nobody}`
    : sql`COALESCE((SELECT token_hash FROM known_devices
        WHERE tenant_id = ${tenantId} AND user_id = ${subject} AND token_hash = ${device}), ${nobody})`

/** Takes a guess that costs no waiting; changes no row where there is none left. */
const freeGuess = (guesser: Guesser, at: Timestamp): Statement =>
  sql`INSERT INTO guesses (tenant_id, subject, device, failures, blocked_until, updated_at)
    VALUES (${guesser.tenantId}, ${guesser.subject}, ${countedDevice(guesser)}, 1, ${at}, ${at})
    ON CONFLICT (tenant_id, subject, device) DO UPDATE SET failures = guesses.failures + 1,
      blocked_until = excluded.blocked_until, updated_at = excluded.updated_at
    WHERE guesses.failures < ${freeFailures}`

/**
 * Takes one guess, in a transaction of its own: it counts whatever becomes of it.
 * @param options provisional where how it went is written before anybody is told of it.
 * @throws ApiError too_many_attempts
 */
export async function takeGuess({ db, clock }: Deps, guesser: Guesser, options?: WriteOptions): Promise<void> {
  if ((await db.write(() => [freeGuess(guesser, clock.now())], options)) > 0) return
  const { tenantId, subject } = guesser
  const waitSeconds = await db.transaction(async (tx) => {
    const device = (await isKnown(tx, guesser)) ? (guesser.device ?? nobody) : nobody
    const at = clock.now()
    // Written either way, so that it is held: a right proof could remove it in between.
    await tx.run(sql`INSERT INTO guesses (tenant_id, subject, device, failures, blocked_until, updated_at)
      VALUES (${tenantId}, ${subject}, ${device}, 0, ${at}, ${at})
      ON CONFLICT (tenant_id, subject, device) DO UPDATE SET updated_at = excluded.updated_at`)
    const row = await tx.first<GuessRow>(sql`SELECT failures, blocked_until FROM guesses
      WHERE tenant_id = ${tenantId} AND subject = ${subject} AND device = ${device}`)
    if (row === undefined) throw new Error('a row that was just inserted is gone')
    if (row.failures >= failuresMax) return waitMsMax / 1000
    // Only what cost a wait is waited for: whoever came at the same moment may have asked for the time later, or at another node. Less
    // than a millisecond is a wait too.
    if (row.failures > freeFailures && row.blocked_until > at)
      return Math.max(1, Math.ceil((toMs(row.blocked_until) - toMs(at)) / 1000))
    const failures = row.failures + 1
    const blockedUntil = addMilliseconds(at, waitMs(failures))
    await tx.run(sql`UPDATE guesses SET failures = ${failures}, blocked_until = ${blockedUntil}, updated_at = ${at}
      WHERE tenant_id = ${tenantId} AND subject = ${subject} AND device = ${device}`)
    return 0
  })
  if (waitSeconds > 0) throw new ApiError('too_many_attempts', { retryAfterSeconds: waitSeconds })
}

/** A right proof ends the row of failures, of every device. */
export const forgetGuesses = (tenantId: TenantId, subject: string) =>
  sql`DELETE FROM guesses WHERE tenant_id = ${tenantId} AND subject = ${subject}`

/** Remembers, with a sign-in, the device that it came from. */
export const rememberDevice = (tenantId: TenantId, userId: UserId, hash: string, at: Timestamp) =>
  sql`INSERT INTO known_devices (tenant_id, user_id, token_hash, last_used_at)
    VALUES (${tenantId}, ${userId}, ${hash}, ${at})
    ON CONFLICT (tenant_id, user_id, token_hash) DO UPDATE SET last_used_at = excluded.last_used_at`
