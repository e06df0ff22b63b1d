// Addresses to which browsers are sent. Parsers repair addresses differently (`https:\\evil`, tabs, `127.1`, dot segments), so an address
// that needs repairing is refused: all parsers read the stored address in the same way.
import { isDomain } from './domain.ts'
import { isEmail } from './email.ts'

const lengthMax = 2048
const refusedCharacter = /[\s\\\p{Cc}]/u
const originAndRest = /^(https?:\/\/[^/?#]+)([^]*)$/i
const loopbackHost = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export const webUriRule = 'must be an absolute https URL (http only on localhost) in ASCII'

/** Whether an address is allowed in a `*Uri` setting or as a provider's redirect URI. */
export function isWebUri(value: string): boolean {
  if (value.length > lengthMax || refusedCharacter.test(value) || !URL.canParse(value)) return false
  const url = new URL(value)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopbackHost.test(url.hostname))) return false
  if (url.username !== '' || url.password !== '') return false
  if (!isDomain(url.hostname) && !url.hostname.startsWith('[')) return false
  return url.href === withRootPath(value)
}

export const supportUriRule = `${webUriRule}, or mailto: with one e-mail address`

/** Whether an address leads a person to help: a page, or an e-mail address. */
export const isSupportUri = (value: string): boolean =>
  value.startsWith('mailto:') ? isPlainMailbox(value.slice('mailto:'.length)) : isWebUri(value)

/** An e-mail address without characters that have a meaning in URLs, so that no header or second recipient can be added. */
const isPlainMailbox = (mailbox: string) => /^[\w.+-]+@[\w.-]+$/.test(mailbox) && isEmail(mailbox)

/** All parsers agree on two repairs: the letter case of scheme and host, and the slash after a bare host. */
function withRootPath(value: string): string | undefined {
  const [, origin, rest] = originAndRest.exec(value) ?? []
  if (origin === undefined || rest === undefined) return undefined
  return origin.toLowerCase() + (rest.startsWith('/') ? rest : `/${rest}`)
}

export const redirectUriRule =
  'must be an https URL (http only on localhost) or the URL of an app such as com.example.app:/callback, in ASCII and without a fragment'

/** RFC 8252 section 7.1: an app's own scheme is a reversed domain name. No scheme that a browser runs or handles itself contains a dot. */
const appAddress = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:\/[^#\\]*$/

/** Whether a flow may end at the address: a page, or an app on the same device. */
export function isRedirectUri(value: string): boolean {
  if (value.includes('#')) return false
  return isWebUri(value) || isAppUri(value)
}

function isAppUri(value: string): boolean {
  if (value.length > lengthMax || !appAddress.test(value) || !URL.canParse(value)) return false
  const { href, username, password } = new URL(value)
  return href === value && username === '' && password === ''
}

/** The rule for the issuer of a foreign OpenID provider, as its ID tokens name it in `iss`. */
export const issuerRule =
  'must be an https URL (http only on localhost) in ASCII, without user name, query and fragment'

/** OpenID Connect Discovery 1.0 section 2: an issuer has neither query nor fragment. */
export const isIssuer = (value: string): boolean => isWebUri(value) && !/[?#]/.test(value)
