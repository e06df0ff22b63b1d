// A user proves within a session once more who it is. The session continues under another token, because it may do more from then on (ASVS 7.2.4).
import { tokenPrefixes } from '@bailiwick/contract'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import type { LiveSession } from './live-session.ts'
import type { FactorProof } from './proof.ts'
import { setProof } from './queries.ts'
import type { CreatedSession } from './sessions.ts'

/**
 * Runs in the transaction that uses the proof, which holds the user.
 * @throws ApiError attempt_not_open if the session has ended, or continues under another token.
 */
export async function renewProof(
  { clock, personal, sessions }: Deps,
  tx: Transaction,
  { row: before, tokenHash }: LiveSession,
  { factors, isTwoFactors }: FactorProof,
  actor: Actor,
): Promise<CreatedSession> {
  const token = newToken(tokenPrefixes.session)
  const at = clock.now()
  const { user_status: _, user_is_anonymous: __, ...row } = before
  const after = {
    ...row,
    auth_time: at,
    second_factor_at: isTwoFactors ? at : null,
    factors: toJson([...factors]),
    updated_at: at,
  }
  if ((await tx.run(setProof(after, tokenHash, hashToken(token)))) === 0) throw new ApiError('attempt_not_open')
  const { tenant_id: tenantId, user_id: userId, id } = after
  const data = { userId, hasSecondFactor: isTwoFactors }
  await tx.run(eventStatement(clock, personal, { tenantId, type: 'session.proof_renewed', actor, subjectId: id, data }))
  await invalidateUser(tx, sessions, tenantId, userId)
  return { row: after, token }
}
