// A passkey by itself, which then has to verify its user and so counts as two factors; or a passkey or security key as the second one.
import type { Deps } from '../../../identity/deps.ts'
import { challengeMs, issueChallenge, takeChallenge } from '../../../identity/authenticators/challenges.ts'
import { parseAssertion } from '../../../identity/authenticators/credential-json.ts'
import {
  assertSecurityKeysEnabled,
  credentialsAt,
  findPasskey,
  usePasskey,
  userHandleOf,
} from '../../../identity/authenticators/passkeys.ts'
import { relyingPartyId } from '../../../identity/authenticators/relying-party.ts'
import { verifyAssertion } from '../../../identity/authenticators/webauthn.ts'
import { invalid } from '../../../platform/http/api-error.ts'
import type { SignInFlow, Strategy } from '../flow.ts'

type Which = 'first' | 'second'

/** Of the attempt; of the browser, where the attempt is not written yet. */
const placeOf = ({ tenantId, attempt, unwritten }: SignInFlow, which: Which) =>
  ({ tenantId, purpose: `${which}_factor`, subject: unwritten?.flowHash ?? attempt.id }) as const

/** Of who has proven the first factor alone. To everybody else the browser offers what it has, whoever there is. */
async function allowedCredentials({ db }: Deps, { tenantId, attempt }: SignInFlow, which: Which, id: string) {
  if (which === 'first' || attempt.user_id === null) return []
  return credentialsAt(db, tenantId, attempt.user_id, id)
}

/** Whose passkey it has to be; undefined before anybody has said who it is, null where nobody has the identifier. */
function ownerWanted({ attempt, identifier, identified }: SignInFlow, which: Which) {
  if (which === 'second') return attempt.user_id
  return identifier === undefined ? undefined : (identified?.userId ?? null)
}

export const securityKeyStrategy = (deps: Deps, which: Which): Strategy => ({
  name: 'security_key',
  async prepare(flow) {
    assertSecurityKeysEnabled(flow.call)
    const rpId = relyingPartyId(deps.config, flow.call.tenant, flow.call.request)
    const challenge = await issueChallenge(deps, placeOf(flow, which), rpId, null)
    return {
      publicKeyOptions: {
        challenge: Buffer.from(challenge).toString('base64url'),
        rpId,
        timeout: challengeMs,
        allowCredentials: await allowedCredentials(deps, flow, which, rpId),
        userVerification: which === 'first' ? 'required' : 'preferred',
      },
    }
  },
  // No guess is taken: a signature cannot be guessed, and who has one is let in while others guess at the password.
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
    // Where the browser chose among all that it has, the authenticator says whose it is.
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
