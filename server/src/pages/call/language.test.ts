import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { newHome, visitor } from '../../../test/harness/browser/page-visitors.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeServiceOnce } from '../../../test/harness/service.ts'

const titles = { en: 'Sign in', de: 'Anmelden', he: 'כניסה', ja: 'サインイン' } as const

describeServiceOnce('the language of the hosted pages', (service) => {
  const browserOf = (accepted?: string) =>
    new PageBrowser(service(), 'id.test', accepted === undefined ? {} : { 'accept-language': accepted })

  async function home(settings?: object) {
    const { tenant } = await createTenant(service())
    if (settings !== undefined) await service().ok('putPages', { params: { id: tenant.id }, body: settings })
    return `/t/${tenant.slug}/sign-in`
  }

  it('is chosen with the switch, else by the browser, else by the tenant', async () => {
    const at = await home({ defaultLanguage: 'ja' })
    const titleFor = async (accepted?: string) => (await browserOf(accepted).open(at)).title
    assert.equal(await titleFor(), titles.ja)
    assert.equal(await titleFor('la, tlh;q=0.9'), titles.ja)
    assert.equal(await titleFor('en;q=0.1, la;q=0.9, de-CH;q=0.8'), titles.de)
    const browser = browserOf('de')
    const hebrew = await browser.open(`${at}?lang=he`)
    assert.equal(hebrew.title, titles.he)
    assert.equal(hebrew.document.documentElement.getAttribute('lang'), 'he')
    assert.equal(hebrew.document.documentElement.getAttribute('dir'), 'rtl')
    assert.equal((await browser.open(at)).title, titles.he)
    for (const lang of ['tlh', '__proto__', '']) {
      assert.equal((await browser.open(`${at}?lang=${lang}`)).title, titles.he, lang)
    }
  })

  it('is always one of those that the tenant offers, whatever was chosen before', async () => {
    const at = await home({ defaultLanguage: 'de', languages: ['de', 'en'] })
    assert.equal((await browserOf('ja').open(at)).title, titles.de)
    assert.equal((await browserOf('ja, en').open(`${at}?lang=ja`)).title, titles.en)
    const { document } = await browserOf('en').open(at)
    const offered = [...document.querySelectorAll('.languages li')].map(({ textContent }) => textContent.trim())
    assert.deepEqual(offered, ['English', 'Deutsch'])
  })

  it('is the one that the signed-in user has chosen, before that of the browser and after the switch', async () => {
    const place = await newHome(service())
    const { browser, userId } = await visitor(service(), place, { locale: 'de-AT' })
    const at = `${place.at}/account`
    const languageAt = async (address: string) =>
      (await browser.open(address)).document.documentElement.getAttribute('lang')
    assert.equal(await languageAt(at), 'de')
    await service().ok('updateUser', { params: { id: userId }, body: { locale: 'fr' } })
    assert.equal(await languageAt(at), 'fr')
    assert.equal(await languageAt(`${at}?lang=ja`), 'ja')
  })

  it('is the one of the browser if no tenant is found', async () => {
    const { status, document } = await browserOf('ja').open('/t/nobody-has-this/sign-in')
    assert.equal(status, 404)
    assert.equal(document.documentElement.getAttribute('lang'), 'ja')
  })
})
