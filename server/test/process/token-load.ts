// Applications that redeem codes and rotate refresh tokens as fast as they are answered, and remember what was acknowledged.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { type ServiceProcess, request } from './service-process.ts'

const callback = 'https://app.example/callback'
const password = 'correct horse battery staple'

export interface Acknowledged {
  readonly access_token: string
  readonly refresh_token: string
}

/** How long a code is good. */
const codeMs = 60_000

/** One authorization of a user, in a browser of its own. */
export interface Chain {
  readonly code: string
  readonly verifier: string
  /** The tokens of the newest answer. */
  tokens: Acknowledged | undefined
  /** When the request was sent that had no answer yet. */
  sentAt: number | undefined
  /** The earliest time at which the code may have expired. */
  readonly expiresAt: number
}

/** Sends what a browser sends, with its cookies. Returns where it is sent next. */
class Browser {
  readonly #cookies = new Map<string, string>()

  async visit(service: ServiceProcess, address: string): Promise<URL> {
    const { pathname, search } = new URL(address, service.url)
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(service.url + pathname + search, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.#cookies.set(name, value)
    }
    assert.equal(answer.status, 303, await answer.text())
    return new URL(answer.headers.get('location') ?? '')
  }
}

/** A tenant with an application, and a user who is signed in. */
export class TokenLoad {
  readonly tenantId: string
  readonly #clientId: string
  readonly #authorization: string
  readonly #user: Readonly<Record<string, string>>

  constructor(tenantId: string, clientId: string, secret: string, user: Readonly<Record<string, string>>) {
    this.tenantId = tenantId
    this.#clientId = clientId
    this.#authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
    this.#user = user
  }

  static async at(service: ServiceProcess): Promise<TokenLoad> {
    const { body: tenant } = await request(`${service.api}/tenants`, { json: { name: 'Acme', environment: 'staging' } })
    const tenantId = String(tenant['id'])
    const email = 'ada@acme.example'
    const { body: user } = await request(`${service.api}/auth/users`, { json: { tenantId, email, password } })
    await request(`${service.api}/auth/email-addresses/verify`, { json: { id: user['primaryEmailId'] } })
    const { body: application } = await request(`${service.api}/auth/applications`, {
      json: { tenantId, name: 'Reports', type: 'web', redirectUris: [callback], requireConsent: false },
    })
    const headers = { 'x-public-key': String(tenant['publicKey']), 'x-session-transport': 'body' }
    const { body: signedIn } = await request(`${service.url}/frontend/api/v0/sign-ins`, {
      headers,
      json: { identifier: email, strategy: 'email_password', password },
    })
    const { sessionToken } = signedIn['data'] as { sessionToken: string }
    const asUser = { ...headers, authorization: `Bearer ${sessionToken}` }
    return new TokenLoad(tenantId, String(application['clientId']), String(application['clientSecret']), asUser)
  }

  /** Goes through an authorization as far as the code. */
  async authorize(service: ServiceProcess): Promise<Chain> {
    const browser = new Browser()
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id: this.#clientId,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const asked = await browser.visit(service, `/t/${this.tenantId}/oauth/authorize?${query.toString()}`)
    const uid = asked.searchParams.get('interaction') ?? ''
    const { body } = await request(`${service.url}/frontend/api/v0/oauth/interactions/${uid}/login`, {
      method: 'POST',
      headers: this.#user,
    })
    const { redirectUri } = body['data'] as { redirectUri: string }
    const expiresAt = Date.now() + codeMs
    const back = await browser.visit(service, redirectUri)
    return { code: back.searchParams.get('code') ?? '', verifier, tokens: undefined, sentAt: undefined, expiresAt }
  }

  #ask(service: ServiceProcess, form: Readonly<Record<string, string>>) {
    return request(`${service.url}/t/${this.tenantId}/oauth/token`, {
      method: 'POST',
      headers: { authorization: this.#authorization },
      body: new URLSearchParams(form),
    })
  }

  redeem(service: ServiceProcess, { code, verifier }: Chain) {
    return this.#ask(service, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    })
  }

  refresh(service: ServiceProcess, { refresh_token: token }: Acknowledged) {
    return this.#ask(service, { grant_type: 'refresh_token', refresh_token: token })
  }

  async userInfoStatus(service: ServiceProcess, { access_token: token }: Acknowledged): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    return (await request(`${service.url}/t/${this.tenantId}/oauth/userinfo`, { headers })).status
  }

  /** Redeems the code, then rotates the refresh token again and again, until the service is gone. */
  async run(service: ServiceProcess, chain: Chain) {
    for (;;) {
      chain.sentAt = Date.now()
      const { tokens } = chain
      const asking = tokens === undefined ? this.redeem(service, chain) : this.refresh(service, tokens)
      const answer = await asking.catch(() => undefined)
      if (answer === undefined) return
      // A machine that has stood still answers with 503, and codes may have expired.
      if (answer.status === 503) continue
      if (tokens === undefined && answer.status === 400 && Date.now() >= chain.expiresAt) return
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      chain.tokens = answer.body as unknown as Acknowledged
      chain.sentAt = undefined
    }
  }
}
