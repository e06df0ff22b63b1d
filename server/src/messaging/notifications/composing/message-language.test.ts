import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { Browser } from '../../../../test/harness/browser/frontend.ts'
import { createTenant, createUser, unique } from '../../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../../test/harness/messages.ts'
import { signedInPerson } from '../../../../test/harness/people/people.ts'
import { describeService } from '../../../../test/harness/service.ts'

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

  it('is in the language of the user that it is for, once that user has chosen one', async () => {
    const { tenant, email, browser } = await someoneWhoReads('en')
    const { data } = await service().ok<{ data: { id: string }[] }>('listUsers', { query: { tenantId: tenant.id } })
    const choose = (locale: string | null) =>
      service().ok('updateUser', { params: { id: data[0]?.id ?? '' }, body: { locale } })
    const subject = async () => (await latestMessageTo(service().deps, email)).subject ?? ''
    await choose('de-AT')
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    assert.match(await subject(), /ist Ihr Code für/)
    await choose(null)
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    assert.match(await subject(), /is your code for/)
  })

  it('is in the plain one where it prefers another language', async () => {
    const { tenant, email, browser } = await someoneWhoReads('en-GB,en;q=0.9,de;q=0.8')
    await translate(tenant.id, 'verification-code')
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    const { subject } = await latestMessageTo(service().deps, email)
    assert.match(subject ?? '', /is your code for/)
  })

  it('is in the language of the browser where the tenant has no template of its own', async () => {
    const { email, browser } = await someoneWhoReads('ar-EG,en;q=0.5')
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    const { subject, html, text } = await latestMessageTo(service().deps, email)
    assert.match(subject ?? '', /^\d{6} هو رمزك في /)
    assert.match(html ?? '', /<html lang="ar" dir="rtl">/)
    assert.match(text, /مدة الصلاحية: 10 دقائق/)
  })

  it("is in the tenant's default language where it does not offer the browser's, with the tenant's own texts", async () => {
    const { tenant, email, browser } = await someoneWhoReads('ar')
    const body = {
      defaultLanguage: 'de',
      languages: ['de', 'fr'],
      texts: { de: { 'message.codeHeading': 'Bitte <sehr> {{ code }}' } },
      supportUri: 'https://acme.example/hilfe',
    }
    await service().ok('putPages', { params: { id: tenant.id }, body })
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    const { subject, html } = await latestMessageTo(service().deps, email)
    assert.match(subject ?? '', /^\d{6} ist Ihr Code für /)
    assert.ok(html?.includes('Bitte &lt;sehr&gt; {{ code }}</h1>'), String(html))
    assert.match(html ?? '', /<a [^>]*href="https:\/\/acme\.example\/hilfe"[^>]*>Hilfe<\/a>/)
  })

  it('says what the template says once the tenant has edited it, in whatever language it is asked for', async () => {
    const { tenant, email, browser } = await someoneWhoReads('fr')
    const id = tenant.auth?.codeVerificationEmailTemplateId ?? ''
    await service().ok('updateTemplate', { params: { id }, body: { subject: 'Edited {{ code }} {{ expiresIn }}' } })
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    assert.match((await latestMessageTo(service().deps, email)).subject ?? '', /^Edited \d{6} 10 minutes$/)
  })

  it('names what was added to an account in the language of the reader', async () => {
    const { tenant } = await createTenant(service())
    await service().ok('putPages', { params: { id: tenant.id }, body: { defaultLanguage: 'de' } })
    const person = await signedInPerson(service(), tenant)
    await person.addApp()
    const { text } = await latestMessageTo(service().deps, person.email)
    assert.match(text, /Zu Ihrem Konto hinzugefügt: Eine Authenticator-App\./)
  })
})
