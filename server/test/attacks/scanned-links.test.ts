// Mail scanners open links, some of them in a complete browser: that uses nothing up and signs nobody in. See docs/security-tests.md 2.1.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type FrontendEndpoint, type SignInAnswer, frontendEndpoints } from '@bailiwick/contract'
import { Browser } from '../harness/browser/frontend.ts'
import { createOrganization } from '../harness/factories.ts'
import { invitationTokenTo, latestMessageTo } from '../harness/messages.ts'
import { browserOf, signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { describeNodesInTurn } from '../harness/service.ts'

const times = 20

describeNodesInTurn('a link in a mail that a scanner opens', (service) => {
  /** Every GET address of the interface, with the secrets of the link in every place where they could be read. */
  async function scan(publicKey: string, flow: string, token: string) {
    const all: FrontendEndpoint[] = Object.values(frontendEndpoints)
    const paths = all.filter(({ method }) => method === 'GET').map(({ path }) => path)
    const posts = all.filter(({ method }) => method === 'POST').map(({ path }) => path)
    const held = `publicKey=${publicKey}&flow=${flow}&token=${token}&code=${token}&ticket=${token}`
    for (const path of [...paths, ...posts]) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => (name === 'token' ? token : flow))
      for (const method of ['GET', 'HEAD'] as const) {
        for (const url of [`/frontend/api/v0${filled}?${held}`, `/frontend/api/v0${filled}?publicKey=${publicKey}`]) {
          const answer = await service().request({ method, url, headers: { host: 'id.test' } })
          assert.equal(answer.headers['set-cookie'], undefined, `${method} ${url} set a cookie`)
          assert.ok(!answer.text.includes('sessionToken'), `${method} ${url} gave a session`)
        }
      }
    }
  }

  // Guards: link-scanners
  it('to sign in stays valid for the browser that asked for it, and for no other', async () => {
    const tenant = await tenantWith(service(), { strategyEmailLinkEnabled: true })
    const { email } = await signedInUser(service(), tenant)
    const browser = new Browser(service(), tenant.publicKey)
    const body = { identifier: email, strategy: 'email_link', redirectUri: 'http://localhost:3000/in' }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    const link = new URL((await latestMessageTo(service().deps, email)).link ?? '')
    assert.equal(link.origin + link.pathname, 'http://localhost:3000/in', 'it leads to a page, not to the service')
    const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? ''
    assert.ok(token !== '' && !link.search.includes(token), 'what follows a link does not even send the token')
    await scan(tenant.publicKey, signInAttempt.id, token)
    const step = { params: { id: signInAttempt.id }, body: { strategy: 'email_link', code: token } }
    for (let n = 0; n < times; n++) {
      await new Browser(service(), tenant.publicKey).refused('attemptFirstFactor', 'not_found', step)
    }
    const { session } = await browser.ok<SignInAnswer>('attemptFirstFactor', step)
    assert.notEqual(session, undefined)
  })

  // Guards: link-scanners
  it('of an invitation stays open', async () => {
    const tenant = await tenantWith(service())
    const { email, user } = await signedInUser(service(), tenant)
    const { id } = await createOrganization(service(), tenant.id)
    await service().ok('createOrganizationInvitation', { body: { organizationId: id, email } })
    const token = await invitationTokenTo(service().deps, email)
    for (let n = 0; n < 2; n++) await scan(tenant.publicKey, id, token)
    const { browser } = await browserOf(service(), tenant, user.id)
    await browser.ok('acceptInvitation', { params: { token } })
  })
})
