// Where and in which language the signed-in user reads.
import { isTimezone } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { findUserRow } from '../../identity/users/find-user.ts'

export interface Reader {
  readonly locale: string | null
  readonly timezone: string
}

/** Returns what the user has chosen, kept with the session until the user changes. */
export async function findReader({ db }: Deps, { row, made }: LiveSession): Promise<Reader> {
  if (made.reader !== undefined) return made.reader
  const user = await findUserRow(db, row.tenant_id, row.user_id)
  const timezone = user?.timezone ?? 'UTC'
  // A zone that an older time zone database does not know.
  made.reader = { locale: user?.locale ?? null, timezone: isTimezone(timezone) ? timezone : 'UTC' }
  return made.reader
}
