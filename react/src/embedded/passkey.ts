// Passkeys in the browser: using one, and the offer of one after a sign-in with a password.
import type { PasskeySignals, SignInAnswer, SignInAttempt } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk/frontend'
import type { useFormClient } from './form-client.ts'

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/**
 * Lets the browser answer the service's challenge.
 * @throws DOMException if no passkey is used.
 */
export async function answerChallenge(publicKeyOptions: unknown): Promise<unknown> {
  const options = publicKeyOptions as PublicKeyCredentialRequestOptionsJSON
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  if (!(credential instanceof PublicKeyCredential))
    throw new DOMException('the browser returned no passkey', 'NotAllowedError')
  return credential.toJSON()
}

type Client = ReturnType<typeof useFormClient>

/**
 * Tells the password manager of a passkey that the service does not know, so that it offers it no more.
 * @throws the same error, whatever comes of it.
 */
function tellUnknown(error: unknown, publicKeyOptions: unknown, credential: unknown): never {
  if (isBailiwickError(error, 'factor_refused') && error.issues.some(({ code }) => code === 'unknown_passkey')) {
    const { rpId = location.hostname } = publicKeyOptions as PublicKeyCredentialRequestOptionsJSON
    const known: Partial<typeof PublicKeyCredential> = PublicKeyCredential
    const told = known.signalUnknownCredential?.({ rpId, credentialId: (credential as { readonly id: string }).id })
    told?.catch(() => undefined)
  }
  throw error
}

/** Signs in with a passkey alone, which also says who it is. */
export async function signInWithPasskey(client: Client): Promise<SignInAnswer> {
  const { publicKeyOptions, signInAttempt } = await client.createSignIn({ body: { strategy: 'security_key' } })
  return provePasskey(client, signInAttempt, publicKeyOptions)
}

/** Answers the challenge of a first factor. */
export async function provePasskey(client: Client, { id }: Pick<SignInAttempt, 'id'>, publicKeyOptions: unknown) {
  const credential = await answerChallenge(publicKeyOptions)
  return client
    .attemptFirstFactor({ params: { id }, body: { strategy: 'security_key', credential } })
    .catch((error: unknown) => tellUnknown(error, publicKeyOptions, credential))
}

type User = Pick<SignInAttempt, 'userId'>

const laterMs = 30 * 24 * 60 * 60_000
const quietMs = 2000
const laterKey = ({ userId }: User) => `bailiwick:passkey-later:${userId ?? ''}`

/** Returns whether the user has put the offer off in this browser; also where a browser keeps nothing, which would offer it every time. */
function isPutOff(user: User): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(laterKey(user)) ?? 0) < laterMs
  } catch {
    return true
  }
}

export function putOff(user: User): void {
  try {
    localStorage.setItem(laterKey(user), String(Date.now()))
  } catch {
    // The browser keeps nothing, and so nothing is offered again.
  }
}

/**
 * Makes a passkey that signs its user in.
 * @param secondFactor whether every sign-in asks for a second factor from then on.
 * @throws DOMException if the browser makes none.
 */
export async function makePasskey(
  client: Pick<Client, 'createPasskeyOptions' | 'createPasskey'>,
  mediation?: 'conditional',
  secondFactor = false,
) {
  const options = mediation === undefined ? {} : { mediation }
  const { publicKeyOptions } = await client.createPasskeyOptions({ query: options })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    publicKeyOptions as PublicKeyCredentialCreationOptionsJSON,
  )
  // A password manager that says nothing must not hold the sign-in up.
  const signal = mediation === undefined ? {} : { signal: AbortSignal.timeout(quietMs) }
  const asked = { publicKey, ...options, ...signal } as CredentialCreationOptions
  const credential = await navigator.credentials.create(asked)
  if (!(credential instanceof PublicKeyCredential))
    throw new DOMException('the browser returned no passkey', 'NotAllowedError')
  return client.createPasskey({ body: { credential: credential.toJSON(), ...options, secondFactor } })
}

async function tell(signals: NonNullable<PasskeySignals['signals']>) {
  const { rpId, userId, allAcceptedCredentialIds, name, displayName } = signals
  const known: Partial<typeof PublicKeyCredential> = PublicKeyCredential
  await known.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds })
  await known.signalCurrentUserDetails?.({ rpId, userId, name, displayName })
}

/** Returns whether the browser has made a passkey without asking the user. */
async function isMadeQuietly(client: Client): Promise<boolean> {
  const known: Partial<typeof PublicKeyCredential> = PublicKeyCredential
  const capabilities = await known.getClientCapabilities?.()
  if (capabilities?.['conditionalCreate'] !== true) return false
  return makePasskey(client, 'conditional').then(
    () => true,
    () => false,
  )
}

/** Tells the password manager what the service knows, and returns whether to offer a passkey. Whatever fails, the sign-in goes on. */
export async function isOffered(client: Client, user: User): Promise<boolean> {
  if (!hasPasskeys()) return false
  try {
    const { offered, signals } = await client.getPasskeySignals()
    if (signals !== null) await tell(signals).catch(() => undefined)
    if (!offered || isPutOff(user) || (await isMadeQuietly(client))) return false
    return await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()
  } catch {
    return false
  }
}
