// An issuer of valid and invalid session tokens.
import type { Fetch } from '@bailiwick/sdk'
import { json } from './answers.ts'

export const issuer = 'https://id.example.com'
export const audience = 'ctenant0001'
export const jwksUrl = 'https://id.example.com/frontend/api/v0/.well-known/jwks.json?publicKey=pk_1'
/** Seconds since 1970 at which the tests take place. */
export const now = 1_795_000_000

export type SigningKey = Awaited<ReturnType<typeof newKey>>
type Json = Readonly<Record<string, unknown>>

export const base64Url = (value: string | Uint8Array) => Buffer.from(value).toString('base64url')

export async function newKey(kid: string) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return { kid, privateKey: pair.privateKey, publicKey: pair.publicKey, jwk: { kty, crv, x, y, kid } }
}

export const goodPayload = {
  iss: issuer,
  sub: 'cuser00001',
  aud: audience,
  iat: now,
  nbf: now,
  exp: now + 60,
  jti: 'cjwt000001',
  claims: { sessionId: 'csession01' },
}

export const goodHeader = (key: SigningKey) => ({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })

/** Returns a token with this header and payload unchanged, correctly signed by the key. */
export async function signParts(header: string, payload: string, key: SigningKey): Promise<string> {
  const signed = new TextEncoder().encode(`${header}.${payload}`)
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.privateKey, signed)
  return `${header}.${payload}.${base64Url(new Uint8Array(signature))}`
}

/** A good token of the key, except for the changes of the two arguments; an undefined property is left out. */
export const signToken = (key: SigningKey, payload: Json = {}, header: Json = {}) =>
  signParts(
    base64Url(JSON.stringify({ ...goodHeader(key), ...header })),
    base64Url(JSON.stringify({ ...goodPayload, ...payload })),
    key,
  )

/** The options of the server side of an app. */
export const authOptions = { frontendApiUrl: issuer, publicKey: 'pk_live_1' }

/** Returns a good token of this moment for `authOptions`, except for the changes of `payload`. */
export function currentToken(key: SigningKey, payload: Json = {}): Promise<string> {
  const at = Math.floor(Date.now() / 1000)
  return signToken(key, { aud: authOptions.publicKey, iat: at, nbf: at, exp: at + 60, ...payload })
}

/** Publishes the current content of `keys`; `state.outage` is the error that it fails with, if set. */
export function publish(keys: readonly unknown[]) {
  const state = { keys, requests: 0, outage: undefined as Response | Error | undefined }
  const fetch: Fetch = async () => {
    state.requests++
    if (state.outage instanceof Error) throw state.outage
    return state.outage?.clone() ?? json({ keys: state.keys })
  }
  return { fetch, state }
}
