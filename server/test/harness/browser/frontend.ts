// End users' browsers and apps in tests: they call the frontend interface with tokens in cookies or in the body.
import assert from 'node:assert/strict'
import {
  type FrontendEndpoint,
  type FrontendEndpointId,
  type Profile,
  type SessionUser,
  frontendEndpoints,
} from '@bailiwick/contract'
import { assertDeclared } from '../declared-answers.ts'
import type { Answer, TestService } from '../service.ts'

export interface FrontendOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A browser of one tenant's page, or an app: it sends its origin, and keeps cookies or the token of its session. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly service: TestService
  readonly publicKey: string
  readonly headers: Record<string, string>

  constructor(service: TestService, publicKey: string, headers: Record<string, string> = {}) {
    this.service = service
    this.publicKey = publicKey
    this.headers = { origin: 'http://localhost:3000', 'user-agent': 'Mozilla/5.0 Firefox/144.0', ...headers }
  }

  async call<Data = Record<string, unknown>>(
    id: FrontendEndpointId,
    { params = {}, query = {}, body, headers = {} }: FrontendOptions = {},
  ): Promise<Answer<{ status: string; code?: string; data: Data }>> {
    const endpoint: FrontendEndpoint = frontendEndpoints[id]
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
      encodeURIComponent(params[name] ?? name),
    )
    const search = new URLSearchParams(query).toString()
    const cookie = this.#cookie()
    const answer = await this.service.request({
      method: endpoint.method,
      url: `/frontend/api/v0${path}${search === '' ? '' : `?${search}`}`,
      headers: {
        host: 'id.test',
        'x-public-key': this.publicKey,
        ...this.headers,
        ...(cookie === '' ? {} : { cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    assertDeclared(endpoint, { ...answer, body: withoutError(answer.body) })
    this.#keep(answer.headers['set-cookie'])
    this.#keepToken(answer.body)
    return answer as Answer<{ status: string; code?: string; data: Data }>
  }

  /** Does the same as `call`; the answer must be 200. Returns its data. */
  async ok<Data = Record<string, unknown>>(id: FrontendEndpointId, options: FrontendOptions = {}): Promise<Data> {
    const answer = await this.call<Data>(id, options)
    if (answer.status !== 200) throw new Error(`${id} answered ${answer.status}: ${answer.text}`)
    return answer.body.data
  }

  /** Does the same as `call`; the answer must be an error with that code. */
  async refused(id: FrontendEndpointId, code: string, options: FrontendOptions = {}): Promise<Answer> {
    const answer = await this.call(id, options)
    if (answer.body?.code !== code) throw new Error(`${id} answered ${answer.status} ${answer.text} instead of ${code}`)
    return answer
  }

  /** Follows a link or a redirect to the service, like a browser that comes from another site. */
  async visit(address: string | URL): Promise<Answer> {
    const { pathname, search } = new URL(address)
    const answer = await this.service.request({
      method: 'GET',
      url: pathname + search,
      headers: {
        host: this.headers['host'] ?? 'id.test',
        'user-agent': this.headers['user-agent'] ?? '',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        cookie: this.#cookie(),
      },
    })
    this.#keep(answer.headers['set-cookie'])
    return answer
  }

  /** For a caller that sends a Bearer: a session that continues under another token. */
  #keepToken(body: unknown) {
    const { sessionToken } = (body as { data?: { sessionToken?: unknown } } | undefined)?.data ?? {}
    if (typeof sessionToken === 'string' && this.headers['authorization'] !== undefined) {
      this.headers['authorization'] = `Bearer ${sessionToken}`
    }
  }

  #cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(header: unknown) {
    for (const cookie of [header ?? []].flat() as string[]) {
      const [, name, value, attributes] = /^([^=]+)=([^;]*);(.*)$/.exec(cookie) ?? []
      if (name === undefined || value === undefined) throw new Error(`not a cookie: ${cookie}`)
      // A browser accepts __Host- only from https, for exactly this host and every path: no subdomain sets or reads one (RFC 6265bis
      // §4.1.3).
      const isSafe = name.startsWith('__Host-') && /Path=\/; Secure; HttpOnly/.test(attributes ?? '')
      if (!isSafe || /domain=/i.test(attributes ?? '')) throw new Error(`not a safe cookie: ${cookie}`)
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

/** An error also has its message under `error`, where clients of the frontend interface look for it. */
function withoutError(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('code' in body)) return body
  const { error, ...rest } = body as { error?: unknown; message?: unknown }
  assert.equal(error, rest.message)
  return rest
}

/** Returns the profile in a session's user, without the claims of the JWT beside it. */
export function profileIn(sessionUser: SessionUser | undefined): Profile {
  const { sub, iss, aud, exp, auth_time: at, acr, amr: _, ...profile } = sessionUser ?? assert.fail()
  assert.ok(sub === profile.id && iss !== '' && aud !== '' && exp > 0 && at !== undefined && acr !== undefined)
  return profile
}
