// The notice of a sign-in that followed several wrong passwords or codes: somebody may have guessed right (OWASP ASVS 6.3.5).
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import type { UserRow } from '../users/find-user.ts'
import { type SeenSession, describeDevice } from './new-device.ts'
import { notifyUser } from './notices.ts'

/** The tries that count, of which the last ones were right: one for each factor. */
const triesMin = 6

/** Whether there were so many tries that the user is notified of them: for the transaction that opens the session, before it forgets them. */
export async function hasFailedOften(tx: Transaction, user: UserRow): Promise<boolean> {
  const row = await tx.first<{ tries: number | null }>(
    sql`SELECT CAST(SUM(failures + second_failures) AS INTEGER) AS tries FROM guesses
      WHERE tenant_id = ${user.tenant_id} AND subject = ${user.id}`,
  )
  return (row?.tries ?? 0) >= triesMin
}

/** Runs in the transaction that opens the session. */
export async function notifyFailedAttempts(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  session: SeenSession,
  language: string | undefined,
): Promise<void> {
  const variables = { device: describeDevice(session) }
  await notifyUser(deps, tx, user, { type: 'failed-attempts', language, variables })
}
