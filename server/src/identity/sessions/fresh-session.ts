// Re-authentication: a change to how an account is signed in to requires a session that was proven moments ago, so that a stolen or
// forgotten session is not enough. Signing in again makes such a session, and so does a new proof within it.
import { type Clock, toMs } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { LiveSession } from './live-session.ts'
import { provenAt } from './proof.ts'

export const freshMs = 10 * 60_000

/**
 * Anonymous users have nothing to prove but their session.
 * @param maxMs how long ago the proof may have been.
 * @throws ApiError reauthentication_required; always if somebody acts in the user's place.
 */
export function assertFresh({ clock }: { readonly clock: Clock }, { row }: LiveSession, maxMs = freshMs): void {
  const isFresh = row.user_is_anonymous === 1 || clock.nowMs() - toMs(provenAt(row)) <= maxMs
  if (!isFresh || row.actor_type !== null) throw new ApiError('reauthentication_required')
}
