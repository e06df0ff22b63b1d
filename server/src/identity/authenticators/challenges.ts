// The challenges that passkeys answer: 256 bits, for one purpose of one session or attempt, for five minutes and one answer.
import { randomBytes } from 'node:crypto'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

export interface ChallengePlace {
  readonly tenantId: TenantId
  readonly purpose: 'registration' | 'first_factor' | 'second_factor'
  /** The session or the attempt. */
  readonly subject: string
}

export interface Challenge {
  readonly hash: string
  readonly relyingPartyId: string
}

interface ChallengeRow {
  readonly challenge_hash: string
  readonly relying_party_id: string
  readonly expires_at: Timestamp
}

export const challengeMs = 5 * 60_000
const challengeBytes = 32

/**
 * A new challenge, in the place of an older one.
 * @param userId whose it is, where somebody is signed in.
 */
export async function issueChallenge(
  { db, clock }: Deps,
  { tenantId, purpose, subject }: ChallengePlace,
  relyingPartyId: string,
  userId: UserId | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(challengeBytes))
  const hash = hashToken(Buffer.from(challenge).toString('base64url'))
  await db.write(() => [
    sql`INSERT INTO passkey_challenges (tenant_id, subject, purpose, user_id, challenge_hash, relying_party_id, expires_at)
      VALUES (${tenantId}, ${subject}, ${purpose}, ${userId}, ${hash}, ${relyingPartyId},
        ${addMilliseconds(clock.now(), challengeMs)})
      ON CONFLICT (tenant_id, subject, purpose) DO UPDATE SET user_id = excluded.user_id,
        challenge_hash = excluded.challenge_hash, relying_party_id = excluded.relying_party_id,
        expires_at = excluded.expires_at`,
  ])
  return challenge
}

/** Takes the challenge, whatever becomes of the answer: of answers that arrive at once one alone meets it. */
export async function takeChallenge(
  { db, clock }: Deps,
  { tenantId, purpose, subject }: ChallengePlace,
): Promise<Challenge | undefined> {
  const place = sql`tenant_id = ${tenantId} AND subject = ${subject} AND purpose = ${purpose}`
  return db.transaction(async (tx) => {
    const row = await tx.first<ChallengeRow>(sql`SELECT challenge_hash, relying_party_id, expires_at
      FROM passkey_challenges WHERE ${place}${sql.forUpdate}`)
    if (row === undefined || (await tx.run(sql`DELETE FROM passkey_challenges WHERE ${place}`)) === 0) return undefined
    if (row.expires_at <= clock.now()) return undefined
    return { hash: row.challenge_hash, relyingPartyId: row.relying_party_id }
  })
}
