// In development an app calls the service by the name of its choice, localhost or 127.0.0.1, and the issuer that it was told is the one that
// everything names.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  fetchFrom,
  issuerOf,
  signedOutUri,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService, productionEnv } from '../../../test/harness/service.ts'

const hosts = ['localhost', '127.0.0.1'] as const

/** A client that knows the service by this name. It refuses an issuer that is not the one that it has asked. */
const relyingPartyAt = async (
  issuer: string,
  { clientId, secret }: { readonly clientId: string; readonly secret: string },
  fetching: client.CustomFetch,
) => {
  const options = { [client.customFetch]: fetching, execute: [client.allowInsecureRequests] }
  return client.discovery(new URL(issuer), clientId, {}, client.ClientSecretBasic(secret), options)
}

describeService('the issuer of a development deployment on this machine', (service) => {
  const world = async () => {
    const tenant = await tenantWith(service())
    const { browser: user } = await signedInUser(service(), tenant)
    const application = await createApplication(service(), tenant.id)
    const machine = await createApplication(service(), tenant.id, {
      type: 'machine',
      machineScopes: [{ resourceId: 'management', scopes: ['users:read'] }],
    })
    const issuerAt = (name: string) => {
      const issuer = new URL(issuerOf(service(), tenant.id))
      issuer.hostname = name
      return issuer.href
    }
    return { tenant, user, application, machine, issuerAt }
  }

  for (const name of hosts) {
    it(`is at ${name} for a client that calls it there, from discovery to the end of the session`, async () => {
      const { user, application, issuerAt } = await world()
      const issuer = issuerAt(name)
      const rp = await relyingPartyAt(issuer, application, fetchFrom(service()))
      const metadata = rp.serverMetadata()
      assert.equal(metadata.issuer, issuer)
      for (const [key, address] of Object.entries(metadata)) {
        if (typeof address === 'string' && (key.endsWith('_endpoint') || key === 'jwks_uri'))
          assert.ok(address.startsWith(`${issuer}/`), key)
      }
      const visiting = new VisitingBrowser(service())
      const authorization = await beginAuthorization(rp)
      const back = await authorize(visiting, user, authorization)
      assert.equal(back.searchParams.get('iss'), issuer)
      const tokens = await client.authorizationCodeGrant(rp, back, authorization.checks)
      assert.equal(tokens.claims()?.iss, issuer)
      const { sub = '' } = tokens.claims() ?? {}
      assert.equal((await client.fetchUserInfo(rp, tokens.access_token, sub)).sub, sub)
      const refreshed = await client.refreshTokenGrant(rp, tokens.refresh_token ?? '')
      assert.equal(refreshed.claims()?.iss, issuer)
      const end = client.buildEndSessionUrl(rp, {
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: signedOutUri,
      })
      assert.ok(end.href.startsWith(`${issuer}/`))
      assert.equal((await visiting.visit(end, { accept: 'text/html' })).statusCode, 200)
    })
  }

  it('is the same by either name: a hint or a token of one is accepted at the other', async () => {
    const { tenant, user, application, machine, issuerAt } = await world()
    const [one, other] = [issuerAt('localhost'), issuerAt('127.0.0.1')]
    const rp = await relyingPartyAt(one, application, fetchFrom(service()))
    const authorization = await beginAuthorization(rp)
    const visiting = new VisitingBrowser(service())
    const tokens = await client.authorizationCodeGrant(
      rp,
      await authorize(visiting, user, authorization),
      authorization.checks,
    )
    const elsewhere = await relyingPartyAt(other, application, fetchFrom(service()))
    const asked = await beginAuthorization(elsewhere, { id_token_hint: tokens.id_token ?? '' })
    const back = await authorize(new VisitingBrowser(service()), user, asked)
    assert.equal((await client.authorizationCodeGrant(elsewhere, back, asked.checks)).claims()?.iss, other)
    for (const issuer of [one, other]) {
      const { access_token: token } = await client.clientCredentialsGrant(
        await relyingPartyAt(issuer, machine, fetchFrom(service())),
      )
      assert.equal(decodeJwt(token).iss, issuer)
      const listed = await service().request({
        method: 'GET',
        url: `/api/v0/auth/users?tenantId=${tenant.id}`,
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(listed.status, 200)
    }
  })

  it('is its own address for any other name', async () => {
    const { issuerAt } = await world()
    const own = new URL(issuerAt('127.0.0.1'))
    for (const host of ['evil.example', `localhost.evil.example:${own.port}`, 'localhost:1', `127.0.0.2:${own.port}`]) {
      const url = `${own.pathname}/.well-known/openid-configuration`
      const { body } = await service().request({ method: 'GET', url, headers: { host } })
      assert.equal((body as { issuer: string }).issuer, own.href, host)
    }
  })
})

describeService(
  'the issuer of a production deployment',
  (service) => {
    it('has one name', async () => {
      const tenant = await tenantWith(service())
      const { host } = new URL(service().deps.config.baseUrl)
      const url = `/t/${tenant.id}/.well-known/openid-configuration`
      const status = async (name: string) =>
        (await service().request({ method: 'GET', url, headers: { host: name } })).status
      assert.deepEqual([await status(host), await status('localhost'), await status('127.0.0.1')], [200, 421, 421])
    })
  },
  { ...productionEnv, BAILIWICK_BASE_URL: 'https://id.test/api/v0' },
)
