// Removes what the authorization server no longer needs: sessions, interactions, codes and tokens, and ids of requests that have expired.
import type { Deps } from '../identity/deps.ts'
import { removeExpired } from '../platform/db/remove-expired.ts'

const tables = ['oauth_sessions', 'oauth_interactions', 'oauth_tokens', 'oauth_replays']

/** Does one bounded piece of work. Returns whether there is more. */
export const cleanUpAuthorizations = ({ db, clock }: Deps): Promise<boolean> =>
  removeExpired(
    db,
    tables.map((table) => ({ table, key: ['tenant_id', 'id_hash'], column: 'expires_at', before: clock.now() })),
  )
