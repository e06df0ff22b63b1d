// The pages' one script. Every page works without it; it adds passkeys, forms that send themselves when the code is whole, the button that
// shows a password, and the pause before something is sent again.

const all = <Of extends HTMLElement>(selector: string, serve: (element: Of) => void) =>
  document.querySelectorAll<Of>(selector).forEach(serve)

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
  // What is shown must not be kept as plain text by the browser.
  input.form?.addEventListener('submit', () => (input.type = 'password'))
}

function sendWhenWhole(form: HTMLFormElement) {
  const input = form.elements.namedItem('code')
  if (!(input instanceof HTMLInputElement)) return
  let isSent = false
  input.addEventListener('input', () => {
    const digits = input.value.replaceAll(/[\s-]/g, '')
    if (isSent || digits.length !== Number(form.dataset['digits']) || !/^\d+$/.test(digits)) return
    isSent = true
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
  readonly publicKeyOptions: PublicKeyCredentialRequestOptionsJSON
}

let pending = new AbortController()

async function ask(form: HTMLFormElement, isConditional: boolean): Promise<Credential | null> {
  pending.abort()
  pending = new AbortController()
  const { signal } = pending
  const { options = '' } = form.dataset
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value)
  const response = await fetch(options, { method: 'POST', body, headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(String(response.status))
  const { publicKeyOptions } = (await response.json()) as Answer
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(publicKeyOptions)
  return navigator.credentials.get({ publicKey, signal, ...(isConditional ? { mediation: 'conditional' } : {}) })
}

function servePasskey(form: HTMLFormElement) {
  const input = form.elements.namedItem('credential')
  const failure = form.querySelector<HTMLElement>('[role=alert]')
  if (!(input instanceof HTMLInputElement)) return
  if (typeof PublicKeyCredential === 'undefined' || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) {
    form.hidden = true
    return
  }
  const use = async (isConditional: boolean) => {
    if (failure !== null) failure.hidden = true
    try {
      const credential = await ask(form, isConditional)
      if (!(credential instanceof PublicKeyCredential)) return
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
  if ('conditional' in form.dataset) {
    void PublicKeyCredential.isConditionalMediationAvailable?.().then((isThere) => (isThere ? use(true) : undefined))
  }
}

all('[data-show]', showPasswords)
all('form[data-digits]', sendWhenWhole)
all('form[data-resend]', waitBeforeResend)
all('form[data-passkey]', servePasskey)
