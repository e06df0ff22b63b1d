// The checks of Web Authentication Level 3, §7.1 and §7.2: those of the library, and those that it leaves to its caller. It is loaded when
// somebody first uses a passkey.
import { hashToken } from '../../platform/crypto/tokens.ts'
import { isOriginOf } from '../../tenancy/tenants/origins.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import type { Challenge } from './challenges.ts'
import type { Assertion, Attestation } from './credential-json.ts'

const library = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257]

interface ClientData {
  readonly origin: string
}

/** Returns the origin of the page where the answer was given, if it is one of the tenant's and not in a frame of another site. */
function originOf(deps: Deps, tenant: TenantEntry, clientDataJSON: string): string | undefined {
  let data: Partial<Record<'origin' | 'crossOrigin' | 'topOrigin', unknown>> | null
  try {
    data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as ClientData | null
  } catch {
    return undefined
  }
  if (typeof data !== 'object' || data === null) return undefined
  const { origin, crossOrigin, topOrigin } = data
  if (crossOrigin !== undefined && crossOrigin !== false) return undefined
  if (topOrigin !== undefined) return undefined
  return typeof origin === 'string' && isOriginOf(deps.config, tenant, origin) ? origin : undefined
}

/** The library throws a different error for each thing that does not fit; all of them mean no. */
async function passed<T>(verification: Promise<T>): Promise<T | undefined> {
  try {
    return await verification
  } catch {
    return undefined
  }
}

const expected = (challenge: Challenge) => ({
  expectedChallenge: (given: string) => hashToken(given) === challenge.hash,
  expectedRPID: challenge.relyingPartyId,
})

export interface NewCredential {
  readonly credentialId: string
  /** A COSE key, in base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  /** The kind of authenticator; null if it does not say so. */
  readonly aaguid: string | null
}

/** All zeros: the authenticator, or the browser, does not say of which kind it is. */
const unknownAaguid = '00000000-0000-0000-0000-000000000000'

/** Returns undefined for a credential that cannot be accepted. */
export async function verifyAttestation(
  deps: Deps,
  tenant: TenantEntry,
  challenge: Challenge,
  attestation: Attestation,
  isConditional = false,
): Promise<NewCredential | undefined> {
  const origin = originOf(deps, tenant, attestation.response.clientDataJSON)
  if (origin === undefined) return undefined
  const { verifyRegistrationResponse } = await library()
  const verification = await passed(
    verifyRegistrationResponse({
      response: attestation,
      ...expected(challenge),
      expectedOrigin: origin,
      // §7.1 step 14: the user is there unless the browser has made the passkey without asking.
      requireUserPresence: !isConditional,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  if (verification?.verified !== true) return undefined
  const { aaguid, credential, credentialDeviceType, credentialBackedUp } = verification.registrationInfo
  if (credential.id !== attestation.id) return undefined
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    aaguid: aaguid === unknownAaguid ? null : aaguid,
  }
}

export interface KnownCredential {
  readonly credential_id: string
  readonly public_key: string
  readonly is_backup_eligible: number
}

export interface AssertedUse {
  readonly counter: number
  readonly isUserVerified: boolean
  readonly isBackedUp: boolean
}

/**
 * Returns undefined if the assertion proves nothing. The caller compares the counter while it holds the credential.
 * @param mustVerifyUser whether touching the authenticator is not enough.
 */
export async function verifyAssertion(
  deps: Deps,
  tenant: TenantEntry,
  challenge: Challenge,
  known: KnownCredential,
  assertion: Assertion,
  mustVerifyUser: boolean,
): Promise<AssertedUse | undefined> {
  const origin = originOf(deps, tenant, assertion.response.clientDataJSON)
  if (origin === undefined || assertion.id !== known.credential_id) return undefined
  const { verifyAuthenticationResponse } = await library()
  const verification = await passed(
    verifyAuthenticationResponse({
      response: assertion,
      ...expected(challenge),
      expectedOrigin: origin,
      requireUserVerification: mustVerifyUser,
      credential: {
        id: known.credential_id,
        publicKey: new Uint8Array(Buffer.from(known.public_key, 'base64url')),
        counter: 0,
      },
    }),
  )
  if (verification?.verified !== true) return undefined
  const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = verification.authenticationInfo
  // §7.2 step 19: whether a credential may be backed up never changes.
  if ((credentialDeviceType === 'multiDevice') !== (known.is_backup_eligible === 1)) return undefined
  return { counter: newCounter, isUserVerified: userVerified, isBackedUp: credentialBackedUp }
}
