// A session continues under another token once its rights, or how its user signs in, have changed: a party that has seen the old token can
// no longer use the session (ASVS 7.2.4). Record, beginning and end of the session stay.
import { tokenPrefixes } from '@bailiwick/contract'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Deps } from '../deps.ts'
import type { LiveSession } from './live-session.ts'
import { replaceToken } from './queries.ts'

/**
 * Runs in the transaction that makes the change; the old token is refused once it ends.
 * @returns the new token, to be handed to the caller once the transaction is durable.
 * @throws ApiError unauthenticated if the session has ended, or already continues under another token.
 */
export async function rotateToken({ clock, sessions }: Deps, tx: Transaction, session: LiveSession): Promise<string> {
  const { row, tokenHash } = session
  const token = newToken(tokenPrefixes.session)
  if ((await tx.run(replaceToken(row, tokenHash, hashToken(token), clock.now()))) === 0) {
    throw new ApiError('unauthenticated')
  }
  await invalidateUser(tx, sessions, row.tenant_id, row.user_id)
  return token
}
