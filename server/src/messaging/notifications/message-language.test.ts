import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { Browser } from '../../../test/harness/frontend.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'

describeService('a message that a browser asks for', (service) => {
  async function someoneWhoReads(languages: string) {
    const { tenant } = await createTenant(service())
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    return { tenant, email, browser: new Browser(service(), tenant.publicKey, { 'accept-language': languages }) }
  }

  const translate = (tenantId: string, name: string) =>
    service().ok('createTemplate', {
      body: { tenantId, type: 'email', name: `${name}.de`, subject: `${name} auf Deutsch`, body: 'Hallo {{ code }}' },
    })

  it('is in the language that it asks for first, whatever it is about', async () => {
    const { tenant, email, browser } = await someoneWhoReads('de-DE,de;q=0.9,en;q=0.8')
    const names = ['verification-code', 'password-reset', 'password-changed'] as const
    for (const name of names) await translate(tenant.id, name)
    const subject = async () => (await latestMessageTo(service().deps, email)).subject

    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    assert.equal(await subject(), 'verification-code auf Deutsch')
    await browser.ok('createPasswordReset', { body: { identifier: email } })
    assert.equal(await subject(), 'password-reset auf Deutsch')
    const body = { identifier: email, strategy: 'email_password', password }
    await browser.ok<SignInAnswer>('createSignIn', { body })
    await browser.ok('updateOwnPassword', { body: { oldPassword: password, password: 'another horse battery staple' } })
    assert.equal(await subject(), 'password-changed auf Deutsch')
  })

  it('is in the plain one where it prefers another language', async () => {
    const { tenant, email, browser } = await someoneWhoReads('en-GB,en;q=0.9,de;q=0.8')
    await translate(tenant.id, 'verification-code')
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    const { subject } = await latestMessageTo(service().deps, email)
    assert.match(subject ?? '', /is your code for/)
  })
})
