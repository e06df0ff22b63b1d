/** A cookie as Playwright's `context.addCookies` takes it. */
export interface BrowserCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: '/'
  readonly expires: number
  readonly httpOnly: true
  readonly secure: true
  readonly sameSite: 'Lax'
}

interface SignedIn {
  readonly userId: string
  readonly token: string
  /** The tenant, if its cookies are on the deployment's own address. */
  readonly tenantId: string
  /** Where the browser talks to the service. */
  readonly origin: string
  readonly jwt: () => Promise<string>
}

/** A user who is signed in, for browsers, requests and servers. */
export class TestSession {
  readonly userId: string
  /** The token of the session (`se_…`), for `Authorization: Bearer` at the frontend interface. */
  readonly token: string
  /**
   * Returns a new JWT of the session for the app's own servers.
   * @throws BailiwickError unauthenticated once the session has ended.
   */
  readonly jwt: () => Promise<string>
  readonly #name: string
  readonly #host: string

  constructor({ userId, token, tenantId, origin, jwt }: SignedIn) {
    this.userId = userId
    this.token = token
    this.jwt = jwt
    this.#name = `__Host-sid-${tenantId}`
    this.#host = new URL(origin).hostname
  }

  /** The headers of a request to a server of the app that receives the cookies of the service's address. */
  get headers(): { readonly cookie: string } {
    return { cookie: `${this.#name}=${this.token}` }
  }

  /**
   * Returns the session's cookie, for `context.addCookies`.
   * @param host of the pages; by default that of the service, which an app on another port of `localhost` shares.
   */
  cookies(host: string = this.#host): BrowserCookie[] {
    const rest = { path: '/', expires: -1, httpOnly: true, secure: true, sameSite: 'Lax' } as const
    return [{ name: this.#name, value: this.token, domain: host, ...rest }]
  }

  /** Returns the state of a browser in which the user is signed in, for `browser.newContext({ storageState })`. */
  storageState(host?: string): { readonly cookies: BrowserCookie[]; readonly origins: [] } {
    return { cookies: this.cookies(host), origins: [] }
  }
}
