// The pages' one script. Every page works without it; it adds passkeys, forms that send themselves when the code is complete, the button
// that shows a password, the pause before something is sent again, and the button that prints. What only the script can do is hidden or disabled until it is here.

const all = <Of extends HTMLElement>(selector: string, serve: (element: Of) => void) =>
  document.querySelectorAll<Of>(selector).forEach(serve)

const answerMsMax = 5000
let sentAt = -Infinity

/**
 * Returns whether a form may be sent now. The browser drops the answer to a form when another one is sent, so that a second press would
 * lose what the first one has achieved, such as the session.
 */
function maySend(): boolean {
  const now = performance.now()
  if (now - sentAt < answerMsMax) return false
  sentAt = now
  return true
}

function sendOnce() {
  document.addEventListener('submit', (event) => {
    if (!event.defaultPrevented && !maySend()) event.preventDefault()
  })
  // The browser may show the page again exactly as the user left it.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) sentAt = -Infinity
  })
}

function showPasswords(button: HTMLButtonElement) {
  const input = document.getElementById(button.dataset['show'] ?? '')
  if (!(input instanceof HTMLInputElement)) return
  button.addEventListener('click', () => {
    const isShown = input.type === 'text'
    input.type = isShown ? 'password' : 'text'
    button.setAttribute('aria-pressed', String(!isShown))
    const { textContent, dataset } = button
    button.textContent = dataset['other'] ?? ''
    dataset['other'] = textContent
    input.focus()
  })
  // The browser must not store a visible password as plain text.
  input.form?.addEventListener('submit', () => (input.type = 'password'))
  button.hidden = false
}

function sendWhenWhole(form: HTMLFormElement) {
  const input = form.elements.namedItem('code')
  if (!(input instanceof HTMLInputElement)) return
  let sent = ''
  input.addEventListener('input', () => {
    const digits = input.value.replaceAll(/[\s-]/g, '')
    if (digits === sent || digits.length !== Number(form.dataset['digits']) || !/^\d+$/.test(digits)) return
    sent = digits
    form.requestSubmit()
  })
}

function waitBeforeResend(form: HTMLFormElement) {
  const button = form.querySelector('button')
  if (button === null) return
  const label = button.textContent
  let left = Number(form.dataset['resend'])
  const show = () => {
    button.disabled = left > 0
    button.textContent = left > 0 ? `${label} (${left})` : label
    if (left-- > 0) setTimeout(show, 1000)
  }
  show()
}

interface Answer {
  readonly publicKeyOptions: PublicKeyCredentialRequestOptionsJSON & PublicKeyCredentialCreationOptionsJSON
}

let pending = new AbortController()

async function ask(form: HTMLFormElement, isConditional: boolean): Promise<Credential | null> {
  pending.abort()
  pending = new AbortController()
  const { signal } = pending
  const { options = '', passkey } = form.dataset
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value)
  const response = await fetch(options, { method: 'POST', body, headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(String(response.status))
  if (response.redirected) {
    // The form's question must be confirmed first.
    location.assign(response.url)
    return null
  }
  const { publicKeyOptions } = (await response.json()) as Answer
  if (passkey === 'create') {
    form.dataset['making'] = ''
    const created = PublicKeyCredential.parseCreationOptionsFromJSON(publicKeyOptions)
    return navigator.credentials.create({ publicKey: created, signal })
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(publicKeyOptions)
  return navigator.credentials.get({ publicKey, signal, ...(isConditional ? { mediation: 'conditional' } : {}) })
}

function servePasskey(form: HTMLFormElement) {
  const input = form.elements.namedItem('credential')
  const button = form.querySelector('button')
  const failure = form.querySelector<HTMLElement>('[role=alert]')
  if (!(input instanceof HTMLInputElement) || button === null) return
  if (typeof PublicKeyCredential === 'undefined' || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) {
    form.hidden = true
    return
  }
  const use = async (isConditional: boolean) => {
    if (failure !== null) failure.hidden = true
    try {
      const credential = await ask(form, isConditional)
      if (!(credential instanceof PublicKeyCredential) || !maySend()) return
      input.value = JSON.stringify(credential.toJSON())
      HTMLFormElement.prototype.submit.call(form)
    } catch (error) {
      const isGivenUp = error instanceof DOMException && error.name === 'AbortError'
      if (!isConditional && !isGivenUp && failure !== null) failure.hidden = false
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void use(false)
  })
  button.disabled = false
  if ('conditional' in form.dataset) {
    const before = pending
    void PublicKeyCredential.isConditionalMediationAvailable?.().then((isThere) => {
      // The button may have been pressed meanwhile.
      if (isThere && pending === before) void use(true)
    })
  }
}

/** Says with the password that a passkey can be offered after it. */
async function sayPasskeys(input: HTMLInputElement) {
  if (typeof PublicKeyCredential === 'undefined' || !('parseCreationOptionsFromJSON' in PublicKeyCredential)) return
  if (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()) input.value = '1'
}

function servePrint(button: HTMLButtonElement) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

/** Gives a logo that is much taller than wide more height, because it would be a thin line in that of the others. */
async function fitLogo(logo: HTMLImageElement) {
  // Where the picture cannot be read, its text is shown.
  await logo.decode().catch(() => undefined)
  logo.classList.toggle('tall', logo.naturalHeight > 2 * logo.naturalWidth)
}

sendOnce()
all<HTMLImageElement>('.mark img', (logo) => void fitLogo(logo))
all('[data-print]', servePrint)
all('[data-show]', showPasswords)
all<HTMLInputElement>('input[name=passkeys]', (input) => void sayPasskeys(input))
all('form[data-digits]', sendWhenWhole)
all('form[data-resend]', waitBeforeResend)
all('form[data-passkey]', servePasskey)
