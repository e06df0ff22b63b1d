// Removes what has expired: past quotas, failures and devices that are long forgotten, codes and challenges.
import { fromMs } from '../../platform/clock.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'

const dayMs = 24 * 60 * 60_000
const batchSize = 500
const failuresKeptMs = 30 * dayMs
const devicesKeptMs = 365 * dayMs

const removal = (table: string, key: string, column: string, before: string): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE (${columnsOf(key)}) IN (SELECT ${columnsOf(key)} FROM ${sql.identifier(table)}
    WHERE ${sql.identifier(column)} < ${before} ORDER BY ${sql.identifier(column)} LIMIT ${batchSize})`

const columnsOf = (key: string) =>
  sql.join(
    key.split(' ').map((name) => sql.identifier(name)),
    ', ',
  )

/** Does one bounded piece of work; returns whether there is more. */
export async function cleanUpExpired({ db, clock }: Deps): Promise<boolean> {
  const now = clock.now()
  const ago = (ms: number) => fromMs(clock.nowMs() - ms)
  const removals = [
    removal('quotas', 'tenant_id name subject', 'window_ends_at', now),
    removal('recipient_quotas', 'recipient name', 'window_ends_at', now),
    removal('guesses', 'tenant_id subject device', 'updated_at', ago(failuresKeptMs)),
    removal('known_devices', 'tenant_id user_id token_hash', 'last_used_at', ago(devicesKeptMs)),
    removal('verifications', 'tenant_id flow_id purpose', 'expires_at', ago(dayMs)),
    removal('passkey_challenges', 'tenant_id subject purpose', 'expires_at', now),
    removal('contact_candidates', 'tenant_id id', 'expires_at', now),
    removal('oauth_states', 'tenant_id state_hash', 'expires_at', ago(dayMs)),
    removal('password_resets', 'tenant_id id', 'expires_at', ago(dayMs)),
  ]
  const counts: number[] = []
  for (const each of removals) counts.push(await db.transaction((tx) => tx.run(each)))
  return counts.some((count) => count >= batchSize)
}
