// An identity provider that behaves as a test says, on a port of its own: OpenID Connect for google, gitlab and apple, and the APIs of
// github and facebook. It requires PKCE, the client's secret and a single use of each code.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { listenAtNewPort } from '../new-port.ts'

export type Claims = Readonly<Record<string, unknown>>

interface Granted {
  readonly claims: Claims
  readonly challenge: string
  readonly clientId: string
  readonly nonce: string | null
}

interface Keys {
  readonly privateKey: CryptoKey
  readonly jwk: object
}

async function newKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' } }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** What a client has sent, with the secret of its header (RFC 6749 section 2.3.1) as if it stood in the body. */
async function sentBy(request: IncomingMessage): Promise<URLSearchParams> {
  const sent = new URLSearchParams(await textOf(request))
  const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  if (basic === undefined) return sent
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  sent.set('client_id', decodeURIComponent(id))
  sent.set('client_secret', decodeURIComponent(secret.replaceAll('+', ' ')))
  sent.set('basic', 'true')
  return sent
}

export class FakeIdentityProvider {
  readonly clientId = `client-${randomBytes(4).toString('hex')}`
  /** The bodies of the requests for tokens, the last one last. */
  readonly tokenRequests: URLSearchParams[] = []
  /** The answer at a path of the API, such as `/api/v3/user`, for the holder of an access token with these claims. */
  interfaces: Readonly<Record<string, (claims: Claims) => unknown>> = {}
  /** Replaces claims just before the ID token is signed; undefined values are left out. */
  tamper: (claims: Claims) => Claims = (claims) => claims
  /** Replaces the ID token itself. */
  tamperToken: (token: string) => string = (token) => token
  /** Called before a request for tokens is answered. */
  beforeTokens: () => Promise<unknown> = async () => undefined
  isIssSent = true
  /** Whether the client is known by its secret, or by PKCE alone. */
  isSecretAsked = true
  /** Replaces what the provider says of itself. */
  describe: (metadata: Claims) => unknown = (metadata) => metadata
  /** How often it was asked to describe itself, and how often anybody has connected to it. */
  descriptions = 0
  connections = 0
  /** How many requests have come, over all connections. */
  requests = 0
  readonly #codes = new Map<string, Granted>()
  readonly #accessTokens = new Map<string, Claims>()
  #keys: Keys | undefined
  readonly #server = createServer((request, response) => {
    this.requests++
    void this.#answer(request).then(
      (body) => {
        response.writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body ?? { error: 'invalid_grant' }))
      },
      () => response.writeHead(500).end(),
    )
  })

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async start(): Promise<void> {
    this.#keys = await newKeys()
    this.#server.on('connection', () => this.connections++)
    await listenAtNewPort(this.#server)
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  /** Signs claims with the key that its metadata lead to, as the provider's own messages are. */
  async sign(claims: Claims, header: Readonly<Record<string, string>> = {}): Promise<string> {
    if (this.#keys === undefined) throw new Error('the provider was not started')
    const said = JSON.parse(JSON.stringify({ iss: this.issuer, ...claims })) as Record<string, unknown>
    return new SignJWT(said).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(this.#keys.privateKey)
  }

  /** Returns what the provider would send the browser back with, once the person with these claims has consented. */
  agree(authorizeUri: string, claims: Claims): URL {
    const asked = new URL(authorizeUri).searchParams
    assert.equal(asked.get('response_type'), 'code')
    assert.equal(asked.get('code_challenge_method'), 'S256')
    const code = randomBytes(16).toString('base64url')
    this.#codes.set(code, {
      claims,
      challenge: asked.get('code_challenge') ?? '',
      clientId: asked.get('client_id') ?? '',
      nonce: asked.get('nonce'),
    })
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    if (this.isIssSent && asked.has('nonce')) back.searchParams.set('iss', this.issuer)
    return back
  }

  #metadata() {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: this.isIssSent,
    }
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const { pathname } = new URL(request.url ?? '/', this.issuer)
    if (pathname.endsWith('/.well-known/openid-configuration')) {
      this.descriptions++
      return this.describe(this.#metadata())
    }
    if (pathname === '/jwks') return { keys: [this.#keys?.jwk] }
    if (/\/(?:token|access_token)$/.test(pathname)) return this.#tokens(await sentBy(request))
    const claims = this.#accessTokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    if (claims === undefined) return undefined
    return pathname === '/userinfo' ? claims : this.interfaces[pathname]?.(claims)
  }

  async #tokens(sent: URLSearchParams): Promise<unknown> {
    this.tokenRequests.push(sent)
    await this.beforeTokens()
    const code = sent.get('code') ?? ''
    const granted = this.#codes.get(code)
    this.#codes.delete(code)
    const proof = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url')
    const hasSecret = (sent.get('client_secret') ?? '') !== ''
    if (granted === undefined || granted.challenge !== proof || hasSecret !== this.isSecretAsked) return undefined
    const accessToken = randomBytes(16).toString('base64url')
    this.#accessTokens.set(accessToken, granted.claims)
    const tokens = { access_token: accessToken, token_type: 'bearer', expires_in: 60 }
    return granted.nonce === null ? tokens : { ...tokens, id_token: await this.#idToken(granted) }
  }

  async #idToken({ claims, clientId, nonce }: Granted): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const times = { iss: this.issuer, aud: clientId, iat: now, exp: now + 60, nonce }
    const said = JSON.parse(JSON.stringify(this.tamper({ ...times, ...claims }))) as Record<string, unknown>
    if (this.#keys === undefined) throw new Error('the provider was not started')
    const token = await new SignJWT(said).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(this.#keys.privateKey)
    return this.tamperToken(token)
  }
}
