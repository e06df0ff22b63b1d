// Accepts the offer of a passkey where the browser can do so without asking, and tells password managers which passkeys the service knows
// (https://w3c.github.io/webauthn/#sctn-signal-methods). Browsers that know neither lose nothing.

type Signals = AllAcceptedCredentialsOptions & CurrentUserDetailsOptions

const methods: Partial<typeof PublicKeyCredential> =
  typeof PublicKeyCredential === 'undefined' ? {} : PublicKeyCredential

async function tell(element: HTMLElement) {
  const response = await fetch(element.dataset['passkeySignals'] ?? '', { headers: { accept: 'application/json' } })
  if (!response.ok || response.redirected) return
  const { signals } = (await response.json()) as { readonly signals: Signals | null }
  // A passkey that is being made is not among them, and the password manager would remove it.
  if (signals === null || document.querySelector('[data-making]') !== null) return
  const { rpId, userId, allAcceptedCredentialIds, name, displayName } = signals
  await methods.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds })
  await methods.signalCurrentUserDetails?.({ rpId, userId, name, displayName })
}

async function accept(form: HTMLFormElement) {
  const input = form.elements.namedItem('credential')
  const mediation = form.elements.namedItem('mediation')
  const capabilities = await methods.getClientCapabilities?.()
  if (capabilities?.['conditionalCreate'] !== true) return
  if (!(input instanceof HTMLInputElement) || !(mediation instanceof HTMLInputElement)) return
  const leaving = new AbortController()
  // The user decides first, by any button of the page.
  addEventListener('submit', () => leaving.abort(), { capture: true })
  const body = new URLSearchParams({ mediation: 'conditional' })
  for (const [name, value] of new FormData(form))
    if (name === 'formToken' && typeof value === 'string') body.append(name, value)
  const response = await fetch(form.dataset['options'] ?? '', {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
    signal: leaving.signal,
  })
  if (!response.ok || response.redirected) return
  const { publicKeyOptions } = (await response.json()) as {
    readonly publicKeyOptions: PublicKeyCredentialCreationOptionsJSON
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(publicKeyOptions)
  const asked = { publicKey, mediation: 'conditional', signal: leaving.signal } as CredentialCreationOptions
  const credential = await navigator.credentials.create(asked)
  if (!(credential instanceof PublicKeyCredential) || leaving.signal.aborted) return
  input.value = JSON.stringify(credential.toJSON())
  mediation.value = 'conditional'
  HTMLFormElement.prototype.submit.call(form)
}

// Whatever fails, the page does without it.
const quietly = (work: Promise<unknown> | undefined) => void work?.catch(() => undefined)

document.querySelectorAll<HTMLElement>('[data-passkey-signals]').forEach((element) => quietly(tell(element)))
document
  .querySelectorAll<HTMLElement>('[data-passkey-unknown]')
  .forEach(({ dataset }) =>
    quietly(
      methods.signalUnknownCredential?.(JSON.parse(dataset['passkeyUnknown'] ?? '{}') as UnknownCredentialOptions),
    ),
  )
document.querySelectorAll<HTMLFormElement>('form[data-offer]').forEach((form) => quietly(accept(form)))
