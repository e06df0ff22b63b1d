import assert from 'node:assert/strict'
import { it } from 'node:test'
import { storedCounter } from '../../../../test/harness/databases/stored.ts'
import { createTenant, createUser, unique } from '../../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, sendMessages } from '../../../../test/harness/messages.ts'
import { describeService } from '../../../../test/harness/service.ts'
import { createClock } from '../../../platform/clock.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { hasChannel } from '../channels/find-channel.ts'
import { removeOldMessages } from './old-messages.ts'
import { type NewMessage, queueMessage } from './queue-message.ts'

const address = () => `${unique()}@example.com`
const codeTo = (tenantId: string, to: string, more: Partial<NewMessage> = {}): NewMessage => ({
  tenantId: tenantId as TenantId,
  channelType: 'email',
  template: { type: 'verification-code' },
  to,
  userId: null,
  variables: { code: '493817', expiresInMinutes: 10, user: { name: 'Ada' } },
  purpose: 'sign_in',
  ...more,
})

describeService('a queued message', (service) => {
  const queue = (message: NewMessage) =>
    service().deps.db.transaction((tx) => queueMessage(tx, service().deps, message))
  const events = (type: string, tenantId: string) =>
    service().deps.db.all<{ data: string; personal: string | null }>(
      sql`SELECT data, personal FROM events WHERE tenant_id = ${tenantId} AND type = ${type} LIMIT 10`,
    )

  it('comes to the development inbox with its code, in the colours of the tenant', async () => {
    const { tenant } = await createTenant(service(), { name: 'Acme & Sons' })
    await service().ok('putTenantBrand', { params: { id: tenant.id }, body: { secondary: '#123456' } })
    const to = address()
    await queue(codeTo(tenant.id, to))
    const { subject, html, text, code } = await latestMessageTo(service().deps, to)
    assert.equal(subject, '493817 is your code for Acme & Sons')
    assert.match(text, /^Your code\n\nHello Ada,\n\n.*:\n\n493817\n\nIt is valid for 10 minutes\./)
    assert.match(html ?? '', /bgcolor="#123456"[^>]*>493817</)
    assert.match(html ?? '', /<title>493817 is your code for Acme &amp; Sons<\/title>/)
    assert.equal(code, '493817')
    const [row] = await messagesTo(service().deps, to)
    assert.deepEqual([row?.status, row?.attempts, row?.provider], ['sent', 1, 'dev_inbox'])
  })

  it("is what the tenant's template in the reader's language says, the most specific first", async () => {
    const { tenant } = await createTenant(service())
    const bodies = { 'verification-code.de': 'Ihr Code ist', 'verification-code.de-AT': 'Dein Code ist' }
    for (const [name, body] of Object.entries(bodies)) {
      const template = {
        tenantId: tenant.id,
        type: 'email',
        name,
        subject: '{{ language }}',
        body: `${body} {{ code }}`,
      }
      await service().ok('createTemplate', { body: template })
    }
    for (const [language, said, lang] of [
      ['de-AT', 'Dein Code ist 493817', ' lang="de-AT"'],
      ['de-CH', 'Ihr Code ist 493817', ' lang="de"'],
      ['fr', /^Votre code\n\nBonjour Ada/, ' lang="fr"'],
      [undefined, /^Your code\n\nHello Ada/, ' lang="en"'],
    ] as const) {
      const to = address()
      await queue(codeTo(tenant.id, to, { language }))
      const { subject, text, html } = await latestMessageTo(service().deps, to)
      if (typeof said === 'string') assert.deepEqual([text, subject], [said, language])
      else assert.match(text, said)
      assert.ok(html?.includes(`<html${lang} dir="ltr">`), `${String(language)}: ${html ?? ''}`)
    }
  })

  it('does not say what a template of another channel or another tenant says', async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const german = { name: 'password-reset.de', subject: 'x', body: 'Deutsch' }
    await service().ok('createTemplate', { body: { ...german, tenantId: other.id, type: 'email' } })
    await service().ok('createTemplate', { body: { ...german, subject: null, tenantId: tenant.id, type: 'sms' } })
    const to = address()
    await queue(codeTo(tenant.id, to, { template: { type: 'password-reset' }, language: 'de' }))
    const { text, html } = await latestMessageTo(service().deps, to)
    assert.match(text, /^Ihr Passwort für .* zurücksetzen\n\nHallo Ada/)
    assert.ok(html?.includes('<html lang="de" dir="ltr">'))
  })

  it('does not exist if its transaction is rolled back', async () => {
    const { tenant } = await createTenant(service())
    const to = address()
    const { db } = service().deps
    const rolledBack = db.transaction(async (tx) => {
      await queueMessage(tx, service().deps, codeTo(tenant.id, to))
      throw new Error('rolled back')
    })
    await assert.rejects(rolledBack, /rolled back/)
    await sendMessages(service().deps)
    assert.deepEqual(await messagesTo(service().deps, to), [])
    assert.equal(await storedCounter(service(), tenant.id, 'messages'), 0)
  })

  it('stores its code only sealed, and not after it was sent; its subject never contains it', async () => {
    const { tenant } = await createTenant(service())
    const to = address()
    await queue(codeTo(tenant.id, to))
    const [queued] = await messagesTo(service().deps, to)
    assert.match(queued?.sealed_variables ?? '', /^v1\./)
    await sendMessages(service().deps)
    const [sent] = await messagesTo(service().deps, to)
    assert.equal(sent?.sealed_variables, null)
    assert.equal(sent?.subject, `•••••• is your code for ${tenant.name}`)
    assert.doesNotMatch(JSON.stringify({ queued, sent: { ...sent, content: null } }), /493817/)
  })

  it("is erased with its user, and its event says to whom it went only under the user's salt", async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const to = address()
    await queue(codeTo(tenant.id, to, { userId: user.id }))
    await sendMessages(service().deps)
    const [event] = await events('message.sent', tenant.id)
    assert.ok(event !== undefined && event.personal !== null)
    assert.doesNotMatch(JSON.stringify(event), new RegExp(to))
    await service().ok('deleteUser', { params: { id: user.id } })
    assert.deepEqual(await messagesTo(service().deps, to), [])
    assert.equal(await storedCounter(service(), tenant.id, 'messages'), 0)
  })

  it("takes the tenant's own template: by its configuration, or by the default one's name", async () => {
    const { tenant } = await createTenant(service())
    const to = address()
    await service().ok('updateTemplate', {
      params: { id: tenant.auth?.codeVerificationEmailTemplateId ?? '' },
      body: { subject: 'Ours', body: '<p>{{ code }}</p>' },
    })
    await queue(codeTo(tenant.id, to))
    assert.equal((await latestMessageTo(service().deps, to)).subject, 'Ours')
    await service().ok('createTemplate', {
      body: { tenantId: tenant.id, type: 'email', name: 'password-reset', subject: 'Mine', body: 'x' },
    })
    await queue(codeTo(tenant.id, to, { template: { type: 'password-reset' } }))
    assert.equal((await latestMessageTo(service().deps, to)).subject, 'Mine')
  })

  it('cannot say that another tenant sends it', async () => {
    const { tenant } = await createTenant(service(), { name: 'Acme' })
    const to = address()
    await queue(codeTo(tenant.id, to, { variables: { code: '1', tenant: { name: 'Your bank' } } }))
    assert.equal((await latestMessageTo(service().deps, to)).subject, '1 is your code for Acme')
  })

  it('fails as expired if it could not be sent in time, and its variables are removed', async () => {
    const { tenant } = await createTenant(service())
    const to = address()
    await queue(codeTo(tenant.id, to))
    const later = { ...service().deps, clock: createClock(() => Date.now() + 11 * 60_000) }
    await sendMessages(later)
    const [row] = await messagesTo(service().deps, to)
    assert.deepEqual([row?.status, row?.last_error, row?.attempts], ['failed', 'expired', 0])
    assert.equal((await events('message.failed', tenant.id)).length, 1)
    await removeOldMessages(later)
    assert.equal((await messagesTo(service().deps, to))[0]?.sealed_variables, null)
  })

  it('is removed after thirty days, and counted off', async () => {
    const { tenant } = await createTenant(service())
    const to = address()
    await queue(codeTo(tenant.id, to))
    await sendMessages(service().deps)
    const inDays = (days: number) => ({ ...service().deps, clock: createClock(() => Date.now() + days * 86_400_000) })
    await removeOldMessages(inDays(29))
    assert.equal((await messagesTo(service().deps, to)).length, 1)
    await removeOldMessages(inDays(31))
    assert.equal((await messagesTo(service().deps, to)).length, 0)
    assert.equal(await storedCounter(service(), tenant.id, 'messages'), 0)
  })

  it('never uses a channel that belongs to another tenant, is disabled or has another type', async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const channel = async (tenantId: string, body: object) =>
      (
        await service().ok<{ id: string }>('createChannel', {
          body: {
            tenantId,
            name: unique(),
            key: 'mail',
            type: 'email',
            provider: 'dev_inbox',
            providerSettings: {},
            ...body,
          },
        })
      ).id
    const cases = [
      [await channel(other.id, {}), 'no_channel'],
      [await channel(tenant.id, { enabled: false }), 'channel_disabled'],
      [await channel(tenant.id, { type: 'sms', key: 'sms' }), 'channel_type_mismatch'],
    ] as const
    for (const [channelId, reason] of cases) {
      const to = address()
      await queue(codeTo(tenant.id, to, { channelId }))
      await sendMessages(service().deps)
      const [row] = await messagesTo(service().deps, to)
      assert.deepEqual([row?.status, row?.last_error], ['failed', reason])
    }
  })

  it('fails in production with no_channel if no channel can send it, which can be asked in advance', async () => {
    const { tenant } = await createTenant(service())
    const { config } = service().deps
    const deps = { ...service().deps, config: { ...config, env: 'production' as const, isTestModeAllowed: false } }
    assert.equal(await hasChannel(service().deps, tenant.id as TenantId, 'email'), true)
    assert.equal(await hasChannel(deps, tenant.id as TenantId, 'email'), false)
    const to = address()
    await queue(codeTo(tenant.id, to))
    await sendMessages(deps)
    const [row] = await messagesTo(deps, to)
    assert.deepEqual([row?.status, row?.last_error, row?.sealed_content], ['failed', 'no_channel', null])
  })
})
