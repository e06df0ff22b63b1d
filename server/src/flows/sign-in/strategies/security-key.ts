// A passkey alone, which must then verify its user and so counts as two factors; or a passkey or security key as the second factor.
import { challengeMs, issueChallenge, takeChallenge } from '../../../identity/authenticators/challenges.ts'
import { parseAssertion } from '../../../identity/authenticators/credential-json.ts'
import {
  assertSecurityKeysEnabled,
  credentialsAt,
  findPasskey,
  usePasskey,
  userHandleOf,
} from '../../../identity/authenticators/passkeys.ts'
import { relyingPartyIds } from '../../../identity/authenticators/relying-party.ts'
import { verifyAssertion } from '../../../identity/authenticators/webauthn.ts'
import type { Deps } from '../../../identity/deps.ts'
import { ApiError, invalid } from '../../../platform/http/api-error.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { SignInFlow, Strategy } from '../../frontend/flow.ts'

type Which = 'first' | 'second'

/** The place of the challenge: the attempt, or the browser if the attempt is not written yet. */
const placeOf = ({ tenantId, attempt, unwritten }: SignInFlow, which: Which) =>
  ({ tenantId, purpose: `${which}_factor`, subject: unwritten?.flowHash ?? attempt.id }) as const

/**
 * The passkeys of a user who has proven the first factor. In all other cases the browser offers what it has, whether or not the user
 * exists. Passkeys from before the domain shared those of the primary one are asked for where there is no other.
 */
async function allowedCredentials({ db, config }: Deps, { tenantId, attempt, call }: SignInFlow, which: Which) {
  const [preferred, ...others] = relyingPartyIds(config, call.tenant, call.request)
  const none = { rpId: preferred, allowCredentials: [] }
  if (which === 'first' || attempt.user_id === null) return none
  for (const rpId of [preferred, ...others]) {
    const allowCredentials = await credentialsAt(db, tenantId, attempt.user_id, rpId)
    if (allowCredentials.length > 0) return { rpId, allowCredentials }
  }
  return none
}

/** The user whose passkey it must be; undefined if nobody has been named yet, null if nobody has the identifier. */
function ownerWanted({ attempt, identifier, identified }: SignInFlow, which: Which) {
  if (which === 'second') return attempt.user_id
  return identifier === undefined ? undefined : (identified?.userId ?? null)
}

export const securityKeyStrategy = (deps: Deps, which: Which): Strategy => ({
  name: 'security_key',
  async prepare(flow) {
    assertSecurityKeysEnabled(flow.call)
    const { rpId, allowCredentials } = await allowedCredentials(deps, flow, which)
    const challenge = await issueChallenge(deps, placeOf(flow, which), rpId, null)
    return {
      publicKeyOptions: {
        challenge: Buffer.from(challenge).toString('base64url'),
        rpId,
        timeout: challengeMs,
        allowCredentials,
        userVerification: which === 'first' ? 'required' : 'preferred',
      },
    }
  },
  // This counts as no guess: a signature cannot be guessed, and its owner can sign in while others guess at the password.
  async attempt(flow, { credential }) {
    const { call, tenantId } = flow
    if (credential === undefined) throw invalid('/credential', 'required', 'is required for this strategy')
    assertSecurityKeysEnabled(call)
    const assertion = parseAssertion(credential)
    const challenge = await takeChallenge(deps, placeOf(flow, which))
    const passkey = await findPasskey(deps.db, tenantId, assertion.id)
    if (challenge === undefined || passkey?.relying_party_id !== challenge.relyingPartyId) return undefined
    const { user_id: userId } = passkey
    const wanted = ownerWanted(flow, which)
    if (wanted !== undefined && wanted !== userId) return undefined
    // If the browser chose among all passkeys that it has, the authenticator names the user.
    const { userHandle } = assertion.response
    if (which === 'first' && userHandle === undefined) return undefined
    if (userHandle !== undefined && userHandle !== userHandleOf(userId)) return undefined
    const use = await verifyAssertion(deps, call.tenant, challenge, passkey, assertion, which === 'first')
    if (use === undefined) return undefined
    const owner = { tenantId, userId, actor: call.actor(userId) }
    return {
      userId,
      confirm: (tx) => usePasskey(deps, tx, owner, passkey.id, use),
      isTwoFactors: use.isUserVerified,
    }
  },
})

/**
 * Returns the error for a passkey that was refused. It says if nobody has the passkey, so that the browser can tell its password manager: its id
 * is random, and so nothing is learnt from it.
 */
export async function refusedPasskey({ db }: Deps, tenantId: TenantId, credential: unknown): Promise<ApiError> {
  const isKnown = (await findPasskey(db, tenantId, parseAssertion(credential).id)) !== undefined
  const issue = { path: '/credential', code: 'unknown_passkey', message: 'belongs to no user of this tenant' }
  return new ApiError('factor_refused', isKnown ? {} : { issues: [issue] })
}
