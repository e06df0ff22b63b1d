// Tokens that must never pass, each valid except for its one fault: from RFC 8725, and from faults of other libraries.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { JwtError, type JwtErrorCode, createJwtVerifier } from '@bailiwick/sdk/jwt'
import fc from 'fast-check'
import {
  audience,
  base64Url,
  goodHeader,
  goodPayload,
  issuer,
  jwksUrl,
  newKey,
  now,
  publish,
  signParts,
  signToken,
} from '../test/issuer.ts'

const key = await newKey('key')
const stranger = await newKey('key')
const { fetch } = publish([key.jwk])
const verify = createJwtVerifier({ jwksUrl, issuer, audience, fetch })

const header = base64Url(JSON.stringify(goodHeader(key)))
const payload = base64Url(JSON.stringify(goodPayload))
const good = await signParts(header, payload, key)
const [, , signature = ''] = good.split('.')
const spki = new Uint8Array(await crypto.subtle.exportKey('spki', key.publicKey))
const pem = `-----BEGIN PUBLIC KEY-----\n${Buffer.from(spki).toString('base64')}\n-----END PUBLIC KEY-----\n`

/** Signs with a text as the HMAC secret, under a header of its own. */
async function signMac(secret: string | Uint8Array<ArrayBuffer>, changes: object = { alg: 'HS256' }, hash = 'SHA-256') {
  const head = base64Url(JSON.stringify({ ...goodHeader(key), ...changes }))
  const raw = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
  const mac = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash }, false, ['sign'])
  const bytes = await crypto.subtle.sign('HMAC', mac, new TextEncoder().encode(`${head}.${payload}`))
  return `${head}.${payload}.${base64Url(new Uint8Array(bytes))}`
}

const signed = (value: object, changes: object = {}) =>
  signToken(key, value as Record<string, unknown>, changes as Record<string, unknown>)
const withHeader = (changes: object) => signed({}, changes)
const unsigned = (changes: object) => `${base64Url(JSON.stringify({ ...goodHeader(key), ...changes }))}.${payload}`
const withSignature = (bytes: Uint8Array | string) => `${header}.${payload}.${base64Url(bytes)}`
const raw = (part: string) => base64Url(part)
/** Encodes r and s as DER, which OpenSSL produces and JWS does not allow. */
const der = Buffer.concat([Buffer.from([0x30, 0x44, 2, 32]), Buffer.from(signature, 'base64url')])

