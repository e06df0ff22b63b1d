import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { it } from 'node:test'
import type { PublicTenant, SocialProvider, SocialProviderState } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createSocialProvider, createTenant } from '../../../test/harness/factories.ts'
import { describeService, describeServiceWith } from '../../../test/harness/service.ts'
import type { Deps } from '../../identity/deps.ts'
import { Secret } from '../../platform/crypto/secret.ts'

const client = { useCustomCredentials: true, clientId: 'client', clientSecret: 'secret' }
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })

describeService('a social provider without a whole client', (service) => {
  const world = async () => {
    const { tenant } = await createTenant(service())
    const states = async () => {
      const list = await service().ok<SocialProviderState[]>('listSocialProviderStates', {
        params: { tenantId: tenant.id },
      })
      return Object.fromEntries(list.map(({ providerKey, state }) => [providerKey, state]))
    }
    const offered = async () => {
      const answer = await new Browser(service(), tenant.publicKey).ok<{ tenant: PublicTenant }>(
        'getPublicTenantByKey',
        { params: { publicKey: tenant.publicKey } },
      )
      return answer.tenant.socialProviders.map(({ providerKey }) => providerKey)
    }
    return { tenant, states, offered }
  }

  it('is offered to nobody until it has one', async () => {
    const { tenant, states, offered } = await world()
    const provider = await createSocialProvider(service(), tenant.id, { providerKey: 'google' })
    assert.deepEqual(await offered(), [])
    assert.equal((await states())['google'], 'incomplete')
    const change = (body: object) =>
      service().ok<SocialProvider>('updateSocialProvider', { params: { id: provider.id }, body })
    await change({ useCustomCredentials: true, clientId: 'client' })
    assert.deepEqual(await offered(), [])
    await change({ clientSecret: 'secret' })
    assert.deepEqual(await offered(), ['google'])
    assert.equal((await states())['google'], 'ready')
    await change({ enabled: false })
    assert.deepEqual(await offered(), [])
    assert.equal((await states())['google'], 'disabled')
  })

  it('needs all that its client consists of: the ids and the private key of Apple', async () => {
    const { tenant, states, offered } = await world()
    const { id } = await createSocialProvider(service(), tenant.id, {
      ...client,
      providerKey: 'apple',
      config: { teamId: 'TEAM', keyId: 'KEY' },
    })
    assert.equal((await states())['apple'], 'incomplete')
    await service().ok('updateSocialProvider', { params: { id }, body: { clientSecret: pem } })
    assert.equal((await states())['apple'], 'ready')
    assert.deepEqual(await offered(), ['apple'])
  })

  it('is listed with the others, which the tenant does not have', async () => {
    const { states } = await world()
    assert.deepEqual(new Set(Object.values(await states())), new Set(['absent']))
  })
})

const shared = { clientId: 'shared', clientSecret: new Secret('secret') }
const withClient = ({ config }: Deps) => ({ config: { ...config, oauth: { github: shared } } })

describeServiceWith('a social provider with the client of the deployment', withClient, (service) => {
  it('is offered', async () => {
    const { tenant } = await createTenant(service())
    await createSocialProvider(service(), tenant.id, { providerKey: 'github' })
    const list = await service().ok<SocialProviderState[]>('listSocialProviderStates', {
      params: { tenantId: tenant.id },
    })
    const found = list.find(({ providerKey }) => providerKey === 'github')
    assert.deepEqual([found?.state, found?.hasDeploymentClient], ['ready', true])
  })
})
