// The notice of a sign-in from a device that the user has not used before. Apps without cookies are devices that nobody knows: the user is
// not told again while the same browser comes from the same address.
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import type { UserRow } from '../users/find-user.ts'
import { notifyUser } from './notices.ts'

export interface SeenSession {
  readonly id: string
  readonly browser: string | null
  readonly os: string | null
  readonly ip: string | null
}

/** Returns what users know a device by: browser, system and address. */
export const describeDevice = ({ browser, os, ip }: SeenSession): string =>
  [browser, os, ip].filter((name) => name !== null).join(', ')

async function hasBeenSeen(
  tx: Transaction,
  { tenant_id: tenantId, id }: UserRow,
  { browser, os, ip, ...session }: SeenSession,
) {
  const same = await tx.first(sql`SELECT 1 AS one FROM sessions
    WHERE tenant_id = ${tenantId} AND user_id = ${id} AND id <> ${session.id} AND ip = ${ip}
      AND COALESCE(browser, '') = ${browser ?? ''} AND COALESCE(os, '') = ${os ?? ''} LIMIT 1`)
  return same !== undefined
}

/** Runs in the transaction that opens the session. */
export async function notifyNewDevice(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  session: SeenSession,
  language: string | undefined,
): Promise<void> {
  if (await hasBeenSeen(tx, user, session)) return
  await notifyUser(deps, tx, user, { type: 'new-device', language, variables: { device: describeDevice(session) } })
}
