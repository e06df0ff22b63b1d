// A caller who may change settings but not read secrets cannot have a secret sent to a server of their own.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import {
  type Channel,
  type ChannelProvider,
  type Message,
  type RenderedTemplate,
  type SocialProvider,
  channelProviders,
  harmlessSettings,
  providerKeys,
  providerSettings,
  secretSettings,
} from '@bailiwick/contract'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createSocialProvider, createTenant, unique } from '../../../test/harness/factories.ts'
import { sendMessages } from '../../../test/harness/messages.ts'
import { MailServer } from '../../../test/harness/outside/mail-server.ts'
import { addMember, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { type CallOptions, describeService } from '../../../test/harness/service.ts'
import { selectChannel } from '../../messaging/notifications/channel-queries.ts'
import { openSettings } from '../../messaging/notifications/channels/provider-settings.ts'
import { openClientSecret } from '../../tenancy/social-providers/client-secret.ts'
import { findEnabledProvider } from '../../tenancy/social-providers/find-provider.ts'
import type { TenantId } from '../ids.ts'

type Settings = Readonly<Record<string, unknown>>
const mask = '********'

/** Two values for each setting that is not a secret. */
const values: Readonly<Record<string, readonly [unknown, unknown]>> = {
  host: ['mail.acme.example', 'mail.evil.example'],
  port: [587, 2525],
  secure: [true, false],
  username: ['acme', 'mallory'],
  accessKeyId: ['AKIA1', 'AKIA2'],
  region: ['eu-central-1', 'us-east-1'],
  domain: ['mg.acme.example', 'mg.evil.example'],
  accountSid: ['AC1', 'AC2'],
  url: ['https://hooks.acme.example/in', 'https://hooks.evil.example/in'],
}
const regions: readonly [unknown, unknown] = ['eu', 'us']
const senders: readonly [unknown, unknown] = ['a@acme.example', 'b@acme.example']

function valuesOf(provider: ChannelProvider, name: string): readonly [unknown, unknown] {
  if (name === 'from') return senders
  const found = provider === 'email_mailgun' && name === 'region' ? regions : values[name]
  return found ?? assert.fail(`${provider} has a setting of which this test knows no values: ${name}`)
}

const listNames = (provider: ChannelProvider) => Object.keys(providerSettings[provider])
const plainOf = (provider: ChannelProvider) =>
  listNames(provider).filter((name) => !secretSettings(provider).includes(name))

const settingsOf = (provider: ChannelProvider, secret: string): Settings =>
  Object.fromEntries(
    listNames(provider).map((name) => [
      name,
      secretSettings(provider).includes(name) ? `${secret}-${name}` : valuesOf(provider, name)[0],
    ]),
  )

describeService('a secret that is kept while other settings change', (service) => {
  /** A member who may change the configuration and may not read secrets. */
  let token: string
  let tenantId: string
  before(async () => {
    const { tenant } = await createTenant(service())
    tenantId = tenant.id
    const member = await signInConsoleUser(service())
    await addMember(service(), tenantId, member, 'roleEditConfig')
    ;({ token } = member)
  })

  const letters = () => unique().replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
  const createChannel = (provider: ChannelProvider, settings = settingsOf(provider, 'kept'), more: object = {}) =>
    service().ok<Channel>('createChannel', {
      body: {
        tenantId,
        name: unique(),
        key: letters(),
        type: /^(email|sms|chat)_/.exec(provider)?.[1] ?? 'email',
        provider,
        providerSettings: settings,
        ...more,
      },
      token,
    })
  const put = ({ id }: Channel, body: object): CallOptions => ({ params: { id }, body, token })
  const stored = async (channel: Channel) => {
    const { db, sealer } = service().deps
    const row = await selectChannel(db, tenantId as TenantId, channel.id)
    return row === undefined ? assert.fail('the channel is gone') : openSettings(sealer, row)
  }
  const pathsOf = (names: readonly string[]) => names.map((name) => `/providerSettings/${name}`)

  for (const provider of channelProviders) {
    const secrets = secretSettings(provider)
    for (const name of plainOf(provider)) {
      const isHarmless = name === 'from'
      // Guards: kept-secrets
      it(`of ${provider} ${isHarmless ? 'stays when' : 'has to be given again when'} ${name} changes`, async () => {
        assert.equal(harmlessSettings(provider).includes(name), isHarmless)
        const channel = await createChannel(provider)
        const settings = await stored(channel)
        const [, other] = valuesOf(provider, name)
        const masked = { ...(channel.providerSettings as object), [name]: other }
        if (isHarmless) {
          await service().ok('updateChannel', put(channel, { providerSettings: masked }))
          return assert.deepEqual(await stored(channel), { ...settings, [name]: other })
        }
        await assertWritesNothing(service().deps.db, async () => {
          const { issues } = await service().refused(
            'updateChannel',
            'validation_failed',
            put(channel, { providerSettings: masked }),
          )
          assert.deepEqual(
            issues?.map(({ path, code }) => [path, code]),
            pathsOf(secrets).map((path) => [path, 'secret_required']),
          )
          assert.match(issues?.[0]?.message ?? '', new RegExp(`must be sent again.*${name}`))
        })
        const given = { ...settingsOf(provider, 'new'), [name]: other }
        await service().ok('updateChannel', put(channel, { providerSettings: given }))
        assert.deepEqual(await stored(channel), given)
      })
    }

    if (secrets.length === 0) continue
    // Guards: kept-secrets
    it(`of ${provider} is gone when another provider takes its place, however it is written`, async () => {
      const channel = await createChannel(provider, settingsOf(provider, 'kept'), {
        type: 'email',
        ...(/^(sms|chat)_/.test(provider) ? { type: provider.split('_')[0] } : {}),
      })
      const others = channelProviders.filter(
        (other) =>
          other !== provider &&
          secretSettings(other).length > 0 &&
          (other === 'webhook' || other.startsWith(`${channel.type}_`)),
      )
      for (const other of others) {
        const masked = {
          ...settingsOf(other, 'x'),
          ...Object.fromEntries(secretSettings(other).map((name) => [name, mask])),
        }
        const body = { provider: other, providerSettings: masked }
        const { issues } = await service().refused('updateChannel', 'validation_failed', put(channel, body))
        assert.deepEqual(
          issues?.map(({ path }) => path),
          pathsOf(secretSettings(other)),
        )
      }
    })
  }

  // Guards: kept-secrets
  it('stays when settings are sent unchanged, and when an optional setting was never there', async () => {
    const { secure: _secure, username: _username, ...settings } = settingsOf('email_smtp', 'kept')
    const channel = await createChannel('email_smtp', settings)
    await service().ok('updateChannel', put(channel, { providerSettings: channel.providerSettings, enabled: false }))
    assert.deepEqual(await stored(channel), settings)
    const withOne = { ...(channel.providerSettings as object), secure: false }
    await service().refused('updateChannel', 'validation_failed', put(channel, { providerSettings: withOne }))
  })

  for (const providerKey of providerKeys) {
    // Guards: kept-secrets
    it(`of the social provider ${providerKey} has to be given again when any setting changes that could name a place`, async () => {
      const { tenant } = await createTenant(service())
      const provider = await createSocialProvider(service(), tenant.id, {
        providerKey,
        clientId: 'c1',
        clientSecret: 'kept',
        config: { baseUrl: 'https://gitlab.acme.example', keyId: 'K1' },
      })
      const params = { id: provider.id }
      const secretNow = async () => {
        const row = await findEnabledProvider(service().deps.db, tenant.id as TenantId, provider.id)
        return row && openClientSecret(service().deps.sealer, row)
      }
      const own = { baseUrl: 'https://gitlab.acme.example', keyId: 'K1' }
      const elsewhere = [
        { ...own, baseUrl: 'https://gitlab.evil.example' },
        { ...own, issuer: 'https://evil.example' },
        { ...own, tokenEndpoint: 'https://evil.example/token' },
        { keyId: 'K1' },
        {},
        null,
        ['https://evil.example'],
        'https://evil.example',
      ]
      for (const config of elsewhere) {
        for (const body of [{ config }, { config, clientId: 'c2', useCustomCredentials: true, enabled: false }]) {
          await assertWritesNothing(service().deps.db, async () => {
            const { issues } = await service().refused('updateSocialProvider', 'validation_failed', { params, body })
            assert.deepEqual(
              issues?.map(({ path, code }) => [path, code]),
              [['/clientSecret', 'secret_required']],
            )
          })
        }
      }
      await service().ok<SocialProvider>('updateSocialProvider', {
        params,
        body: {
          clientId: 'c3',
          redirectUri: 'https://acme.example/back',
          config: { ...own, keyId: 'K2', teamId: 'T', trustEmails: true },
        },
      })
      assert.equal(await secretNow(), 'kept')
      for (const [given, config] of [
        ['new', elsewhere[0]],
        [null, elsewhere[1]],
      ] as const) {
        await service().ok('updateSocialProvider', { params, body: { config, clientSecret: given } })
        assert.equal(await secretNow(), given)
      }
      // Without a secret there is nothing that could be sent elsewhere.
      await service().ok('updateSocialProvider', { params, body: { config: elsewhere[0] } })
    })
  }

  // Guards: kept-secrets
  it('is printed by no template, and by no answer of a server that repeats it', async () => {
    const server = await MailServer.start()
    try {
      server.refuseWith = { code: 550, text: 'what is kept-password to me' }
      const { username: _username, ...settings } = settingsOf('email_smtp', 'kept')
      const channel = await createChannel('email_smtp', {
        ...settings,
        host: '127.0.0.1',
        port: server.port,
        secure: false,
      })
      const names = [
        'providerSettings',
        'settings',
        'channel',
        'channel.providerSettings',
        'config',
        'deps',
        'sealer',
        'row',
      ]
      const text = names.map((name) => `[{{ ${name} }}{{ ${name} | json }}]`).join('')
      const { id: templateId } = await service().ok<{ id: string }>('createTemplate', {
        body: { tenantId, name: unique(), type: 'email', subject: text, body: text },
        token,
      })
      const shown = await service().ok<RenderedTemplate>('previewTemplate', {
        params: { id: templateId },
        body: { variables: {} },
        token,
      })
      assert.doesNotMatch(JSON.stringify(shown), /kept|acme\.example|127\.0\.0\.1/)
      const { id } = await service().ok<Message>('testMessage', {
        body: { templateId, channelId: channel.id, input: { to: 'ada@example.com' }, variables: {} },
        token,
      })
      await sendMessages(service().deps)
      const { lastError } = await service().ok<Message>('getMessage', { params: { id }, token })
      assert.match(lastError ?? '', /550.*what is … to me/)
    } finally {
      await server.stop()
    }
  })
})
