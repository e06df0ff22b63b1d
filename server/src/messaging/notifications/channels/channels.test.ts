import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Channel, type ChannelProvider, channelProviders, secretSettings } from '@bailiwick/contract'
import { createTenant, unique } from '../../../../test/harness/factories.ts'
import { describeService } from '../../../../test/harness/service.ts'
import { sql } from '../../../platform/db/sql.ts'
import { selectChannel } from '../channel-queries.ts'
import { openSettings } from './provider-settings.ts'

const settings: Readonly<Record<ChannelProvider, Record<string, unknown>>> = {
  email_smtp: {
    host: 'mail.acme.example',
    port: 587,
    secure: false,
    username: 'u',
    password: 'pw-1',
    from: 'a@acme.example',
  },
  email_resend: { apiKey: 'key-1', from: 'a@acme.example' },
  email_postmark: { apiKey: 'key-1', from: 'a@acme.example' },
  email_sendgrid: { apiKey: 'key-1', from: 'a@acme.example' },
  email_mailgun: { apiKey: 'key-1', from: 'a@acme.example', domain: 'mg.acme.example', region: 'eu' },
  email_aws_ses: { accessKeyId: 'AKIA', secretAccessKey: 'key-1', region: 'eu-central-1', from: 'a@acme.example' },
  sms_twilio: { accountSid: 'AC1', apiKey: 'key-1', from: '+15550100' },
  sms_vonage: { apiKey: 'key-1', apiSecret: 'key-2', from: 'Acme' },
  sms_messagebird: { apiKey: 'key-1', from: 'Acme' },
  sms_aws_sns: { accessKeyId: 'AKIA', secretAccessKey: 'key-1', region: 'us-east-1' },
  chat_whatsapp: { apiKey: 'key-1', from: '1234567890' },
  webhook: { url: 'https://hooks.acme.example/messages', secret: 'key-1' },
  dev_inbox: {},
}

const typeOf = (provider: ChannelProvider) => /^(email|sms|chat)_/.exec(provider)?.[1] ?? 'email'

describeService('channels', (service) => {
  const letters = () => unique().replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
  const body = (tenantId: string, provider: ChannelProvider, more: object = {}) => ({
    tenantId,
    name: unique(),
    key: letters(),
    type: typeOf(provider),
    provider,
    providerSettings: settings[provider],
    ...more,
  })
  const create = (tenantId: string, provider: ChannelProvider, more: object = {}) =>
    service().ok<Channel>('createChannel', { body: body(tenantId, provider, more) })
  const stored = async (channel: Channel) => {
    const { db, sealer } = service().deps
    const row = await selectChannel(db, channel.tenantId as never, channel.id)
    assert.ok(row)
    return { row, open: openSettings(sealer, row) }
  }

  for (const provider of channelProviders) {
    it(`keep the secrets of ${provider} sealed and mask them`, async () => {
      const { tenant } = await createTenant(service())
      const channel = await create(tenant.id, provider)
      const secrets = secretSettings(provider).filter((name) => name in settings[provider])
      const masked = { ...settings[provider], ...Object.fromEntries(secrets.map((name) => [name, '********'])) }
      assert.deepEqual(channel.providerSettings, masked)
      const { row, open } = await stored(channel)
      assert.deepEqual(open, settings[provider])
      for (const name of secrets) assert.ok(!JSON.stringify(row).includes(String(settings[provider][name])), name)
    })

    it(`refuse settings that ${provider} does not know`, async () => {
      const { tenant } = await createTenant(service())
      const { issues } = await service().refused('createChannel', 'validation_failed', {
        body: body(tenant.id, provider, { providerSettings: { ...settings[provider], colour: 'red' } }),
      })
      assert.deepEqual(
        issues?.map(({ path, code }) => [path, code]),
        [['/providerSettings/colour', 'unknown_property']],
      )
    })
  }

  it('refuse a provider of another type', async () => {
    const { tenant } = await createTenant(service())
    const { issues } = await service().refused('createChannel', 'validation_failed', {
      body: body(tenant.id, 'sms_twilio', { type: 'email' }),
    })
    assert.equal(issues?.[0]?.path, '/provider')
  })

  it('keep a secret that is sent back masked, and accept a new one', async () => {
    const { tenant } = await createTenant(service())
    const channel = await create(tenant.id, 'email_resend')
    const put = (providerSettings: object) =>
      service().ok<Channel>('updateChannel', { params: { id: channel.id }, body: { providerSettings } })
    await put({ apiKey: '********', from: 'b@acme.example' })
    assert.deepEqual((await stored(channel)).open, { apiKey: 'key-1', from: 'b@acme.example' })
    await put({ apiKey: 'key-9', from: 'b@acme.example' })
    assert.deepEqual((await stored(channel)).open, { apiKey: 'key-9', from: 'b@acme.example' })
  })

  it('need settings if the provider changes, and keep nothing of the old one', async () => {
    const { tenant } = await createTenant(service())
    const channel = await create(tenant.id, 'email_smtp')
    const params = { id: channel.id }
    await service().refused('updateChannel', 'validation_failed', { params, body: { provider: 'email_resend' } })
    await service().ok('updateChannel', {
      params,
      body: { provider: 'email_resend', providerSettings: settings.email_resend },
    })
    assert.deepEqual((await stored(channel)).open, settings.email_resend)
  })

  it('have names and keys of their own, in any case', async () => {
    const { tenant } = await createTenant(service())
    const channel = await create(tenant.id, 'dev_inbox')
    await service().refused('createChannel', 'channel_name_taken', {
      body: body(tenant.id, 'dev_inbox', { name: channel.name.toUpperCase() }),
    })
    await service().refused('createChannel', 'channel_key_taken', {
      body: body(tenant.id, 'dev_inbox', { key: channel.key }),
    })
  })

  it('are not deleted while the authentication configuration refers to them', async () => {
    const { tenant } = await createTenant(service())
    const channel = await create(tenant.id, 'email_resend')
    const configure = (emailChannelId: string | null) =>
      service().ok('putAuthTenant', { params: { id: tenant.id }, body: { emailChannelId } })
    await configure(channel.id)
    await service().refused('deleteChannel', 'channel_in_use', { params: { id: channel.id } })
    const text = await create(tenant.id, 'sms_twilio')
    await service().refused('putAuthTenant', 'validation_failed', {
      params: { id: tenant.id },
      body: { emailChannelId: text.id },
    })
    await configure(null)
    await service().ok('deleteChannel', { params: { id: channel.id } })
  })

  it('leave no secret in events', async () => {
    const { tenant } = await createTenant(service())
    const channel = await create(tenant.id, 'email_resend', {
      providerSettings: { apiKey: 'canary-key', from: 'a@b.example' },
    })
    await service().ok('updateChannel', {
      params: { id: channel.id },
      body: { providerSettings: { apiKey: 'canary-key-2', from: 'a@b.example' } },
    })
    const events = await service().deps.db.all<object>(
      sql`SELECT * FROM events WHERE tenant_id = ${tenant.id} LIMIT 100`,
    )
    assert.ok(events.length >= 3)
    assert.ok(!JSON.stringify(events).includes('canary'))
  })
})
