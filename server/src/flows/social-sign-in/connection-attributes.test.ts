// What a tenant asks of new users, where the connection of an organization brings them: before they have an account, and on every way there.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignInAnswer, SignInState } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { createEnterpriseWorld, leave, signInAtWork, staff } from '../../../test/harness/people/enterprise.ts'
import { errorOf, locationOf, page } from '../../../test/harness/people/social-sign-in.ts'
import { base64, responseXml, signed } from '../../../test/harness/saml/crafted-response.ts'
import { createSamlWorld, post, providerKey, said } from '../../../test/harness/saml/saml-world.ts'
import { describeService } from '../../../test/harness/service.ts'

const company = {
  key: 'company',
  type: 'text',
  label: { en: 'Company' },
  required: true,
  writableBy: 'user',
  shownAt: 'both',
} as const
const seats = { key: 'seats', type: 'number', label: { en: 'Seats' }, writableBy: 'user', shownAt: 'sign_up' } as const
const attributes = { company: 'Acme' }

describeService('a new user of a connection whose tenant requires attributes', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  const ask = (tenantId: string) =>
    service().ok('putAttributes', { params: { id: tenantId }, body: { attributes: [company, seats] } })
  async function createWorld() {
    const world = await createEnterpriseWorld(service(), idp, { auth: { signUpEnabled: false } })
    await ask(world.tenant.id)
    return world
  }
  const readUsers = async (tenantId: string) =>
    (await service().ok<{ data: { id: string; publicMeta: object }[] }>('listUsers', { query: { tenantId } })).data
  /** Comes back from the provider; returns the parameters of the step that follows. */
  async function comeBack({ browser, domain }: Pick<Awaited<ReturnType<typeof createWorld>>, 'browser' | 'domain'>) {
    const ada = staff(domain)
    const { authorizeUri, signInAttempt } = await leave(browser, String(ada['email']))
    const at = locationOf(await browser.visit(idp.agree(authorizeUri, ada)))
    assert.deepEqual([errorOf(at), at.searchParams.get('flow')], [null, signInAttempt.id])
    return { ada, params: { id: signInAttempt.id } }
  }
  const strategy = 'enterprise'

  // Guards: required-attributes
  it('has neither account nor session before it has given them, and is asked once', async () => {
    const { tenant, domain, browser } = await createWorld()
    const { ada, params } = await comeBack({ browser, domain })
    await browser.refused('getProfile', 'unauthenticated')
    assert.deepEqual(await readUsers(tenant.id), [])
    const { signInAttempt, missingFields } = await browser.ok<SignInState>('getSignIn', { params })
    assert.deepEqual([signInAttempt.status, missingFields], ['needs_factor_one', ['attributes/company']])
    for (const values of [{}, { company: '' }, { company: 7 }, { plan: 'pro' }, { ...attributes, seats: 'many' }]) {
      const body = { strategy, attributes: values }
      const { body: problem } = await browser.refused('attemptFirstFactor', 'validation_failed', { params, body })
      const [issue] = (problem as { issues: { path: string }[] }).issues
      const field = 'plan' in values ? 'plan' : 'seats' in values ? 'seats' : 'company'
      assert.equal(issue?.path, `/attributes/${field}`)
    }
    assert.deepEqual(await readUsers(tenant.id), [])
    const stranger = new Browser(service(), tenant.publicKey)
    assert.equal((await stranger.call('attemptFirstFactor', { params, body: { strategy, attributes } })).status, 404)
    const body = { strategy, attributes: { ...attributes, seats: 3 } }
    await browser.ok<SignInAnswer>('attemptFirstFactor', { params, body })
    const [user, ...others] = await readUsers(tenant.id)
    assert.deepEqual([user?.publicMeta, others.length], [{ company: 'Acme', seats: 3 }, 0])
    const again = new Browser(service(), tenant.publicKey)
    assert.equal(errorOf(await signInAtWork(again, idp, ada)), null)
    await again.ok('getProfile')
    assert.equal((await readUsers(tenant.id)).length, 1)
  })

  it('becomes one user for ten forms at once', async () => {
    const { tenant, domain, browser } = await createWorld()
    const { params } = await comeBack({ browser, domain })
    const answers = await atOnce(10, () =>
      browser.call('attemptFirstFactor', { params, body: { strategy, attributes } }),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await readUsers(tenant.id)).length, 1)
  })

  it('gives them to an app with the ticket, which is not used up before', async () => {
    const { tenant, domain } = await createWorld()
    const app = new Browser(service(), tenant.publicKey, { 'x-session-transport': 'body' })
    const ada = staff(domain)
    const begun = await leave(app, String(ada['email']))
    const at = locationOf(await new Browser(service(), tenant.publicKey).visit(idp.agree(begun.authorizeUri, ada)))
    const code = new URLSearchParams(at.hash.slice(1)).get('ticket') ?? ''
    const step = {
      params: { id: begun.signInAttempt.id },
      headers: { 'x-flow-token': (begun as { flowToken?: string }).flowToken ?? '' },
    }
    await app.refused('attemptFirstFactor', 'validation_failed', { ...step, body: { strategy, code } })
    // Only the ticket says that it is the browser of this app that has come back.
    await app.refused('attemptFirstFactor', 'validation_failed', { ...step, body: { strategy, attributes } })
    assert.deepEqual(await readUsers(tenant.id), [])
    await app.ok('attemptFirstFactor', { ...step, body: { strategy, code, attributes } })
    assert.deepEqual(
      (await readUsers(tenant.id)).map(({ publicMeta }) => publicMeta),
      [attributes],
    )
  })

  it('is asked on a hosted page, and goes on to where the sign-in was to end', async () => {
    const { tenant, domain } = await createWorld()
    const ada = staff(domain)
    const browser = new PageBrowser(service(), 'localhost:4000')
    const query = new URLSearchParams({ redirect_to: page }).toString()
    const start = await browser.open(`/t/${tenant.slug}/sign-in?${query}`)
    const chosen = await browser.send(start, { identifier: String(ada['email']) })
    const leaving = await browser.send(chosen, {}, { button: 'Continue with Acme staff' })
    const [, address = ''] = /^0;\s*url=(.*)$/.exec(String(leaving.headers['refresh'])) ?? []
    const back = idp.agree(address, ada)
    const asked = await browser.open(back.pathname + back.search)
    assert.deepEqual([asked.title, asked.status], ['Almost there', 200])
    const refused = await browser.send(asked, { 'attributes/company': ' ' })
    assert.deepEqual(Object.keys(refused.errors), ['attributes/company'])
    const end = await browser.send(refused, { 'attributes/company': 'Acme' })
    assert.equal(end.headers['refresh'], `0;url=${page}`)
    assert.equal((await readUsers(tenant.id)).length, 1)
  })

  it('is asked when the sign-in began at the provider, too', async () => {
    const world = await createSamlWorld(service(), { idpInitiated: true })
    await ask(world.tenant.id)
    const crafted = { ...said(service(), world, '', `${unique()}@${world.domain}`), inResponseTo: null }
    const answer = await post(service(), world.own.acsUrl, {
      SAMLResponse: base64(signed(responseXml(crafted), 'Assertion', providerKey)),
    })
    const { pathname, search } = new URL(String(answer.headers['location']))
    const browser = new PageBrowser(service())
    const asked = await browser.send(await browser.open(pathname + search), {})
    assert.equal(asked.title, 'Almost there')
    assert.deepEqual(await readUsers(world.tenant.id), [])
    // The answer of the provider is spent, whoever has the address.
    assert.equal((await new PageBrowser(service()).open(pathname + search)).title, 'Sign in')
    const end = await browser.send(asked, { 'attributes/company': 'Acme' })
    assert.equal(new URL(end.url).pathname, `/t/${world.tenant.slug}/account`)
  })

  it('is asked no more if it has an account by then', async () => {
    const { tenant, domain, browser } = await createWorld()
    const ada = staff(domain)
    const user = await createUser(service(), tenant.id, { email: ada['email'] })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    assert.equal(errorOf(await signInAtWork(browser, idp, ada)), null)
    await browser.ok('getProfile')
  })
})
