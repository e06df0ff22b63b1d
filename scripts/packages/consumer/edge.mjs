// Runs the published packages as an edge runtime does, bundled for it: in a context that has only the web's interfaces.
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { EdgeVM } from '@edge-runtime/vm'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }]
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
function tokenOf(claims) {
  const at = Math.floor(Date.now() / 1000)
  const payload = { iss: issuer, aud: 'pk_dev_1', sub: 'u1', iat: at, nbf: at, exp: at + 60, claims }
  const text = `${encoded({ alg: 'ES256', typ: 'at+jwt', kid: 'one' })}.${encoded(payload)}`
  return `${text}.${sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

// A service that publishes a key and knows one session.
const service = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url.includes('jwks.json')) return response.end(JSON.stringify({ keys }))
  if (request.headers.authorization === `Bearer se_${'a'.repeat(49)}`)
    return response.end(JSON.stringify({ status: 'success', data: { jwt: tokenOf({ sessionId: 's2' }) } }))
  response.statusCode = 401
  response.end(JSON.stringify({ status: 'error', code: 'unauthenticated', message: 'No.', requestId: 'r1' }))
})
await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${service.address().port}`
const token = tokenOf({ sessionId: 's1', permissions: ['orders:read'] })

const edge = new EdgeVM()
for (const name of ['Buffer', 'process', 'require', 'setImmediate']) {
  assert.equal(edge.evaluate(`typeof ${name}`), 'undefined', name)
}
edge.evaluate(readFileSync('edge-bundle.js', 'utf8'))
/** The same token with one letter of the signature changed. */
const forged = `${token.slice(0, -10)}${token.at(-10) === 'A' ? 'B' : 'A'}${token.slice(-9)}`
edge.context.given = { issuer, token, forged }
const answers = await edge.evaluate(`(async () => {
  const { forged, issuer, token } = given
  const { findAuth, verifyRequest } = sdk.createAuthenticator({ frontendApiUrl: issuer, publicKey: 'pk_dev_1' })
  const request = (headers) => new Request('https://app.example/orders', { headers })
  const bearer = (token) => request({ authorization: 'Bearer ' + token })
  const refusal = async (request) => {
    const response = await verifyRequest(request).then(() => undefined, (error) => error.toResponse())
    return response.status + ' ' + (await response.json()).code
  }
  const verify = sdk.createJwtVerifier({ jwksUrl: issuer + '/jwks.json', issuer, audience: 'pk_dev_1' })
  const auth = await verifyRequest(bearer(token))
  auth.requirePermission('orders:read')
  return [
    auth.user.id,
    (await verify(token)).claims.sessionId,
    (await verifyRequest(request({ cookie: '__Host-sid=se_' + 'a'.repeat(49) }))).sessionId,
    await refusal(request({})),
    await refusal(bearer(forged)),
    await refusal(request({ cookie: '__Host-sid=se_' + 'b'.repeat(49) })),
    String(await findAuth(request({}))),
  ].join(', ')
})()`)
assert.equal(answers, 'u1, s1, s2, 401 unauthenticated, 401 invalid_token, 401 unauthenticated, undefined')
service.closeAllConnections()
service.close()
console.log('everything works in an edge runtime')
