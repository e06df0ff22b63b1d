// The pages of API keys: those of a user, and those of an organization, without any script.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { UserApiKeyCheck } from '@bailiwick/contract'
import type { Shown } from '../../../test/harness/browser/page-browser.ts'
import { newHome, pathOf, visitor } from '../../../test/harness/browser/page-visitors.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const keyIn = ({ document }: Shown) => document.querySelector('.key code')?.textContent ?? ''

const suite = (service: () => TestService) => {
  async function walk(at: 'account' | 'organization') {
    const home = await newHome(service(), { userApiKeysEnabled: true, userApiKeyPrefix: 'acme_' })
    const { browser } = await visitor(service(), home)
    const isValid = async (key: string) => {
      const body = { tenantId: home.tenant.id, key }
      return (await service().ok<UserApiKeyCheck>('verifyUserApiKey', { body })).valid
    }
    const organization = async () =>
      pathOf(await browser.send(await browser.open(`${home.at}/organizations/new`), { name: 'Research' }))
    const path = `${at === 'account' ? `${home.at}/account` : await organization()}/keys`
    const empty = await browser.open(path)
    assert.match(empty.text, /None yet/)
    const form = await browser.open(`${path}/new`)
    const refused = await browser.send(form, { name: ' ' })
    assert.deepEqual([refused.status >= 400, Object.keys(refused.errors)], [true, ['name']])
    const created = await browser.send(form, { name: 'Deployment script', days: '30' })
    const key = keyIn(created)
    assert.match(key, /^acme_[0-9A-Za-z]{49}$/)
    assert.equal(await isValid(key), true)
    const list = await browser.open(path)
    assert.match(list.text, /Deployment script/)
    assert.ok(!list.text.includes(key))
    const replaced = keyIn(await browser.send(list, {}, { button: 'Replace key' }))
    assert.deepEqual([await isValid(key), await isValid(replaced)], [false, true])
    const ended = await browser.send(await browser.open(path), {}, { button: 'Revoke key' })
    assert.match(ended.text, /The key no longer works/)
    assert.equal(await isValid(replaced), false)
  }

  it('create, replace and end keys of a user', () => walk('account'))
  it('create, replace and end keys of an organization', () => walk('organization'))

  it('are not there while the tenant has keys switched off', async () => {
    const home = await newHome(service(), {})
    const { browser } = await visitor(service(), home)
    const account = await browser.open(`${home.at}/account`)
    assert.doesNotMatch(account.text, /API keys/)
    assert.equal((await browser.open(`${home.at}/account/keys`)).status, 403)
  })
}

describeService('the pages of API keys', suite)
