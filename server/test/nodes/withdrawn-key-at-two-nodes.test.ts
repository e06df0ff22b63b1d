// A signing key that has leaked is withdrawn at one node: what it has signed is refused at both, and neither publishes it or signs with it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JwkCertificate, UserApiKeyCheck, UserApiKeyWithKey } from '@bailiwick/contract'
import { type JSONWebKeySet, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { verifyEventLog } from '../../src/platform/events/verify.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { sealEverything } from '../harness/databases/event-log.ts'
import { storedEvents } from '../harness/databases/stored.ts'
import { createResource, createRole, createTenant } from '../harness/factories.ts'
import { createApplication, relyingParty } from '../harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import type { TestService } from '../harness/service.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

/** A change is at the other node within a second; a slow machine has half a minute. */
const [triesMax, pauseMs] = [600, 50]
async function until(what: string, isSo: () => Promise<boolean>) {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.ok(tries < triesMax, `waited in vain until ${what}`)
    await sleep(pauseMs)
  }
}
const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid ?? ''

describeOnTwoNodes('a signing key that is withdrawn', (nodes) => {
  const both = () => [nodes().one, nodes().other]
  const publishedAt = async (node: TestService, tenantId: string) => {
    const { host } = new URL(node.deps.config.baseUrl)
    const { text } = await node.request({ method: 'GET', url: `/t/${tenantId}/oauth/jwks`, headers: { host } })
    return (JSON.parse(text) as { keys: { kid: string; kty: string }[] }).keys
  }
  const listKeys = (tenantId: string) =>
    nodes().one.ok<JwkCertificate[]>('listJwkCertificates', { query: { tenantId } })
  const withdraw = (tenantId: string, id: string) =>
    nodes().one.ok<JwkCertificate[]>('withdrawJwkCertificate', { params: { id }, body: { tenantId } })

  async function world() {
    const { one, other } = nodes()
    const tenant = await tenantWith(one)
    const { browser } = await signedInUser(one, tenant)
    const machineScopes = [{ resourceId: 'management', scopes: ['users:read'] }]
    const machine = await createApplication(one, tenant.id, { type: 'machine', machineScopes })
    const there = new Browser(other, tenant.publicKey, browser.headers)
    return {
      tenantId: tenant.id,
      sessionJwt: async (by: Browser = browser) => (await by.ok<{ jwt: string }>('createOwnToken', { body: {} })).jwt,
      accessJwt: async (node: TestService = one) => {
        const rp = await relyingParty(node, tenant.id, machine)
        return (await client.clientCredentialsGrant(rp, { scope: 'users:read' })).access_token
      },
      there,
      /** Whether each node accepts a session's JWT and an access token. */
      accepted: async (sessionJwt: string, accessJwt: string) => {
        const accepting = both().map(async (node) => {
          const reader = new Browser(node, tenant.publicKey, { authorization: `Bearer ${sessionJwt}` })
          const read = await reader.call('getProfile')
          const listed = await node.call('listUsers', { query: { tenantId: tenant.id }, token: accessJwt })
          return [read.status, listed.status]
        })
        return Promise.all(accepting)
      },
    }
  }

  // Guards: withdrawn-keys
  it('verifies nothing any more at any node, and a new key signs at once', async () => {
    const { tenantId, sessionJwt, accessJwt, there, accepted } = await world()
    const [session, access] = [await sessionJwt(), await accessJwt()]
    await sessionJwt(there)
    for (const node of both())
      assert.deepEqual(
        (await publishedAt(node, tenantId)).map(({ kid }) => kid),
        [kidOf(session)],
      )
    assert.deepEqual(await accepted(session, access), [
      [200, 200],
      [200, 200],
    ])

    const [leaked] = await listKeys(tenantId)
    const [fresh, ...rest] = await withdraw(tenantId, leaked?.id ?? '')
    assert.ok(fresh !== undefined && fresh.id !== leaked?.id && rest.length === 0)
    assert.deepEqual(await accepted(session, access), [
      [401, 401],
      [401, 401],
    ])
    const isGone = async (node: TestService) =>
      (await publishedAt(node, tenantId)).every(({ kid }) => kid !== kidOf(session))
    assert.ok(await isGone(nodes().one))
    await until('the other node publishes it no more', () => isGone(nodes().other))
    await until('the other node signs with the new key', async () => kidOf(await sessionJwt(there)) !== kidOf(session))
    const anew = [await sessionJwt(), await accessJwt()] as const
    assert.notEqual(kidOf(anew[0]), kidOf(session))
    assert.equal(kidOf(await accessJwt(nodes().other)), kidOf(anew[1]))
    assert.deepEqual(await accepted(...anew), [
      [200, 200],
      [200, 200],
    ])

    const events = await storedEvents(nodes().one, tenantId)
    assert.deepEqual(
      events
        .map(({ type }) => type)
        .filter((type) => type.startsWith('signing_key.'))
        .toSorted(),
      ['signing_key.rotated', 'signing_key.withdrawn'],
    )
    await sealEverything(nodes().one.deps)
    assert.deepEqual((await verifyEventLog(nodes().one.deps, tenantId as TenantId)).problems, [])
  })

  // Guards: withdrawn-keys
  it('leaves what other keys have signed, and is not replaced by a key that was retired long ago', async () => {
    const { tenantId, sessionJwt, accessJwt, accepted } = await world()
    const [session, access] = [await sessionJwt(), await accessJwt()]
    await nodes().one.ok('rotateJwkCertificates', { body: { tenantId } })
    nodes().advance(16 * 60_000)
    const [newest] = await listKeys(tenantId)
    await withdraw(tenantId, newest?.id ?? '')
    const left = await listKeys(tenantId)
    assert.equal(left.length, 2)
    assert.notEqual(kidOf(await accessJwt()), kidOf(access))
    assert.notEqual(kidOf(await sessionJwt()), kidOf(session))
    const [oldest] = left.toReversed()
    await withdraw(tenantId, oldest?.id ?? '')
    assert.equal((await listKeys(tenantId)).length, 1)
    assert.deepEqual(await accepted(session, access), [
      [401, 401],
      [401, 401],
    ])
  })

  // Guards: withdrawn-keys
  it('may be one for RS256, and is found in its own tenant alone', async () => {
    const { one } = nodes()
    const { tenantId } = await world()
    const other = await tenantWith(one)
    const body = { tenantId, name: 'Older client', type: 'web', redirectUris: ['https://app.example/back'] }
    await one.ok('createApplication', { body: { ...body, idTokenSigningAlg: 'RS256' } })
    const rsa = (await publishedAt(one, tenantId)).find(({ kty }) => kty === 'RSA')
    const all = await listKeys(tenantId)
    const leaked = all.find((key) => key.public.length > 300)
    assert.ok(rsa !== undefined && leaked !== undefined)
    const params = { id: leaked.id }
    await one.refused('withdrawJwkCertificate', 'not_found', { params, body: { tenantId: other.id } })
    await withdraw(tenantId, leaked.id)
    const after = (await publishedAt(one, tenantId)).filter(({ kty }) => kty === 'RSA')
    assert.equal(after.length, 1)
    assert.notEqual(after[0]?.kid, rsa.kid)
    await one.refused('withdrawJwkCertificate', 'not_found', { params, body: { tenantId } })
  })
})

