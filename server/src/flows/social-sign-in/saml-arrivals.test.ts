// Sign-ins that begin at the SAML provider of an organization: friendly, and hostile.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { password } from '../../../test/harness/people/people.ts'
import {
  type Crafted,
  base64,
  newProviderKey,
  responseXml,
  signed,
} from '../../../test/harness/saml/crafted-response.ts'
import {
  type SamlPlace,
  connectedBySaml,
  createSamlWorld,
  post,
  providerKey,
  said,
  signInBySaml,
} from '../../../test/harness/saml/saml-world.ts'
import { type Answer, describeService } from '../../../test/harness/service.ts'

const otherKey = newProviderKey()

describeService('a sign-in that begins at the SAML provider', (service) => {
  const createWorld = (saml = {}) => createSamlWorld(service(), { idpInitiated: true, ...saml })
  type World = Awaited<ReturnType<typeof createWorld>>
  const unsolicited = (world: SamlPlace, email: string, changes: Partial<Crafted> = {}) => ({
    ...said(service(), world, '', email),
    inResponseTo: null,
    ...changes,
  })
  const arrive = (world: World, crafted: Crafted, relayState?: string, key = providerKey) =>
    post(service(), world.own.acsUrl, {
      SAMLResponse: base64(signed(responseXml(crafted), 'Assertion', key)),
      ...(relayState === undefined ? {} : { RelayState: relayState }),
    })
  const readPath = ({ status, headers }: Answer) => {
    assert.equal(status, 303)
    const { pathname, search } = new URL(String(headers['location']))
    return pathname + search
  }

  it('asks the browser first, names both accounts, and ignores where the RelayState would lead', async () => {
    const world = await createWorld()
    const email = `${unique()}@${world.domain}`
    const browser = new PageBrowser(service())
    const path = readPath(await arrive(world, unsolicited(world, email), 'https://evil.example/'))
    assert.ok(path.startsWith(`/t/${world.tenant.slug}/sign-in/arrival?state=`))
    const asked = await browser.open(path)
    assert.ok(asked.text.includes(email) && asked.text.includes('Acme SAML'))
    const end = await browser.send(asked, {})
    assert.equal(new URL(end.url).pathname, `/t/${world.tenant.slug}/account`)
    // Once, in whichever browser.
    assert.equal(new URL((await new PageBrowser(service()).open(path)).url).pathname, `/t/${world.tenant.slug}/sign-in`)
    const second = await browser.open(readPath(await arrive(world, unsolicited(world, `${unique()}@${world.domain}`))))
    assert.match(second.text, /You are signed in as/)
    assert.ok(second.text.includes('Ada Lovelace'))
  })

  // Guards: denied-sign-ins
  it('makes nobody a user and begins no session while a hook of the tenant denies, nor does one that begins here', async () => {
    const world = await createWorld()
    const { tenant, domain } = world
    // Nothing listens there, so that every call fails and denies.
    const body = { tenantId: tenant.id, point: 'sign_in.before_session', url: 'http://127.0.0.1:9/' }
    const { id } = await service().ok<{ id: string }>('createHook', { body })
    const count = async (operation: 'listHookCalls' | 'listUsers', at: object) =>
      (await service().ok<{ meta: { total: number } }>(operation, at)).meta.total
    const browser = new PageBrowser(service())
    const asked = await browser.open(readPath(await arrive(world, unsolicited(world, `${unique()}@${domain}`))))
    await browser.send(asked, {})
    assert.equal(new URL((await browser.open(`/t/${tenant.slug}/account`)).url).pathname, `/t/${tenant.slug}/sign-in`)
    await signInBySaml(service(), world, `${unique()}@${domain}`)
    await world.browser.refused('getProfile', 'unauthenticated')
    assert.equal(await count('listHookCalls', { params: { id } }), 2)
    assert.equal(await count('listUsers', { query: { tenantId: tenant.id } }), 0)
  })

  // Guards: saml-arrivals
  it('is refused unless the connection switches it on, and signs nobody in without the page', async () => {
    const off = await createSamlWorld(service())
    assert.equal((await arrive(off, unsolicited(off, `a@${off.domain}`))).status, 400)
    const world = await createWorld()
    const { own, domain, tenant } = world
    const email = `${unique()}@${domain}`
    const crafted = { ...unsolicited(world, email), assertionId: `_${unique()}` }
    const answers = await atOnce(10, () => arrive(world, crafted))
    const paths = answers.map(readPath)
    assert.equal(paths.filter((path) => path.includes('/arrival?')).length, 1)
    const at = paths.find((path) => path.includes('/arrival?')) ?? ''
    const state = new URL(at, own.acsUrl).searchParams.get('state') ?? ''
    // Neither the callback of connections nor a page of another tenant takes its state.
    const visitor = new Browser(service(), tenant.publicKey)
    const callback = `/frontend/api/v0/connections/${world.connection.id}/callback?state=${state}`
    assert.equal((await service().request({ method: 'GET', url: callback })).status, 400)
    const foreign = await createWorld()
    const elsewhere = await new PageBrowser(service()).open(`/t/${foreign.tenant.slug}/sign-in/arrival?state=${state}`)
    assert.equal(new URL(elsewhere.url).pathname, `/t/${foreign.tenant.slug}/sign-in`)
    await visitor.refused('getProfile', 'unauthenticated')
    // A form of another site cannot confirm it.
    const forged = await service().request({
      method: 'POST',
      url: `/t/${tenant.slug}/sign-in/arrival`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
      payload: new URLSearchParams({ state }).toString(),
    })
    assert.ok(forged.status >= 400)
    // Switched off meanwhile, it is over.
    await service().ok('updateConnection', {
      params: { id: world.connection.id },
      body: { saml: { idpInitiated: false } },
    })
    const late = await new PageBrowser(service()).open(at)
    assert.equal(new URL(late.url).pathname, `/t/${tenant.slug}/sign-in`)
  })

  // Guards: saml-arrivals
  it('accepts no response that is unsigned, foreign, or answers a request of somebody else', async () => {
    const world = await createWorld()
    const other = await connectedBySaml(service(), world.tenant.id, { idpInitiated: true })
    const foreign = await createWorld()
    const email = `${unique()}@${world.domain}`
    const right = unsolicited(world, email)
    const refused: Record<string, Promise<Answer>> = {
      unsigned: post(service(), world.own.acsUrl, { SAMLResponse: base64(responseXml(right)) }),
      'another key': arrive(world, right, undefined, otherKey),
      'a request': arrive(world, { ...right, inResponseTo: 'on_x' }),
      'a request in the confirmation alone': arrive(world, { ...right, confirmedRequest: 'on_x' }),
      'another issuer': arrive(world, { ...right, issuer: other.issuer }),
      'another connection': arrive(world, unsolicited(other, email)),
      'another tenant': arrive(world, unsolicited(foreign, email)),
      expired: arrive(world, { ...right, notOnOrAfter: right.now - 61_000 }),
    }
    for (const [name, each] of Object.entries(refused))
      assert.ok(readPath(await each).endsWith('/sign-in?error=provider_refused'), name)
    const events = await storedEvents(service(), world.tenant.id, 'connection.sign_in_refused')
    // Nobody fills the log without the key of the provider.
    const reasons = events.map(({ data }) => (data as { reason: string }).reason)
    assert.ok(
      reasons.length === 6 && !reasons.includes('unsigned') && !reasons.includes('signature_wrong'),
      reasons.join(),
    )
    // The address of another organization is not believed here either.
    const victim = await createUser(service(), world.tenant.id, { email: `${unique()}@${other.domain}`, password })
    const browser = new PageBrowser(service())
    const asked = await browser.open(
      readPath(await arrive(world, unsolicited(world, victim.emailAddresses[0]?.email ?? ''))),
    )
    const end = await browser.send(asked, {})
    assert.equal(new URL(end.url).searchParams.get('error'), 'connection_refused')
  })
})
