// Signing in at the SAML provider of an organization: the way there, and who its response says has come back. A response is posted by another
// site and so arrives without our cookies. It is verified and kept with the state to which it answers; the browser then continues by GET, with the
// cookie that proves that it is the one that began.
import { type SamlRefusalReason, tokenPrefixes } from '@bailiwick/contract'
import { type AssertedPerson, assertedPerson } from '../../enterprise/connections/asserted-person.ts'
import { openConnectionKey } from '../../enterprise/connections/connection-secret.ts'
import type { ConnectionRow } from '../../enterprise/connections/find-connection.ts'
import { samlSettings } from '../../enterprise/connections/saml-settings.ts'
import { acsUrl, ownEntityId } from '../../enterprise/saml/addresses.ts'
import type { VerifiedAssertion } from '../../enterprise/saml/assertions/verify-assertion.ts'
import { nameIdUrn } from '../../enterprise/saml/saml-names.ts'
import { SamlRefusal } from '../../enterprise/saml/saml-refusal.ts'
import type { Deps } from '../../identity/deps.ts'
import { machineMs } from '../../platform/clock.ts'
import { newToken } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { importLater } from '../../platform/startup/load-later.ts'
import type { Challenge } from './provider-client.ts'
import type { VerifiedPerson } from './provider.ts'
import { newState } from './states.ts'

const requests = importLater(() => import('../../enterprise/saml/provider/authn-request.ts'))
const assertions = importLater(() => import('../../enterprise/saml/assertions/verify-assertion.ts'))
const providerCertificates = importLater(() => import('../../enterprise/saml/keys/certificates.ts'))
const people = importLater(() => import('../../enterprise/saml/person.ts'))

function openPrivateKey({ sealer }: Deps, row: ConnectionRow) {
  const key = openConnectionKey(sealer, row)
  if (key === undefined) throw new ApiError('provider_unusable')
  return key
}

/**
 * Returns the provider's address with a signed request. The id of the request is kept as the nonce of the state, which is its RelayState.
 * @throws ApiError provider_unusable for a connection whose provider is not known yet.
 */
export async function samlRequest(deps: Deps, row: ConnectionRow): Promise<{ uri: string; challenge: Challenge }> {
  const { ssoUrl, nameIdFormat } = samlSettings(row)
  if (ssoUrl === null) throw new ApiError('provider_unusable')
  const { authnRequestUrl } = await requests()
  const [state, acs] = [newState(row.tenant_id), acsUrl(deps.config, row)]
  // An XML id begins with a letter or an underscore, and a token of ours with letters.
  const id = newToken(tokenPrefixes.providerNonce)
  const uri = await authnRequestUrl({
    id,
    issuedAt: new Date(machineMs(deps.clock)),
    spEntityId: ownEntityId(deps.config, row),
    acsUrl: acs,
    ssoUrl,
    nameIdFormat: nameIdUrn(nameIdFormat),
    relayState: state,
    privateKey: openPrivateKey(deps, row),
  })
  return { uri, challenge: { state, verifier: '', nonce: id, callbackUri: acs } }
}

export type SamlAnswer =
  | { readonly assertion: VerifiedAssertion; readonly person: AssertedPerson }
  | { readonly reason: SamlRefusalReason; readonly message: string }

/**
 * Returns what a response says, held to the connection and the request that it must answer.
 * @param requestId null for a response that nobody asked for.
 */
export async function readSamlAnswer(
  deps: Deps,
  row: ConnectionRow,
  samlResponse: string,
  requestId: string | null,
): Promise<SamlAnswer> {
  const { verifySamlResponse } = await assertions()
  const { publicKeyIn } = await providerCertificates()
  const { personIn } = await people()
  const { entityId, certificates, wantEncrypted, attributes } = samlSettings(row)
  try {
    const assertion = verifySamlResponse(samlResponse, {
      idpEntityId: entityId ?? '',
      spEntityId: ownEntityId(deps.config, row),
      acsUrl: acsUrl(deps.config, row),
      inResponseTo: requestId,
      now: machineMs(deps.clock),
      signedWith: certificates.map(publicKeyIn),
      // Few assertions are encrypted, and a key takes time to open.
      get decryptWith() {
        return openPrivateKey(deps, row)
      },
      mustBeEncrypted: wantEncrypted,
    })
    const person = assertedPerson({ ...personIn(assertion, attributes), isEmailUnverified: false })
    if (person === undefined) throw new SamlRefusal('no_name_id', 'The name id identifies nobody.')
    return { assertion, person }
  } catch (error) {
    if (error instanceof SamlRefusal) return { reason: error.reason, message: error.message }
    throw error
  }
}

/** Returns what is kept of a person whom a response has identified. */
export function verifiedBySaml(
  connection: ConnectionRow,
  answer: Extract<SamlAnswer, { person: unknown }>,
): VerifiedPerson {
  const { tenant_id, id, organization_id, settings, second_factor } = connection
  const { nameId, nameIdFormat, nameQualifier, spNameQualifier, sessionIndex } = answer.assertion
  return {
    connection: { tenant_id, id, organization_id, settings, second_factor },
    person: answer.person,
    saml: { nameId, nameIdFormat, nameQualifier, spNameQualifier, sessionIndex },
  }
}
