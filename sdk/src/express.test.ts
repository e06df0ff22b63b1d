// The middleware in a real Express, with a fake issuer.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { bailiwickAuth, requireAuth, requireOrganizationPermission, requirePermission } from '@bailiwick/sdk/express'
import express from 'express'
import { authOptions, currentToken, publish, newKey } from '../test/issuer.ts'

const key = await newKey('key')
const { fetch: issuer, state } = publish([key.jwk])
const claims = {
  sessionId: 'csession01',
  permissions: ['orders:read'],
  orgId: 'corg000001',
  orgPermissions: ['bills:pay'],
}

describe('bailiwickAuth() in Express', () => {
  let origin: string
  let stop: () => void
  before(async () => {
    const app = express()
    app.get('/unguarded', requireAuth())
    app.use(bailiwickAuth({ ...authOptions, fetch: issuer }))
    app.get('/', (request, response) => void response.json({ user: request.auth?.user.id ?? null }))
    app.get('/me', requireAuth(), (request, response) => void response.json({ user: request.auth?.user.id }))
    app.get('/orders', requirePermission('orders:read'), (_request, response) => void response.json({ orders: [] }))
    app.post('/orders', requirePermission('orders:write'), (_request, response) => void response.json({}))
    app.post('/bills', requireOrganizationPermission('bills:pay'), (_request, response) => void response.json({}))
    app.get('/bills', requirePermission('bills:pay'), (_request, response) => void response.json({}))
    // Without a question mark: the handler gets requests of signed-in users only.
    app.get(
      '/own',
      requireAuth(({ auth }, response) => response.json({ user: auth.user.id })),
    )
    app.get(
      '/own/orders',
      requirePermission('orders:read', ({ auth }, response) => response.json(auth.permissions)),
    )
    app.get(
      '/own/bills',
      requireAuth(({ auth }) => auth.requirePermission('bills:pay')),
    )
    app.get(
      '/own/broken',
      requireAuth(async () => Promise.reject(new Error('the handler failed'))),
    )
    app.use((error: Error, _request: unknown, response: express.Response, _next: unknown) => {
      response.status(500).json({ error: error.message })
    })
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    stop = () => {
      server.closeAllConnections()
      server.close()
    }
  })
  after(() => stop())

  const ask = async (path: string, token?: string, method = 'GET') => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(origin + path, { method, headers })
    return { status: response.status, headers: response.headers, body: (await response.json()) as object }
  }

  it('gives the handlers the sender of the request', async () => {
    const token = await currentToken(key, { claims })
    assert.deepEqual((await ask('/', token)).body, { user: 'cuser00001' })
    assert.deepEqual((await ask('/me', token)).body, { user: 'cuser00001' })
  })

  it('refuses nothing by itself, so that pages for everybody stay open', async () => {
    assert.deepEqual((await ask('/')).body, { user: null })
    assert.deepEqual((await ask('/', 'a.b.c')).body, { user: null })
  })

  it('answers 401 if sign-in is required, and says whether the token was wrong', async () => {
    const nobody = await ask('/me')
    assert.equal(nobody.status, 401)
    assert.equal(nobody.headers.get('www-authenticate'), 'Bearer')
    assert.deepEqual(nobody.body, { status: 'error', code: 'unauthenticated', message: 'The user is not signed in.' })
    const forged = await ask('/me', await currentToken(await newKey('key'), { claims }))
    assert.equal(forged.status, 401)
    assert.equal(forged.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
  })

  // Guards: app-servers
  it('answers by the permissions of the role in the tenant or in the organization, and never mixes them', async () => {
    const token = await currentToken(key, { claims })
    const statuses = [
      (await ask('/orders', token)).status,
      (await ask('/orders', token, 'POST')).status,
      (await ask('/bills', token, 'POST')).status,
      (await ask('/bills', token)).status,
      (await ask('/orders')).status,
    ]
    assert.deepEqual(statuses, [200, 403, 200, 403, 401])
  })

  it('does not trust an identity set by other middleware, or by itself for another tenant', async () => {
    const app = express()
    const first = bailiwickAuth({ ...authOptions, fetch: issuer })
    const ofAnother = bailiwickAuth({ ...authOptions, publicKey: 'pk_live_2', fetch: issuer })
    const stranger: express.RequestHandler = (request, _response, next) => {
      Object.assign(request, { auth: { user: { id: 'somebody' } } })
      next()
    }
    const answer: express.RequestHandler = (_request, response) => void response.json({})
    app.get('/two-tenants', first, ofAnother, requireAuth(), answer)
    app.get('/stranger-before', stranger, first, requireAuth(), answer)
    app.get('/stranger-alone', stranger, requireAuth(), answer)
    app.use((error: Error, _request: unknown, response: express.Response, _next: unknown) => {
      response.status(500).json({ error: error.message })
    })
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const headers = { authorization: `Bearer ${await currentToken(key, { claims })}`, connection: 'close' }
    const statuses = [
      (await fetch(`${at}/two-tenants`, { headers })).status,
      (await fetch(`${at}/stranger-before`, { headers: { connection: 'close' } })).status,
      (await fetch(`${at}/stranger-alone`, { headers })).status,
    ]
    server.close()
    assert.deepEqual(statuses, [401, 401, 500])
  })

  it('passes requests of signed-in users to the handler of a guard, and answers the others', async () => {
    const token = await currentToken(key, { claims })
    assert.deepEqual((await ask('/own', token)).body, { user: 'cuser00001' })
    assert.deepEqual((await ask('/own/orders', token)).body, ['orders:read'])
    assert.equal((await ask('/own')).status, 401)
    assert.equal((await ask('/own/orders', await currentToken(key, { claims: { sessionId: 'c1' } }))).status, 403)
  })

  it('answers what the handler of a guard throws', async () => {
    const token = await currentToken(key, { claims })
    assert.equal((await ask('/own/bills', token)).status, 403)
    assert.deepEqual((await ask('/own/broken', token)).body, { error: 'the handler failed' })
  })

  it('reports that the middleware is missing', async () => {
    const { body, status } = await ask('/unguarded', await currentToken(key, { claims }))
    assert.deepEqual(
      [status, body],
      [500, { error: 'bailiwickAuth() must be used before requireAuth() and other handlers that need the user' }],
    )
  })

  it('answers 503 while the keys cannot be fetched', async () => {
    state.outage = new TypeError('fetch failed')
    const app = express()
    app.use(bailiwickAuth({ ...authOptions, fetch: issuer }))
    app.get('/me', requireAuth(), (_request, response) => void response.json({}))
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const headers = { authorization: `Bearer ${await currentToken(key, { claims })}`, connection: 'close' }
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/me`, { headers })
    server.close()
    state.outage = undefined
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '1')
  })
})
