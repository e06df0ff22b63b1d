// One engine serves all tenants, so it must refuse to do anything while the tenant is not known.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Deps } from '../../identity/deps.ts'
import type { TenantId } from '../../platform/ids.ts'
import { commitAnswer } from './commit-answer.ts'
import { fetchOutside } from './configuration/fetch-outside.ts'
import { createProvider } from './provider.ts'
import { StoreAdapter } from './requests/adapter.ts'
import { RequestStore } from './requests/request-store.ts'
import { currentTenancy } from './tenancy.ts'

const outside = /outside of a tenant/

describe('the engine outside of a tenant', () => {
  const provider = createProvider()
  const internals = provider as unknown as {
    pathFor: (name: string) => string
    urlFor: (name: string) => string
    cookieName: (type: string) => string
  }

  // Guards: other-tenants-tokens
  it('has no issuer, no address, no cookie and no way out', async () => {
    assert.throws(() => currentTenancy(), outside)
    assert.throws(() => provider.issuer, outside)
    assert.throws(() => internals.pathFor('token'), outside)
    assert.throws(() => internals.urlFor('token'), outside)
    assert.throws(() => internals.cookieName('session'), outside)
    await assert.rejects(fetchOutside('https://client.example/'), outside)
  })

  // Guards: other-tenants-tokens
  it('reads and writes nothing', async () => {
    for (const model of ['Session', 'Grant', 'AuthorizationCode', 'RefreshToken', 'Interaction', 'ReplayDetection']) {
      const adapter = new StoreAdapter(model)
      await assert.rejects(adapter.find('id'), outside, model)
      await assert.rejects(adapter.findByUid('uid'), outside, model)
      await assert.rejects(adapter.findByUserCode('BCDF-GHJK'), outside, model)
      await assert.rejects(adapter.upsert('id', {}), outside, model)
      await assert.rejects(adapter.consume('id'), outside, model)
      await assert.rejects(adapter.destroy('id'), outside, model)
      await assert.rejects(adapter.revokeByGrantId('id'), outside, model)
    }
    await assert.rejects(provider.Client.find('client'), outside)
    await assert.rejects(provider.AccessToken.find('token'), outside)
  })

  // Guards: other-tenants-tokens
  it('signs nothing and answers nothing', async () => {
    const { IdToken, Client } = provider as unknown as {
      IdToken: new (claims: object, options: object) => { issue: (options: object) => Promise<string> }
      Client: new (metadata: object) => object
    }
    const client = new Client({
      client_id: 'client',
      redirect_uris: ['https://app.example/callback'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    })
    const token = () => new IdToken({ sub: 'user' }, { ctx: {}, client }).issue({ use: 'idtoken' })
    await assert.rejects(token, outside)
    await assert.rejects(
      commitAnswer({ path: '/oauth/token' } as KoaContextWithOIDC, () => Promise.resolve()),
      outside,
    )
  })
})

describe('what a request has stored', () => {
  // Guards: other-tenants-tokens
  it('is refused if it is another tenant’s, whatever a query has returned', async () => {
    const row = {
      tenant_id: 'other',
      id_hash: 'hash',
      kind: 'RefreshToken',
      payload: '{}',
      expires_at: '2999-01-01T00:00:00.000000Z',
    }
    const db = { first: () => Promise.resolve(row), all: () => Promise.resolve([row]) }
    const clock = { now: () => '2026-01-01T00:00:00.000000Z' }
    const store = new RequestStore({ db, clock } as unknown as Deps, 'own' as TenantId, 'https://own.example')
    for (const model of ['Session', 'Interaction', 'RefreshToken', 'AuthorizationCode']) {
      await assert.rejects(store.find(model, 'id'), /another tenant/, model)
    }
    await assert.rejects(store.findByUid('uid'), /another tenant/)
    await assert.rejects(store.findByUserCode('code'), /another tenant/)
  })
})
