// A certified identity provider on a port of its own, which signs everybody in as the requested account, without a page.
import assert from 'node:assert/strict'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

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

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  /** @param callback the one address to which it sends browsers back. */
  serve(callback: string) {
    const provider = new Provider(this.issuer, {
      clients: [{ ...certifiedClient, redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_post' }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, email_verified: true, ...this.accountOf(id) }),
      }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      async loadExistingGrant(context) {
        const grant = new context.oidc.provider.Grant({
          clientId: certifiedClient.client_id,
          accountId: context.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile groups')
        await grant.save()
        return grant
      },
      ttl: { Grant: 60, Session: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
    })
    const answer = provider.callback()
    this.#server.removeAllListeners('request')
    this.#server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response)
      void provider
        .interactionDetails(request, response)
        .then(({ params }) =>
          provider.interactionFinished(request, response, { login: { accountId: String(params['login_hint']) } }),
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
