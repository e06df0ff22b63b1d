// Pages that are kept in memory for all visitors: nobody may get what belongs to another visitor, or what is no longer so.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser, type Shown } from '../../../test/harness/browser/page-browser.ts'
import { createCustomProvider, createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'

const readTokens = ({ document }: Shown) =>
  [...document.querySelectorAll('input[name=formToken]')].map((input) => input.getAttribute('value') ?? '')
const addressesIn = ({ document }: Shown) =>
  [...document.querySelectorAll('.languages a')].map((link) => link.getAttribute('href') ?? '')

describeService('pages that are alike for all visitors', (service) => {
  for (const path of ['/sign-in', '/sign-up', '/reset-password']) {
    it(`${path}: gives each visitor a form token of their own, which works in their browser only`, async () => {
      const { tenant } = await createTenant(service())
      const at = `/t/${tenant.slug}${path}`
      const [ada, bob] = [new PageBrowser(service()), new PageBrowser(service())]
      const [hers, his, hersAgain] = [await ada.open(at), await bob.open(at), await ada.open(at)]
      const [token = '', ...others] = readTokens(hers)
      assert.match(token, /^[\w-]{43}$/)
      assert.ok(others.every((other) => other === token))
      assert.deepEqual(readTokens(hersAgain), readTokens(hers))
      assert.equal(readTokens(his).length, readTokens(hers).length)
      assert.ok(readTokens(his).every((other) => /^[\w-]{43}$/.test(other) && other !== token))
      const [herFlow, hisFlow] = [ada, bob].map(({ cookies }) => cookies.get(`__Host-flow-${tenant.id}`))
      assert.ok(herFlow !== undefined && hisFlow !== undefined && herFlow !== hisFlow)
      for (const { text } of [hers, his, hersAgain]) {
        assert.ok(!text.includes(herFlow) && !text.includes(hisFlow), 'no token of a cookie is in a page')
      }
      // Everything else is the same, byte for byte.
      assert.equal(his.text.replaceAll(readTokens(his)[0] ?? '', ''), hers.text.replaceAll(token, ''))
      assert.equal(Number(his.headers['content-length']), Number(hers.headers['content-length']))
      const fields = path === '/sign-up' ? { email: 'not an address', password: 'x' } : { identifier: '' }
      assert.equal((await ada.send(hers, fields)).status, 422)
      assert.equal((await bob.send(hers, fields)).status, 403)
    })
  }

  it('show to nobody what another visitor has typed, was invited with, or is led back to', async () => {
    const { tenant } = await createTenant(service())
    await service().ok('putAuthTenant', {
      params: { id: tenant.id },
      body: { redirectUris: ['https://app.example/*'] },
    })
    const at = `/t/${tenant.slug}`
    const ada = new PageBrowser(service())
    const back = encodeURIComponent('https://app.example/of-ada')
    const hers = [
      await ada.open(`${at}/sign-in?redirect_to=${back}`),
      await ada.open(`${at}/sign-up?redirect_to=${back}`),
      await ada.open(`${at}/sign-up?invitationToken=of-ada`),
      await ada.send(await ada.open(`${at}/sign-in`), { identifier: '+of-ada' }),
    ]
    for (const page of hers) assert.match(page.text, /of-ada/)
    for (const path of ['/sign-in', '/sign-up', '/reset-password']) {
      const page = await new PageBrowser(service()).open(at + path)
      assert.equal(page.status, 200)
      assert.doesNotMatch(page.text, /of-ada/)
      assert.deepEqual(page.errors, {})
      assert.ok(addressesIn(page).every((address) => address.startsWith(`${at}${path}?lang=`)))
    }
  })

  it('are rendered again when the tenant, its pages, its brand, its rules or its providers have changed', async () => {
    const { tenant } = await createTenant(service())
    const params = { id: tenant.id }
    const open = () => new PageBrowser(service()).open(`/t/${tenant.slug}/sign-in`)
    const provider = await createCustomProvider(service(), tenant.id, { name: 'Works account' })
    const before = await open()
    assert.match(before.text, /Works account/)

    await service().ok('updateTenant', { params, body: { name: 'Renamed' } })
    assert.match((await open()).document.title, /Renamed/)
    await service().ok('putPages', { params, body: { texts: { en: { 'signIn.title': 'Come in' } } } })
    assert.equal((await open()).title, 'Come in')
    await service().ok('putTenantBrand', { params, body: { primary: '#0a0' } })
    assert.match((await open()).text, /\/brand\//)
    await service().ok('putAuthTenant', { params, body: { signUpEnabled: false } })
    assert.doesNotMatch((await open()).text, /\/sign-up/)
    await service().ok('updateCustomProvider', { params: { id: provider.id }, body: { name: 'Other account' } })
    const renamed = await open()
    assert.match(renamed.text, /Other account/)
    assert.doesNotMatch(renamed.text, /Works account/)
  })
})
