// Setting up webhooks takes the right to change the configuration, and what they get takes the right to read it.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type RoleFlag, type Scope, type Webhook, type WebhookWithSecret, roleFlags, scopes } from '@bailiwick/contract'
import { useApiKey } from '../../../test/harness/api-keys.ts'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createApiKey, createTenant, createWebhook } from '../../../test/harness/factories.ts'
import { addMember, signInConsoleUser, useSession } from '../../../test/harness/people/sessions.ts'
import { describeService } from '../../../test/harness/service.ts'

const url = 'https://hooks.example/in'

/** One type of each kind, with the flags and scopes that read it beside roleAdmin, admin and events:read. */
const kinds: readonly (readonly [string, readonly RoleFlag[], readonly Scope[]])[] = [
  ['user.created', ['roleViewUsers', 'roleEditUsers'], ['users:read', 'users:write']],
  ['session.created', ['roleViewUsers', 'roleEditUsers'], ['users:read', 'users:write']],
  ['email.created', ['roleViewUsers', 'roleEditUsers'], ['users:read', 'users:write']],
  [
    'organization_membership.created',
    ['roleViewOrganizations', 'roleEditOrganizations'],
    ['organizations:read', 'organizations:write'],
  ],
  ['role.created', ['roleViewConfig', 'roleEditConfig'], ['config:read', 'config:write']],
  ['auth_configuration.updated', ['roleViewConfig', 'roleEditConfig'], ['config:read', 'config:write']],
  ['upload.completed', ['roleViewConfig', 'roleEditConfig'], ['media:read', 'media:write']],
  ['tenant.billing_updated', ['roleViewBilling', 'roleEditBilling'], ['billing:read', 'billing:write']],
  ['custom_provider.created', ['roleViewConfig', 'roleEditConfig'], ['config:read', 'config:write']],
  ['application.created', ['roleViewConfig', 'roleEditConfig'], ['config:read', 'config:write']],
  ['resource.updated', ['roleViewConfig', 'roleEditConfig'], ['config:read', 'config:write']],
  ['oauth_settings.updated', ['roleViewConfig', 'roleEditConfig'], ['config:read', 'config:write']],
  ['application.token_issued', ['roleViewUsers', 'roleEditUsers'], ['users:read', 'users:write']],
  ['grant.created', ['roleViewUsers', 'roleEditUsers'], ['users:read', 'users:write']],
  ['tenant_membership.created', [], []],
  ['tenant.secret_key_rotated', [], []],
  ['*', [], []],
]

describeService('the events of a webhook', (service) => {
  let tenantId: string
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
  })

  async function assertReceives(token: string, isReadable: (kind: (typeof kinds)[number]) => boolean) {
    for (const kind of kinds) {
      const [type] = kind
      const request = { body: { tenantId, url, events: [type] }, token }
      if (!isReadable(kind)) {
        const { message } = await service().refused('createWebhook', 'forbidden', request)
        assert.ok(message.includes(type), message)
        continue
      }
      const { id } = await service().ok<WebhookWithSecret>('createWebhook', request)
      await service().ok('deleteWebhook', { params: { id }, token })
    }
  }

  for (const flag of roleFlags) {
    // Guards: readable-events
    it(`are for a member who may change the configuration, with ${flag} too, those that the member may read`, async () => {
      const member = await signInConsoleUser(service())
      await addMember(service(), tenantId, member, 'roleEditConfig', flag)
      await assertReceives(
        member.token,
        ([, flags]) => flag === 'roleAdmin' || flags.includes('roleEditConfig') || flags.includes(flag),
      )
    })
  }

  for (const scope of scopes) {
    // Guards: readable-events
    it(`are for an API key with config:write and ${scope} those that the key may read`, async () => {
      const { key } = await createApiKey(service(), tenantId, [...new Set<Scope>(['config:write', scope])])
      const isAll = scope === 'admin' || scope === 'events:read'
      await assertReceives(key, ([, , readBy]) => isAll || readBy.includes('config:write') || readBy.includes(scope))
    })
  }

  // Guards: readable-events
  it('cannot be redirected or signed with a new secret by a caller that may not read them', async () => {
    const { id } = await createWebhook(service(), tenantId, { events: ['user.created', 'role.created'] })
    const member = await signInConsoleUser(service())
    await addMember(service(), tenantId, member, 'roleEditConfig')
    const { key } = await createApiKey(service(), tenantId, ['config:write'])
    await useSession(service(), member.token)
    await useApiKey(service(), key)
    for (const token of [member.token, key]) {
      const named = { params: { id }, token }
      await assertWritesNothing(service().deps.db, async () => {
        for (const body of [
          { url: 'https://evil.example/' },
          // What waits to be delivered is of the types before.
          { url: 'https://evil.example/', events: ['role.created'] },
          { events: ['*'] },
          { events: ['user.deleted'] },
        ]) {
          await service().refused('updateWebhook', 'forbidden', { ...named, body })
        }
        await service().refused('rotateWebhookSecret', 'forbidden', named)
      })
      const paused = await service().ok<Webhook>('updateWebhook', { ...named, body: { enabled: false } })
      assert.equal(paused.enabled, false)
      await service().ok('listWebhookDeliveries', named)
    }
    const narrowed = { params: { id }, body: { events: ['role.created'] }, token: member.token }
    await service().ok('updateWebhook', narrowed)
    await service().ok('updateWebhook', { ...narrowed, body: { url: 'https://other.example/' } })
  })

  // Guards: readable-events
  it('are kept from an API key that holds more than its maker, who can give it nothing of the kind', async () => {
    const member = await signInConsoleUser(service())
    await addMember(service(), tenantId, member, 'roleEditConfig')
    for (const scope of scopes) {
      const isHeld = /^(?:config|media):/.test(scope)
      const request = { body: { tenantId, name: 'Escalation', scopes: [scope] }, token: member.token }
      if (isHeld) await service().ok('createApiKey', request)
      else await service().refused('createApiKey', 'forbidden', request)
    }
  })
})
