// The plugin in a real Fastify, with a fake issuer.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bailiwickAuth, requireAuth, requireOrganizationPermission, requirePermission } from '@bailiwick/sdk/fastify'
import fastify from 'fastify'
import { authOptions, currentToken, newKey, publish } from '../test/issuer.ts'

const key = await newKey('key')
const { fetch: issuer } = publish([key.jwk])
const claims = {
  sessionId: 'csession01',
  permissions: ['orders:read'],
  orgId: 'corg000001',
  orgPermissions: ['bills:pay'],
}

async function createApp() {
  const app = fastify()
  await app.register(bailiwickAuth, { ...authOptions, fetch: issuer })
  const user = async ({ auth }: { auth: { user: { id: string } } | undefined }) => ({ user: auth?.user.id ?? null })
  app.get('/', user)
  app.get('/me', { preHandler: requireAuth() }, user)
  app.get('/orders', { preHandler: requirePermission('orders:read') }, async () => ({ orders: [] }))
  app.post('/orders', { preHandler: requirePermission('orders:write') }, async () => ({}))
  app.get(
    '/own',
    requireAuth(({ auth }) => ({ user: auth.user.id })),
  )
  app.get(
    '/own/bills',
    requireAuth(({ auth }) => auth.requirePermission('bills:pay')),
  )
  app.post('/bills', { preHandler: requireOrganizationPermission('bills:pay') }, async () => ({}))
  return app
}

describe('bailiwickAuth in Fastify', () => {
  const bearing = async () => ({ authorization: `Bearer ${await currentToken(key, { claims })}` })

  it('gives the handlers of the whole instance the sender of the request', async () => {
    const app = await createApp()
    const headers = await bearing()
    assert.deepEqual((await app.inject({ url: '/', headers })).json(), { user: 'cuser00001' })
    assert.deepEqual((await app.inject({ url: '/me', headers })).json(), { user: 'cuser00001' })
    assert.deepEqual((await app.inject({ url: '/' })).json(), { user: null })
  })

  it('answers 401 if sign-in is required', async () => {
    const app = await createApp()
    const { headers, json, statusCode } = await app.inject({ url: '/me' })
    assert.equal(statusCode, 401)
    assert.equal(headers['www-authenticate'], 'Bearer')
    assert.deepEqual(json(), { status: 'error', code: 'unauthenticated', message: 'The user is not signed in.' })
    const forged = await currentToken(await newKey('key'), { claims })
    const refused = await app.inject({ url: '/me', headers: { authorization: `Bearer ${forged}` } })
    assert.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"')
  })

  it('answers by permission', async () => {
    const app = await createApp()
    const headers = await bearing()
    const statuses = [
      (await app.inject({ url: '/orders', headers })).statusCode,
      (await app.inject({ method: 'POST', url: '/orders', headers })).statusCode,
      (await app.inject({ method: 'POST', url: '/bills', headers })).statusCode,
      (await app.inject({ url: '/orders' })).statusCode,
    ]
    assert.deepEqual(statuses, [200, 403, 200, 401])
  })

  it('passes requests of signed-in users to the handler of a guard, and answers the others', async () => {
    const app = await createApp()
    const headers = await bearing()
    assert.deepEqual((await app.inject({ url: '/own', headers })).json(), { user: 'cuser00001' })
    assert.equal((await app.inject({ url: '/own' })).statusCode, 401)
    assert.equal((await app.inject({ url: '/own/bills', headers })).statusCode, 403)
  })

  it('reports that the plugin is missing', async () => {
    const app = fastify()
    app.get('/', { preHandler: requireAuth() }, async () => ({}))
    assert.equal((await app.inject({ url: '/' })).statusCode, 500)
  })
})
