// Passkeys in the browser.

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
