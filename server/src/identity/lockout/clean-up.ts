// Removes what has expired: past quotas, failures and devices that are long forgotten, codes and challenges.
import { fromMs } from '../../platform/clock.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import type { Deps } from '../deps.ts'

const dayMs = 24 * 60 * 60_000
const failuresKeptMs = 30 * dayMs
const devicesKeptMs = 365 * dayMs

/** Does one bounded piece of work; returns whether there is more. */
export function cleanUpExpired({ db, clock }: Deps): Promise<boolean> {
  const now = clock.now()
  const ago = (ms: number) => fromMs(clock.nowMs() - ms)
  const rows = (table: string, key: string, column: string, before: string) => ({
    table,
    key: key.split(' '),
    column,
    before,
  })
  return removeExpired(db, [
    rows('quotas', 'tenant_id name subject', 'window_ends_at', now),
    rows('recipient_quotas', 'recipient name', 'window_ends_at', now),
    rows('guesses', 'tenant_id subject device', 'updated_at', ago(failuresKeptMs)),
    rows('known_devices', 'tenant_id user_id token_hash', 'last_used_at', ago(devicesKeptMs)),
    rows('verifications', 'tenant_id flow_id purpose', 'expires_at', ago(dayMs)),
    rows('passkey_challenges', 'tenant_id subject purpose', 'expires_at', now),
    rows('spent_challenges', 'tenant_id challenge', 'expires_at', now),
    rows('trusted_devices', 'tenant_id id', 'expires_at', now),
    rows('notice_links', 'tenant_id token_hash', 'expires_at', now),
    rows('contact_candidates', 'tenant_id id', 'expires_at', now),
    rows('oauth_states', 'tenant_id state_hash', 'expires_at', ago(dayMs)),
    rows('password_resets', 'tenant_id id', 'expires_at', ago(dayMs)),
  ])
}
