// A certified identity provider on a port of its own, which signs everybody in as the requested account, without a page.
import assert from 'node:assert/strict'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { listenAtNewPort } from '../new-port.ts'

export const certifiedClient = { client_id: 'bailiwick', client_secret: 'kept by the provider too' }

interface Account {
  readonly email: string
  readonly name: string
  readonly groups?: readonly string[]
}

export class CertifiedProvider {
  readonly #server: Server = createServer()
  /** What the provider knows of an account. */
  accountOf: (id: string) => Account = (id) => ({ email: `${id}@example.com`, name: 'Grace Hopper' })
  /** The kinds of grants for which it has issued tokens, the last one last; a refused one ends with an exclamation mark. */
  readonly grants: string[] = []
  /** How many requests of any kind it has received. */
  requests = 0
  /** Ends what its users have allowed. */
  endGrants: () => Promise<void> = async () => undefined
  /** Called before a request for tokens is answered. */
  beforeTokens: () => Promise<unknown> = async () => undefined

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async start(): Promise<void> {
    await listenAtNewPort(this.#server)
  }

  /**
   * @param callback the one address to which it sends browsers back.
   * @param offered the scopes that it has for programs which act for its users; with them it issues refresh tokens, each of which is valid once.
   */
  serve(callback: string, offered: readonly string[] = []) {
    const client = { ...certifiedClient, redirect_uris: [callback] }
    const grantTypes = ['authorization_code', ...(offered.length > 0 ? ['refresh_token'] : [])]
    const grantIds: string[] = []
    const provider = new Provider(this.issuer, {
      clients: [{ ...client, token_endpoint_auth_method: 'client_secret_post', grant_types: grantTypes }],
      scopes: ['openid', ...(offered.length > 0 ? ['offline_access'] : []), ...offered],
      rotateRefreshToken: true,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, email_verified: true, ...this.accountOf(id) }),
      }),
      features: { devInteractions: { enabled: false }, revocation: { enabled: offered.length > 0 } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      async loadExistingGrant(context) {
        const grant = new context.oidc.provider.Grant({
          clientId: certifiedClient.client_id,
          accountId: context.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope(['openid email profile groups offline_access', ...offered].join(' '))
        grantIds.push(await grant.save())
        return grant
      },
      ttl: { Grant: 600, Session: 60, Interaction: 60, AccessToken: 300, IdToken: 60, RefreshToken: 600 },
    })
    const readGrantType = ({ oidc }: { oidc: { params?: Record<string, unknown> | undefined } }) =>
      String(oidc.params?.['grant_type'])
    provider.on('grant.success', (context) => this.grants.push(readGrantType(context)))
    provider.on('grant.error', (context) => this.grants.push(`${readGrantType(context)}!`))
    this.endGrants = async () => {
      const models = [provider.RefreshToken, provider.AccessToken]
      for (const grantId of grantIds) for (const model of models) await model.revokeByGrantId(grantId)
    }
    const answer = provider.callback()
    this.#server.removeAllListeners('request')
    this.#server.on('request', (request, response) => {
      this.requests++
      if (request.url === '/token') return void this.beforeTokens().then(() => answer(request, response))
      if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response)
      void provider
        .interactionDetails(request, response)
        .then(({ params, prompt }) =>
          provider.interactionFinished(
            request,
            response,
            prompt.name === 'consent' ? { consent: {} } : { login: { accountId: String(params['login_hint']) } },
          ),
        )
    })
  }

  stop() {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** Follows the provider's pages like a browser until it is sent back. */
export async function followPages(from: string, callback: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = from
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    assert.ok(location !== null, await answer.text())
    at = new URL(location, at).href
    if (at.startsWith(callback)) return new URL(at)
  }
  throw new Error('the provider did not send the browser back')
}
