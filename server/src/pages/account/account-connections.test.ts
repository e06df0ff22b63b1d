import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { pagePerson, placeOf } from '../../../test/harness/browser/page-person.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { password } from '../../../test/harness/people/people.ts'
import { createSocialWorld, person } from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('/account/connections', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  it('connects an account through its provider, and disconnects it', async () => {
    const { tenant } = await createSocialWorld(service(), idp)
    const me = await pagePerson(service(), { tenant, user: { password } })
    const leaving = await me.browser.send(await me.open('/account/connections'), {}, { button: 'Connect Google' })
    const address = String(leaving.headers['refresh']).replace('0;url=', '')
    const ada = person()
    const { pathname, search } = idp.agree(address, ada)
    const list = await me.browser.open(pathname + search, { 'sec-fetch-site': 'cross-site' })
    assert.equal(placeOf(list), '/account/connections?done=connected')
    assert.ok(list.text.includes(String(ada['email'])))
    const href = [...list.document.querySelectorAll('.items a')][0]?.getAttribute('href') ?? ''
    const removed = await me.browser.send(await me.browser.open(href), {}, { button: 'Disconnect' })
    assert.match(removed.text, /The account is disconnected/)
    const failed = await me.open('/account/connections?error=connection_taken')
    assert.match(failed.errors['form'] ?? '', /belongs to another user/)
  })

  it('asks before the tenant may act at a provider, and withdraws that', async () => {
    const provider = { keepTokens: true, tokenScopes: ['calendar', 'files'] }
    const { tenant } = await createSocialWorld(service(), idp, { provider })
    const me = await pagePerson(service(), { tenant, user: { password } })
    const list = await me.open('/account/connections')
    const link = [...list.document.querySelectorAll('a')].find(({ textContent }) => /use Google/.test(textContent))
    const asking = await me.browser.open(`${link?.getAttribute('href') ?? ''}?scopes=calendar+unheard-of`)
    assert.deepEqual(
      [...asking.document.querySelectorAll('.asked code')].map(({ textContent }) => textContent),
      ['calendar'],
    )
    const leaving = await me.browser.send(asking, {}, { button: 'Allow' })
    const address = String(leaving.headers['refresh']).replace('0;url=', '')
    assert.match(new URL(address).searchParams.get('scope') ?? '', /calendar/)
    assert.equal(new URL(address).searchParams.get('access_type'), 'offline')
    const { pathname, search } = idp.agree(address, person())
    const allowed = await me.browser.open(pathname + search, { 'sec-fetch-site': 'cross-site' })
    assert.match(allowed.text, /can use this account for you/)
    const href = [...allowed.document.querySelectorAll('.items a')][0]?.getAttribute('href') ?? ''
    const removed = await me.browser.send(await me.browser.open(href), {}, { button: 'Remove access' })
    assert.match(removed.text, /no longer has access/)
    assert.doesNotMatch(removed.text, /can use this account for you/)
    assert.equal((await me.open('/account/connections/allow/github')).status, 404)
    const elsewhere = new URLSearchParams({ redirect_to: 'https://evil.example/' }).toString()
    assert.equal((await me.open(`/account/connections/allow/google?${elsewhere}`)).status, 400)
  })
})
