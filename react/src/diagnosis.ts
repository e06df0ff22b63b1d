// Says in the page why nobody can be signed in. Only development builds load it: users of a finished app get what the app shows to people
// who are not signed in.
import { isBailiwickError } from '@bailiwick/sdk/frontend'
import type { AuthStore } from './auth-store.ts'
import { type HostedPagesOptions, browserAddress, isLoopbackAddress } from './hosted-pages.ts'

interface Settings extends Pick<HostedPagesOptions, 'frontendApiUrl'> {
  readonly publicKey: string
  /** Whether the app keeps its tokens itself, and needs no cookie. */
  readonly isByTokens: boolean
}

const whereVariables =
  'Pages see variables of .env whose names begin with VITE_ (Vite) or NEXT_PUBLIC_ (Next.js). Start the development server again after a change.'

/** Returns what is wrong with the properties of the provider. */
function findWrongSetting({ frontendApiUrl, publicKey }: Settings): string | undefined {
  // A variable that is not set is undefined, whatever the types say.
  const address: unknown = frontendApiUrl
  const key: unknown = publicKey
  if (typeof address !== 'string' || address === '') {
    return `frontendApiUrl is ${String(address) || 'empty'}. It takes BAILIWICK_FRONTEND_API_URL of the tenant's environment. ${whereVariables}`
  }
  if (!/^https?:\/\/./.test(address) || !URL.canParse(address)) {
    return `frontendApiUrl is not an address: ${address}. It looks like https://id.example.com/frontend/api/v0.`
  }
  if (!/\/frontend\/api\/v0\/*$/.test(address)) {
    return `frontendApiUrl does not end with /frontend/api/v0: ${address}.`
  }
  if (typeof key !== 'string' || key === '') {
    return `publicKey is ${String(key) || 'empty'}. It takes BAILIWICK_PUBLIC_KEY of the tenant's environment. ${whereVariables}`
  }
  return key.startsWith('pk_')
    ? undefined
    : 'publicKey is not a public key, which begins with pk_. Never put a secret key into a page.'
}

/** Whether a request is answered. With the mode `cors` the page must be allowed to read the answer, too. */
const isAnswered = (address: string, mode: 'cors' | 'no-cors') =>
  fetch(address, { mode }).then(
    () => true,
    () => false,
  )

/**
 * Returns why nothing can be read of the service. Its answers to pages of an origin that the tenant has not listed cannot be read; its keys
 * can, by every page that knows the tenant.
 */
async function explainSilence(address: string, publicKey: string): Promise<string> {
  const keys = `${address}/.well-known/jwks.json?publicKey=${encodeURIComponent(publicKey)}`
  if (await isAnswered(keys, 'cors')) {
    return `The service at ${address} does not accept the pages of ${location.origin}. Add an address of this origin to the tenant's sign-in rules, such as homeUri.`
  }
  return (await isAnswered(keys, 'no-cors'))
    ? `No tenant at ${address} has the public key ${publicKey}. Is it the key of another deployment?`
    : `No service answers at ${address}. Is it running? In development \`npx bailiwick\` starts one.`
}

/** Returns why the service did not say who is signed in. */
async function explain(error: unknown, { frontendApiUrl, publicKey }: Settings): Promise<string> {
  const address = browserAddress(frontendApiUrl)
  if (!isBailiwickError(error)) return String(error)
  const { code, message } = error
  if (code === 'invalid_response') return `Something else than the service answers at ${address}. ${message}`
  return code === 'network_error' || code === 'timed_out'
    ? explainSilence(address, publicKey)
    : `The service at ${address} refuses this page: ${message} (${code})`
}

/** Says at which address the app has to be opened if browsers reach the service at `localhost` and the page is elsewhere. */
function warnOfAddress({ frontendApiUrl, isByTokens }: Settings) {
  if (isByTokens || !isLoopbackAddress(location.hostname)) return
  if (new URL(browserAddress(frontendApiUrl)).hostname !== 'localhost') return
  // oxlint-disable-next-line no-console -- It is a word to the developer.
  console.warn(
    `Bailiwick: open http://localhost:${location.port} instead of ${location.origin}. Otherwise the browser does not keep the session cookie, and users are signed out at once.`,
  )
}

/** Where the properties of an element are set one by one, a content security policy allows it. */
const style = {
  all: 'initial',
  position: 'fixed',
  insetInline: '16px',
  insetBlockEnd: '16px',
  zIndex: '2147483647',
  maxWidth: '640px',
  marginInline: 'auto',
  padding: '16px',
  borderRadius: '8px',
  border: '1px solid #b42318',
  background: '#fef3f2',
  color: '#7a271a',
  font: '14px/1.5 system-ui, sans-serif',
  overflowWrap: 'anywhere',
}

function createNotice(text: string): HTMLElement {
  const notice = document.createElement('div')
  Object.assign(notice.style, style)
  notice.setAttribute('role', 'alert')
  const title = document.createElement('strong')
  title.textContent = 'Bailiwick: users cannot sign in. '
  const hint = document.createElement('span')
  hint.textContent = ' Only development builds show this.'
  notice.append(title, text, hint)
  return notice
}

/** Follows the state until the returned function is called, and says what is wrong while something is. */
export function diagnose(store: AuthStore, settings: Settings): () => void {
  let notice: HTMLElement | undefined
  let visible: string | undefined
  let isOver = false
  const show = (text: string | undefined) => {
    if (isOver || text === visible) return
    visible = text
    notice?.remove()
    if (text === undefined) return
    notice = document.body.appendChild(createNotice(text))
    // oxlint-disable-next-line no-console -- It is a word to the developer.
    console.error(`Bailiwick: ${text}`)
  }
  const wrong = findWrongSetting(settings)
  const look = () => {
    const { auth } = store.snapshot()
    const error = auth.status === 'loading' ? auth.error : undefined
    if (error === undefined) show(undefined)
    else void explain(error, settings).then((text) => (store.snapshot().auth === auth ? show(text) : undefined))
  }
  if (wrong === undefined) {
    warnOfAddress(settings)
    look()
  } else show(wrong)
  const unsubscribe = wrong === undefined ? store.subscribe(look) : () => undefined
  return () => {
    show(undefined)
    isOver = true
    unsubscribe()
  }
}
