// The challenges that passkeys answer: 256 bits, bound to one purpose of one session or attempt, valid for five minutes and for one answer.
import { randomBytes } from 'node:crypto'
import { addMilliseconds } from '../../platform/clock.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { passkeyChallenges } from './tables.ts'

export interface ChallengePlace {
  readonly tenantId: TenantId
  readonly purpose: 'registration' | 'conditional_registration' | 'first_factor' | 'second_factor'
  /** The id of the session or the attempt. */
  readonly subject: string
}

export interface Challenge {
  readonly hash: string
  readonly relyingPartyId: string
}

export const challengeMs = 5 * 60_000
const challengeBytes = 32

const issue = passkeyChallenges.upsert('user_id', 'challenge_hash', 'relying_party_id', 'expires_at')

/**
 * Issues a challenge, which replaces an older one.
 * @param userId the user, where somebody is signed in.
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
    issue({
      tenant_id: tenantId,
      subject,
      purpose,
      user_id: userId,
      challenge_hash: hash,
      relying_party_id: relyingPartyId,
      expires_at: addMilliseconds(clock.now(), challengeMs),
    }),
  ])
  return challenge
}

/** Takes the challenge, whether or not the answer is right. Of several answers that arrive at once, only one finds it. */
export async function takeChallenge(
  { db, clock }: Deps,
  { tenantId, purpose, subject }: ChallengePlace,
): Promise<Challenge | undefined> {
  return db.transaction(async (tx) => {
    const row = await passkeyChallenges.lock(tx, tenantId, subject, purpose)
    if (row === undefined || (await tx.run(passkeyChallenges.delete(tenantId, subject, purpose))) === 0)
      return undefined
    if (row.expires_at <= clock.now()) return undefined
    return { hash: row.challenge_hash, relyingPartyId: row.relying_party_id }
  })
}
