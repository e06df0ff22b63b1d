// Shows the widget of a provider above the page until it has made an answer. It is loaded by the first form that needs one.
import type { CaptchaProvider, ChallengePurpose } from '@bailiwick/contract'

interface Widget {
  readonly render: (at: HTMLElement, options: Readonly<Record<string, string | ((token: string) => void)>>) => unknown
}

const scripts: Readonly<Record<CaptchaProvider, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=bailiwickCaptcha',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit&onload=bailiwickCaptcha',
}

interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => { readonly createScriptURL: (address: string) => string }
}

type Extended = typeof globalThis &
  Partial<Record<CaptchaProvider, Widget>> & { bailiwickCaptcha?: () => void; trustedTypes?: Policies }

const page: Extended = globalThis

/** Where a page requires Trusted Types, an address that is only text loads no script. */
const policy = page.trustedTypes?.createPolicy('bailiwick', { createScriptURL: (address) => address })

/** Resolves when the script of the provider is there; rejects if it cannot be loaded. */
const load = (provider: CaptchaProvider) =>
  new Promise<Widget | undefined>((resolve, reject) => {
    if (page[provider] !== undefined) return resolve(page[provider])
    page.bailiwickCaptcha = () => resolve(page[provider])
    const script = document.createElement('script')
    script.src = policy?.createScriptURL(scripts[provider]) ?? scripts[provider]
    script.async = true
    script.addEventListener('error', () => reject(new Error(`The script of ${provider} could not be loaded.`)))
    document.head.append(script)
    return undefined
  })

/** Returns the answer; undefined if the user closes the widget. */
export async function answerCaptcha(
  provider: CaptchaProvider,
  sitekey: string,
  action: ChallengePurpose,
): Promise<string | undefined> {
  const widget = await load(provider)
  const dialog = document.createElement('dialog')
  const place = dialog.appendChild(document.createElement('div'))
  document.body.append(dialog)
  dialog.showModal()
  const answer = await new Promise<string | undefined>((resolve) => {
    dialog.addEventListener('close', () => resolve(undefined))
    widget?.render(place, { sitekey, action, callback: resolve })
  })
  dialog.remove()
  return answer
}
