// How a client authenticates.
import type { tokenPrefixes } from '@bailiwick/contract'

/** One of the four, or none for operations without a credential and for a development deployment on this machine. */
export type Credential =
  | { readonly secretKey: string; readonly operatorKey?: never; readonly apiKey?: never; readonly token?: never }
  | { readonly operatorKey: string; readonly secretKey?: never; readonly apiKey?: never; readonly token?: never }
  | { readonly apiKey: string; readonly secretKey?: never; readonly operatorKey?: never; readonly token?: never }
  | {
      /** A session's token; a function is called before every request, for tokens that live only a minute. */
      readonly token: string | (() => string | Promise<string>)
      readonly secretKey?: never
      readonly operatorKey?: never
      readonly apiKey?: never
    }
  | { readonly secretKey?: never; readonly operatorKey?: never; readonly apiKey?: never; readonly token?: never }

const prefixes = { secretKey: 'sk_', operatorKey: 'op_', apiKey: 'ak_' } as const satisfies Partial<
  typeof tokenPrefixes
>
/** RFC 6750 §2.1. Anything else would fail as a header, with the secret in the runtime's message. */
const bearerToken = /^[\w.~+/-]+=*$/

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** @throws TypeError for a value that is not a token, or has another prefix. */
export function checked(token: unknown, name: string, prefix = ''): string {
  if (typeof token !== 'string' || !token.startsWith(prefix) || !bearerToken.test(token)) {
    throw new TypeError(
      prefix === '' ? `${name} is not a valid token` : `${name} must be a key that starts with ${prefix}`,
    )
  }
  return token
}

/**
 * Returns the headers of the next request that authenticate the caller.
 * @throws TypeError if there are several credentials, or one that cannot be of its kind.
 */
export function credentialHeaders(credential: Credential): () => Promise<Readonly<Record<string, string>>> {
  const options = (['secretKey', 'operatorKey', 'apiKey', 'token'] as const).filter((each) => each in credential)
  const names = options.filter((each) => credential[each] !== undefined)
  const [name = options[0]] = names
  if (name !== undefined && names.length === 0) {
    // Otherwise every request would be sent without a credential, and refused by the service.
    throw new TypeError(
      `${name} is undefined. Is the environment variable set? To call without a credential, leave the option out`,
    )
  }
  if (names.length > 1) throw new TypeError(`Give one credential, not ${names.join(' and ')}`)
  if (name === undefined) return async () => ({})
  if (name !== 'token') {
    const headers = bearer(checked(credential[name], name, prefixes[name]))
    return async () => headers
  }
  const { token } = credential
  if (typeof token === 'function') return async () => bearer(checked(await token(), name))
  const headers = bearer(checked(token, name))
  return async () => headers
}
