// With a certified identity provider, from the first page to the session.
import assert from 'node:assert/strict'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import Provider from 'oidc-provider'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createSocialProvider, testPages, unique } from '../../../test/harness/factories.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { begin, errorOf, locationOf, whoIs } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'

const callback = 'http://127.0.0.1:4000/frontend/api/v0/oauth/callback/gitlab'
const client = { client_id: 'bailiwick', client_secret: 'kept by the provider too' }

/** Signs everybody in as the requested account, without a page. */
function startProvider(server: Server, issuer: string) {
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_post' }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: 'Grace Hopper' }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: client.client_id,
        accountId: context.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { Grant: 60, Session: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response)
    void provider
      .interactionDetails(request, response)
      .then(({ params }) =>
        provider.interactionFinished(request, response, { login: { accountId: String(params['login_hint']) } }),
      )
  })
}

/** Follows the provider's pages like a browser until it is sent back. */
async function follow(from: string): Promise<URL> {
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

describeService('a certified identity provider', (service) => {
  const server = createServer()
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    startProvider(server, issuer())
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  it('signs a user up, and in again', async () => {
    const tenant = await tenantWith(service(), { redirectUris: testPages })
    await createSocialProvider(service(), tenant.id, {
      providerKey: 'gitlab',
      useCustomCredentials: true,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      config: { issuer: issuer(), trustEmails: true },
    })
    const account = unique()
    const ids: string[] = []
    for (let times = 0; times < 2; times++) {
      const browser = new Browser(service(), tenant.publicKey)
      const { authorizeUri } = await begin(browser, 'gitlab')
      const back = await follow(`${authorizeUri}&login_hint=${account}`)
      assert.equal(errorOf(locationOf(await browser.visit(back))), null)
      const user = await whoIs(browser)
      assert.equal(user.name, 'Grace Hopper')
      ids.push(user.id)
    }
    assert.equal(ids[0], ids[1])
  })
})
