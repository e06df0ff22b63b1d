// What an answer contains after a sign-in: the session, its user, a first JWT, and the tokens in cookies or in the body.
import type { Deps } from '../../identity/deps.ts'
import { type KnownUser, getKnownUser, presentProfile } from '../../identity/people/profile.ts'
import { createSessionJwt, identifyingClaims } from '../../identity/session-tokens/session-jwt.ts'
import { presentSession } from '../../identity/sessions/present.ts'
import type { CreatedSession } from '../../identity/sessions/sessions.ts'
import { anonymousBefore } from './anonymous-access.ts'
import { addAccount } from './browser-accounts.ts'
import type { AnyCall } from './flow.ts'

interface SignedInOptions {
  /** The token by which the browser is known from then on. */
  readonly deviceToken?: string | undefined
  /** The user, as the transaction that opened the session left the row; read if left out. */
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
  const { user, factors } = known ?? (await getKnownUser(deps, call.tenantId, row.user_id))
  const live = { row: { ...row, user_status: 'active', user_is_anonymous: user.row.is_anonymous }, tenant } as const
  const jwt = await createSessionJwt(deps, live, user)
  const anonymousUserId = anonymousBefore(call, row.user_id)
  return {
    session: { ...presentSession(row, tenant), current: true },
    sessionUser: { ...presentProfile(user, factors), ...identifyingClaims(jwt) },
    jwt,
    ...(isRenewed ? call.reissueSessionToken(token) : call.give('session', token)),
    ...(anonymousUserId === undefined ? {} : { anonymousUserId }),
    ...(deviceToken === undefined ? {} : call.give('device', deviceToken)),
  }
}
