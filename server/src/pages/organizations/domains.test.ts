// The pages about domains of organizations, with a name server, and the consequences for people with an address there.
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Shown } from '../../../test/harness/browser/page-browser.ts'
import { newHome, pathIn, pathOf, visitor } from '../../../test/harness/browser/page-visitors.ts'
import { unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { startNameServer } from '../../../test/harness/outside/name-server.ts'
import { domainSettings } from '../../../test/harness/people/organization-domains.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'

const names = await startNameServer()
after(() => names.close())

const readCodes = ({ document }: Shown) => [...document.querySelectorAll('code')].map(({ textContent }) => textContent)

async function scene(service: TestService) {
  const home = await newHome(service, domainSettings)
  const { browser } = await visitor(service, home)
  const start = await browser.open(`${home.at}/organizations/new`)
  const at = pathOf(await browser.send(start, { name: 'Research' }))
  return { home, browser, at }
}

const suite = (service: () => TestService) => {
  it('show the record, check it, and say what follows for whom', async () => {
    const { home, browser, at } = await scene(service())
    const name = `${unique()}.example`
    const early = await visitor(service(), home, { email: `ada@${name}` })
    const list = await browser.open(`${at}/domains`)
    for (const [typed, problem] of [
      ['', /Enter a domain/],
      ['not a domain', /Enter a domain/],
      ['gmail.com', /This is a public domain/],
    ] as const) {
      const refused = await browser.send(list, { name: typed })
      assert.match(refused.errors['name'] ?? '', problem, typed)
    }
    const added = await browser.send(list, { name })
    const [type, record = '', value = ''] = readCodes(added)
    assert.deepEqual([type, record], ['TXT', `_bailiwick.${name}`])
    const twice = await browser.send(list, { name })
    assert.deepEqual([twice.status, Object.keys(twice.errors)], [409, ['name']])
    const missing = await browser.send(added, {}, { button: 'Check the record' })
    assert.match(missing.errors['form'] ?? '', /not there yet/)
    names.records.set(record, [value])
    const verified = await browser.send(missing, {}, { button: 'Check the record' })
    assert.match(verified.text, /has been verified and belongs/)
    assert.deepEqual(readCodes(verified), [])

    const suggested = await early.browser.open(`${home.at}/organizations`)
    assert.match(suggested.text, /Organizations you may belong to/)
    const asked = await early.browser.send(suggested, {}, { button: 'Send me an invitation' })
    assert.match(asked.text, /on its way to your e-mail address/)
    const again = await early.browser.send(suggested, {}, { button: 'Send me an invitation' })
    assert.deepEqual([again.status, /invited before/.test(again.errors['form'] ?? '')], [409, true])
    const opened = await early.browser.open(pathIn((await latestMessageTo(service().deps, `ada@${name}`)).link))
    const joined = await early.browser.send(opened, {}, { button: 'Accept' })
    assert.equal(pathOf(joined), at)
    assert.match(joined.text, /You are a member now/)

    const removed = await browser.send(verified, {}, { button: 'Remove the domain' })
    assert.match(removed.text, /This organization has no domains yet/)
  })
}

describeService('the pages about domains of organizations', suite, {
  ...testEnv,
  BAILIWICK_DNS_SERVERS: names.address,
})
