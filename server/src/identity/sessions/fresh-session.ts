// Re-authentication: what changes how an account is signed in to takes a session that was proven a moment ago, so that neither a
// stolen nor a forgotten session is enough. Signing in again makes such a session. SECURITY A7.
import { type Clock, toMs } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { LiveSession } from './session-directory.ts'

const freshMs = 10 * 60_000

/** @throws ApiError reauthentication_required; also, always, for who acts in the user's place. */
export function assertFresh({ clock }: { readonly clock: Clock }, { row }: LiveSession): void {
  const isFresh = clock.nowMs() - toMs(row.created_at) <= freshMs
  if (!isFresh || row.actor_type !== null) throw new ApiError('reauthentication_required')
}