describeOnTwoNodes('an API key of a user at two nodes', (nodes) => {
  async function world() {
    const { one, other } = nodes()
    const { tenant } = await createTenant(one)
    const body = { userApiKeysEnabled: true, userApiKeyPrefix: 'acme_live_' }
    await one.ok('putAuthTenant', { params: { id: tenant.id }, body })
    await createResource(one, tenant.id, { scopes: [{ name: 'reports:read' }] })
    const role = await createRole(one, tenant.id, { permissions: ['reports:read'] })
    const { browser } = await signedInUser(one, tenant, { roleId: role.id })
    const application = await createApplication(one, tenant.id, {
      type: 'machine',
      grantTypes: ['urn:bailiwick:api-key'],
    })
    const basic = Buffer.from(`${application.clientId}:${application.secret}`).toString('base64')
    const issuer = `/t/${tenant.id}/oauth`
    const send = (node: TestService, method: 'GET' | 'POST', path: string, more: object = {}) =>
      node.app.inject({ method, url: `${issuer}${path}`, headers: { host: readHost(node) }, ...more })
    const isValid = async (node: TestService, key: string): Promise<boolean> => {
      const { valid } = await node.ok<UserApiKeyCheck>('verifyUserApiKey', { body: { tenantId: tenant.id, key } })
      const asked = { query: { tenantId: tenant.id }, headers: { 'x-api-key': key } }
      const { status } = await node.call('authorizeUserApiKey', asked)
      // The node may hear of the end between the two.
      return (status === 200) === valid ? valid : isValid(node, key)
    }
    return {
      tenant,
      isValid,
      create: async () => {
        const made = { name: 'Script', scopes: ['reports:read'] }
        return (await browser.ok<{ apiKey: UserApiKeyWithKey }>('createOwnApiKey', { body: made })).apiKey
      },
      end: (id: string) => browser.ok('deleteOwnApiKey', { params: { id } }),
      exchange: (node: TestService, key: string) =>
        send(node, 'POST', '/token', {
          headers: {
            host: readHost(node),
            authorization: `Basic ${basic}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          payload: new URLSearchParams({ grant_type: 'urn:bailiwick:api-key', api_key: key }).toString(),
        }),
      keysAt: async (node: TestService) => createLocalJWKSet((await send(node, 'GET', '/jwks')).json<JSONWebKeySet>()),
      other,
      one,
    }
  }
  const readHost = ({ deps }: TestService) => new URL(deps.config.baseUrl).host

  // Guards: keys-of-users
  it('is valid at both, also as a JWT of either, and ends at both when it ends at one or is reported there', async () => {
    const { one, other, tenant, create, end, isValid, exchange, keysAt } = await world()
    const endings: Readonly<Record<string, (apiKey: UserApiKeyWithKey) => Promise<unknown>>> = {
      ended: ({ id }) => end(id),
      reported: ({ key }) => one.ok('reportUserApiKey', { body: { tenantId: tenant.id, key } }),
    }
    for (const [how, take] of Object.entries(endings)) {
      const apiKey = await create()
      const { key } = apiKey
      for (const node of [one, other, other]) assert.equal(await isValid(node, key), true, how)
      const [signer, verifier] = how === 'ended' ? [one, other] : [other, one]
      const answer = await exchange(signer, key)
      const { access_token: jwt = '' } = answer.json<{ access_token?: string }>()
      const { payload } = await jwtVerify(jwt, await keysAt(verifier), {
        typ: 'api-key+jwt',
        audience: tenant.publicKey,
        currentDate: new Date(verifier.deps.clock.nowMs()),
        // The clock of the node that has signed it may have entered the next second before that of the other.
        clockTolerance: 2,
      })
      assert.equal(payload['scope'], 'reports:read')
      await take(apiKey)
      assert.equal(await isValid(one, key), false, how)
      await until('the other node refuses it', async () => !(await isValid(other, key)))
      assert.equal((await exchange(other, key)).statusCode, 400)
      assert.equal(await isValid(other, key), false)
    }
  })
})
