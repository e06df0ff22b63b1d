// What an answer contains after a sign-in: the session, its user, a first JWT, and the tokens in cookies or in the body.
import type { Deps } from '../../identity/deps.ts'
import { type OwnFactors, presentProfile, profileOf } from '../../identity/people/profile.ts'
import { createSessionJwt, identifyingClaims } from '../../identity/session-tokens/session-jwt.ts'
import { presentSession } from '../../identity/sessions/present.ts'
import type { CreatedSession } from '../../identity/sessions/sessions.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { getUser } from '../../identity/users/users.ts'
import { anonymousBefore } from './anonymous-access.ts'
import { addAccount } from './browser-accounts.ts'
import type { AnyCall } from './flow.ts'

/** The user of a session, as the transaction that opened it left the row. */
export interface KnownUser {
  readonly user: UserRecord
  readonly factors: OwnFactors
}

interface SignedInOptions {
  /** The token by which the browser is known from then on. */
  readonly deviceToken?: string | undefined
  /** The user; read if left out. */
  readonly known?: KnownUser | undefined
  /** Whether the session was there before: its new token goes the way that the old one came. */
  readonly isRenewed?: boolean | undefined
}

export async function signedInAnswer(
  deps: Deps,
  call: AnyCall,
  { row, token }: CreatedSession,
  { deviceToken, known, isRenewed = false }: SignedInOptions,
) {
  const { tenant } = call
  if (!isRenewed) await addAccount(deps, call, row, token)
  const user = known?.user ?? (await getUser(deps, call.tenantId, row.user_id))
  const [jwt, sessionUser] = await Promise.all([
    createSessionJwt(
      deps,
      { row: { ...row, user_status: 'active', user_is_anonymous: user.row.is_anonymous }, tenant },
      user,
    ),
    known === undefined ? profileOf(deps.db, user) : presentProfile(user, known.factors),
  ])
  const anonymousUserId = anonymousBefore(call, row.user_id)
  return {
    session: { ...presentSession(row, tenant), current: true },
    sessionUser: { ...sessionUser, ...identifyingClaims(jwt) },
    jwt,
    ...(isRenewed ? call.reissueSessionToken(token) : call.give('session', token)),
    ...(anonymousUserId === undefined ? {} : { anonymousUserId }),
    ...(deviceToken === undefined ? {} : call.give('device', deviceToken)),
  }
}
