// What a plain JavaScript project does with the published packages; it runs there, on each Node.
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { errorCatalogue } from '@bailiwick/contract'
import openApi from '@bailiwick/contract/openapi.json' with { type: 'json' }
import { Bailiwick, BailiwickError, isBailiwickError } from '@bailiwick/sdk'
import { bailiwickAuth, requireAuth } from '@bailiwick/sdk/express'
import { bailiwickAuth as plugin, requireAuth as requireUser } from '@bailiwick/sdk/fastify'
import { BailiwickFrontend } from '@bailiwick/sdk/frontend'
import { JwtError, createJwtVerifier } from '@bailiwick/sdk/jwt'
import { createAuthenticator } from '@bailiwick/sdk/server'
import { verifyWebhook } from '@bailiwick/sdk/webhooks'
import express from 'express'
import express4 from 'express-4'
import fastify from 'fastify'
import fastify4 from 'fastify-4'

assert.equal(errorCatalogue.email_taken.status, 409)
assert.ok(openApi.paths['/tenants'])

// A fake service, which refuses every call and publishes a key.
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }]
const service = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url.includes('jwks.json')) return response.end(JSON.stringify({ keys }))
  response.statusCode = 404
  response.end(JSON.stringify({ status: 'error', code: 'not_found', message: 'None.', requestId: 'r1' }))
})
await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${service.address().port}`

const client = new Bailiwick({ baseUrl: `${issuer}/api/v0`, secretKey: 'sk_dev_1' })
const refused = await client.getTenant({ params: { id: 'c1' } }).catch((error) => error)
assert.ok(refused instanceof BailiwickError && isBailiwickError(refused, 'not_found'))
const frontend = new BailiwickFrontend({ baseUrl: issuer, publicKey: 'pk_dev_1' })
assert.ok(isBailiwickError(await frontend.getProfile().catch((error) => error), 'not_found'))

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const at = Math.floor(Date.now() / 1000)
const claims = { sessionId: 's1', permissions: ['orders:read'] }
const payload = { iss: issuer, aud: 'pk_dev_1', sub: 'u1', iat: at, nbf: at, exp: at + 60, claims }
const text = `${encoded({ alg: 'ES256', typ: 'at+jwt', kid: 'one' })}.${encoded(payload)}`
const token = `${text}.${sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
const verify = createJwtVerifier({ jwksUrl: `${issuer}/jwks.json`, issuer, audience: 'pk_dev_1' })
assert.equal((await verify(token)).sub, 'u1')
await assert.rejects(verify(`${token.slice(0, -1)}-`), JwtError)

const options = { frontendApiUrl: issuer, publicKey: 'pk_dev_1' }
const headers = { authorization: `Bearer ${token}` }
const { verifyRequest } = createAuthenticator(options)
assert.equal((await verifyRequest(new Request('http://app.example/', { headers }))).user.id, 'u1')

const servers = [service]
const asksForUser = async (origin, what) => {
  assert.deepEqual(await (await fetch(origin, { headers })).json(), { user: 'u1' }, what)
  const answer = await fetch(origin)
  assert.deepEqual([answer.status, (await answer.json()).code], [401, 'unauthenticated'], what)
}
for (const [version, framework] of Object.entries({ 5: express, 4: express4 })) {
  const app = framework()
  app.use(bailiwickAuth(options))
  app.get('/', requireAuth(), (request, response) => response.json({ user: request.auth.user.id }))
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  servers.push(server)
  await asksForUser(`http://127.0.0.1:${server.address().port}/`, `Express ${version}`)
}
for (const [version, framework] of Object.entries({ 5: fastify, 4: fastify4 })) {
  const app = framework()
  assert.equal(app.version.split('.')[0], version)
  await app.register(plugin, options)
  app.get('/', { preHandler: requireUser() }, async (request) => ({ user: request.auth.user.id }))
  await asksForUser(`${await app.listen({ host: '127.0.0.1', port: 0 })}/`, `Fastify ${version}`)
  servers.push(app.server)
}

const secret = Buffer.alloc(24, 7)
const content = JSON.stringify({ type: 'user.created' })
const signature = createHmac('sha256', secret).update(`msg_1.${at}.${content}`).digest('base64')
const message = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
const { id } = await verifyWebhook({ secret: `whsec_${secret.toString('base64')}`, headers: message, body: content })
assert.equal(id, 'msg_1')

for (const each of servers) {
  each.closeAllConnections()
  each.close()
}
console.log(`everything works on ${process.version}`)
