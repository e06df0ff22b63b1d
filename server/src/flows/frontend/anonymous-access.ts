// What an anonymous user may do: read what is theirs, say who they are, get a way to sign in, and leave. Whatever else changes something is
// refused, so that nothing of value hangs on an account that its user cannot come back to.
import type { FrontendEndpointId } from '@bailiwick/contract'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AnyCall } from './flow.ts'

const allowed: ReadonlySet<string> = new Set<FrontendEndpointId>([
  'confirmOwnConnection',
  'createOwnConnection',
  'createOwnEmail',
  'createOwnPhone',
  'createOwnToken',
  'createPasskey',
  'createPasskeyOptions',
  'deleteOwnEmail',
  'deleteOwnPhone',
  'deleteOwnPicture',
  'deleteOwnSession',
  'deleteOwnUser',
  'endOtherOwnSessions',
  'endOwnSessions',
  'prepareOwnEmail',
  'prepareOwnPhone',
  'setOwnPicture',
  'updateOwnPassword',
  'updateProfile',
  'verifyOwnEmail',
  'verifyOwnPhone',
])

/** @throws ApiError anonymous_user */
export function assertMayAct(session: LiveSession, { id, method }: { readonly id: string; readonly method: string }) {
  if (session.row.user_is_anonymous !== 1 || method === 'GET' || allowed.has(id)) return
  throw new ApiError('anonymous_user')
}

/** Whether the session is an anonymous user's own. */
export const isAnonymousSession = (session: LiveSession | undefined): session is LiveSession =>
  session?.row.user_is_anonymous === 1 && session.row.actor_type === null

/** Returns the anonymous user in whose session another user signs in, whose data the tenant may merge; undefined if there is none. */
export const anonymousBefore = ({ session }: AnyCall, userId: string): string | undefined =>
  isAnonymousSession(session) && session.row.user_id !== userId ? session.row.user_id : undefined