const corpus: Readonly<Record<JwtErrorCode, Readonly<Record<string, string | Promise<string>>>>> = {
  wrong_algorithm: {
    'alg none without a signature': `${unsigned({ alg: 'none' })}.${signature}`,
    'alg None': `${unsigned({ alg: 'None' })}.${signature}`,
    'alg NONE': `${unsigned({ alg: 'NONE' })}.${signature}`,
    'no alg': withHeader({ alg: undefined }),
    'alg null': withHeader({ alg: null }),
    'alg as a list': withHeader({ alg: ['ES256'] }),
    'alg es256': withHeader({ alg: 'es256' }),
    'alg ES384': withHeader({ alg: 'ES384' }),
    'alg ES256K': withHeader({ alg: 'ES256K' }),
    'alg RS256': withHeader({ alg: 'RS256' }),
    'alg PS256': withHeader({ alg: 'PS256' }),
    'alg EdDSA': withHeader({ alg: 'EdDSA' }),
    'alg HS512 with the public key as the secret': signMac(pem, { alg: 'HS512' }, 'SHA-512'),
  },
  wrong_type: {
    'no typ': withHeader({ typ: undefined }),
    'typ JWT': withHeader({ typ: 'JWT' }),
    'typ of a logout token': withHeader({ typ: 'logout+jwt' }),
    'typ in capitals': withHeader({ typ: 'AT+JWT' }),
    'typ as a list': withHeader({ typ: ['at+jwt'] }),
  },
  unsupported_header: {
    'a critical extension': withHeader({ crit: ['exp'], exp: now }),
    'an empty list of critical extensions': withHeader({ crit: [] }),
    'an unencoded payload': withHeader({ b64: false, crit: ['b64'] }),
    'an unencoded payload that is not called critical': withHeader({ b64: false }),
    'a compressed payload': withHeader({ zip: 'DEF' }),
    'a key of its own': signToken(stranger, {}, { jwk: stranger.jwk }),
    'an address of its key': signToken(stranger, {}, { jku: 'https://evil.example/jwks.json' }),
    'an address of its certificate': signToken(stranger, {}, { x5u: 'https://evil.example/cert.pem' }),
    'a certificate of its own': signToken(stranger, {}, { x5c: [Buffer.from(spki).toString('base64')] }),
    'an encryption': withHeader({ enc: 'A256GCM' }),
  },
  unknown_key: {
    'no kid': withHeader({ kid: undefined }),
    'kid null': withHeader({ kid: null }),
    'kid as a list': withHeader({ kid: ['key'] }),
    'kid of nobody': withHeader({ kid: 'other' }),
    'kid with a path': withHeader({ kid: '../../dev/null' }),
    'kid with SQL': withHeader({ kid: "x' UNION SELECT 'key" }),
    'kid of the prototype': withHeader({ kid: '__proto__' }),
    'kid of a method': withHeader({ kid: 'constructor' }),
    'an empty kid': withHeader({ kid: '' }),
    'kid with white space': withHeader({ kid: 'key ' }),
  },
  bad_signature: {
    'the signature of another key under the same id': signToken(stranger),
    'a signature of zeros (CVE-2022-21449)': withSignature(new Uint8Array(64)),
    'r = 0': withSignature(new Uint8Array(64).fill(1, 32)),
    's = 0': withSignature(new Uint8Array(64).fill(1, 0, 32)),
    'a signature of ones': withSignature(new Uint8Array(64).fill(255)),
    'the signature of another payload': `${header}.${base64Url(JSON.stringify({ ...goodPayload, sub: 'cadmin0001' }))}.${signature}`,
    'the signature of another header': `${base64Url(JSON.stringify({ ...goodHeader(key), cty: 'x' }))}.${payload}.${signature}`,
  },
  malformed_token: {
    nothing: '',
    'one dot': `${header}.${payload}`,
    'an unsigned token': `${unsigned({ alg: 'none' })}.`,
    'a signature left out': `${header}.${payload}.`,
    'a further part': `${good}.`,
    'an encrypted token': `${header}....`,
    'a DER signature': withSignature(der),
    'a shortened signature': `${header}.${payload}.${signature.slice(0, -2)}`,
    'HS256 with the public PEM as the secret': signMac(pem, { alg: 'HS256' }),
    'HS256 with the public JWK as the secret': signMac(JSON.stringify(key.jwk)),
    'HS256 with the public key’s bytes as the secret': signMac(spki),
    'a mac that is called ES256': signMac(pem, {}),
    'base64 in place of base64url': `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}`,
    'white space before it': ` ${good}`,
    'a line break behind it': `${good}\n`,
    'Bearer before it': `Bearer ${good}`,
    'a token longer than any header': signed({ padding: 'x'.repeat(16_384) }),
    'a token of a megabyte': `${header}.${'A'.repeat(1_000_000)}.${signature}`,
    'a header that is no JSON': signParts(raw('{"alg":'), payload, key),
    'a header that is a list': signParts(raw('["ES256"]'), payload, key),
    'a header that is null': signParts(raw('null'), payload, key),
    'a payload that is no JSON': signParts(header, raw('hello'), key),
    'a payload that is a list': signParts(header, raw('[]'), key),
    'a payload that is a text': signParts(header, raw('"me"'), key),
    'a payload that is no UTF-8': signParts(header, base64Url(Buffer.from('{"sub":"\xff"}', 'latin1')), key),
  },
  wrong_issuer: {
    'no iss': signed({ iss: undefined }),
    'another iss': signed({ iss: 'https://evil.example' }),
    'iss with a slash': signed({ iss: `${issuer}/` }),
    'iss as a list': signed({ iss: [issuer] }),
  },
  wrong_audience: {
    'no aud': signed({ aud: undefined }),
    'another aud': signed({ aud: 'ctenant0002' }),
    'an empty list of aud': signed({ aud: [] }),
    'a list of others': signed({ aud: ['ctenant0002', 7] }),
    'aud within a list in a list': signed({ aud: [[audience]] }),
    'aud that starts alike': signed({ aud: `${audience}x` }),
    'aud as an object': signed({ aud: { 0: audience, length: 1 } }),
  },
  malformed_claim: {
    'no sub': signed({ sub: undefined }),
    'an empty sub': signed({ sub: '' }),
    'sub as a number': signed({ sub: 1 }),
    'no exp': signed({ exp: undefined }),
    'exp as text': signed({ exp: String(now + 60) }),
    'exp null': signed({ exp: null }),
    'exp as a list': signed({ exp: [now + 60] }),
    'exp beyond all numbers': signParts(header, raw(JSON.stringify(goodPayload).replace(`${now + 60}`, '1e400')), key),
    'no nbf': signed({ nbf: undefined }),
    'nbf as text': signed({ nbf: '0' }),
    'nbf before all numbers': signParts(
      header,
      raw(JSON.stringify({ ...goodPayload, nbf: -7 }).replace('-7', '-1e400')),
      key,
    ),
    'iat as text': signed({ iat: 'yesterday' }),
  },
  expired: {
    'exp of a minute ago': signed({ exp: now - 60 }),
    'exp zero': signed({ exp: 0 }),
    'exp below zero': signed({ exp: -1 }),
  },
  not_yet_valid: {
    'nbf of the next minute': signed({ nbf: now + 60 }),
    'nbf in milliseconds': signed({ nbf: now * 1000 }),
    'iat of the next minute': signed({ iat: now + 60 }),
  },
  keys_unavailable: {},
}

describe('a token that must not pass', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: now * 1000 }))
  afterEach(() => mock.reset())

  it('differs only by its fault from one that passes', async () => {
    await verify(good)
  })

  for (const [code, tokens] of Object.entries(corpus)) {
    for (const [what, token] of Object.entries(tokens)) {
      // Guards: token-checks, missing-claims, encrypted-tokens
      it(`is refused with ${code}: ${what}`, async () => {
        await assert.rejects(verify(await token), (error) => error instanceof JwtError && error.code === code)
      })
    }
  }

  it('is refused if it is not a text', async () => {
    for (const token of [undefined, null, 7, {}, [good]]) {
      await assert.rejects(verify(token as string), JwtError)
    }
  })

  // Guards: token-checks
  it('is every token that differs in one bit', async () => {
    const bytes = Buffer.from(good)
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      await assert.rejects(verify(changed.toString('latin1')), JwtError, `bit ${bit}`)
    }
  })

  it('is any text without a valid signature', async () => {
    const part = fc.oneof(fc.string(), fc.json().map(base64Url), fc.constantFrom(header, payload, signature))
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const token = parts.join('.')
        if (token !== good) await assert.rejects(verify(token), JwtError)
      }),
    )
  })
})
