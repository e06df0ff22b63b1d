// The metadata and keys of tenants are kept in memory as bytes, and the provider of puzzles with the tenant. What changes at one node changes at
// the other, and no tenant's bytes answer for another.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantDomain } from '@bailiwick/contract'
import { sql } from '../../src/platform/db/sql.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { puzzleFor } from '../harness/people/puzzles.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import { type TestService, testEnv } from '../harness/service.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

interface Asked {
  readonly method?: 'GET' | 'HEAD'
  readonly host?: string
  readonly headers?: Record<string, string>
}

const discovery = '/.well-known/openid-configuration'
const keys = '/oauth/jwks'
/** A change is at the other node within a second; a slow machine has half a minute. */
const [triesMax, pauseMs] = [600, 50]

describeOnTwoNodes('the metadata and the keys of a tenant at two nodes', (nodes) => {
  const ownHost = () => new URL(nodes().one.deps.config.baseUrl).host
  const ask = (node: TestService, url: string, { method = 'GET', host = ownHost(), headers = {} }: Asked = {}) =>
    node.request({ method, url, headers: { host, ...headers } })
  const both = (url: string, asked?: Asked) =>
    Promise.all([nodes().one, nodes().other].map((node) => ask(node, url, asked)))
  /** Waits until both nodes answer as they must; fails with what they answered last. */
  const become = async (url: string, isRight: (text: string, status: number) => boolean, asked?: Asked) => {
    for (let tries = 0; ; tries++) {
      const answers = await both(url, asked)
      if (answers.every(({ text, status }) => isRight(text, status))) return answers
      assert.ok(tries < triesMax, `${url} is still ${answers.map(({ text }) => text).join(' and ')}`)
      await sleep(pauseMs)
    }
  }
  const tenantWithDomain = async () => {
    const { one } = nodes()
    const { tenant } = await createTenant(one)
    const body = { tenantId: tenant.id, name: `id-${unique()}.example` }
    const domain = await one.ok<TenantDomain>('createDomain', { body })
    await one.deps.db.write(() => [
      sql`UPDATE domains SET verified_at = ${one.deps.clock.now()} WHERE id = ${domain.id}`,
    ])
    const put = (change: object) => one.ok('putOAuthSettings', { params: { id: tenant.id }, body: change })
    return { tenant, domain, put, path: `/t/${tenant.id}` }
  }

  it('change with the settings, a rotation, the domain and the end of the tenant', async () => {
    const { one } = nodes()
    const { tenant, domain, put, path } = await tenantWithDomain()
    const inserted = `${discovery}${path}`
    for (const url of [path + discovery, inserted]) for (const { status } of await both(url)) assert.equal(status, 200)
    await put({ registrationEnabled: true })
    for (const url of [path + discovery, inserted]) await become(url, (text) => text.includes('registration_endpoint'))
    await one.ok('putPages', { params: { id: tenant.id }, body: { languages: ['de', 'en'] } })
    for (const url of [path + discovery, inserted]) {
      await become(url, (text) => text.includes('"ui_locales_supported":["de","en"]'))
    }
    const [before] = await both(path + keys)
    await one.ok('rotateJwkCertificates', { body: { tenantId: tenant.id } })
    const [rotated] = await become(path + keys, (text) => text !== before?.text)
    assert.equal((JSON.parse(rotated?.text ?? '') as { keys: object[] }).keys.length, 2)
    await put({ registrationEnabled: true, issuerDomain: domain.name, issuerGraceSeconds: 0 })
    await become(path + discovery, (_text, status) => status === 404)
    const atDomain = { host: domain.name }
    const issuer = `"issuer":"https://${domain.name}"`
    await become(discovery, (text) => text.includes(issuer), atDomain)
    await become(keys, (text) => text === rotated?.text, atDomain)
    await one.ok('deleteDomain', { params: { id: domain.id } })
    for (const url of [discovery, keys]) await become(url, (_text, status) => status === 404, atDomain)
    await become(path + discovery, (_text, status) => status === 200)
    await one.ok('deleteTenant', { params: { id: tenant.id } })
    for (const url of [path + discovery, path + keys]) await become(url, (_text, status) => status === 404)
  })

  it('are of the tenant that path and host name, whoever was asked for before', async () => {
    const [first, second] = [await tenantWithDomain(), await tenantWithDomain()]
    await second.put({ issuerDomain: second.domain.name })
    const own = `http://${ownHost()}`
    for (let turn = 0; turn < 2; turn++) {
      for (const [url, host, issuer] of [
        [`${first.path}${discovery}`, ownHost(), own + first.path],
        [`${second.path}${discovery}`, ownHost(), own + second.path],
        [discovery, second.domain.name, `https://${second.domain.name}`],
        // The path decides; a name that somebody has made up appears nowhere.
        [`${first.path}${discovery}`, 'evil.example', own + first.path],
      ] as const) {
        for (const { text } of await both(url, { host })) {
          assert.equal((JSON.parse(text) as { issuer: string }).issuer, issuer, url)
        }
      }
      const [ofFirst, ofSecond] = [await both(first.path + keys), await both(second.path + keys)]
      assert.equal(new Set(ofFirst.map(({ text }) => text)).size, 1)
      assert.notEqual(ofFirst[0]?.text, ofSecond[0]?.text)
    }
  })

  it('answer HEAD as GET, and 304 to whoever has them, and are for pages of every origin', async () => {
    const { path } = await tenantWithDomain()
    for (const [url, type] of [
      [path + discovery, 'application/json'],
      [path + keys, 'application/jwk-set+json'],
    ] as const) {
      const got = await ask(nodes().one, url)
      const { etag } = got.headers as { etag: string }
      const shared = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300', vary: 'Host', etag }
      const shown = { ...shared, 'content-type': type, 'content-length': String(Buffer.byteLength(got.text)) }
      assert.partialDeepStrictEqual(got.headers, shown)
      const head = await ask(nodes().other, url, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text], [200, ''])
      assert.partialDeepStrictEqual(head.headers, shown)
      for (const given of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await ask(nodes().other, url, { headers: { 'if-none-match': given } })
        assert.deepEqual([again.status, again.text], [304, ''])
        assert.partialDeepStrictEqual(again.headers, shared)
      }
      assert.equal((await ask(nodes().one, url, { headers: { 'if-none-match': '"other"' } })).status, 200)
    }
  })
})

describeOnTwoNodes(
  'the provider of puzzles at two nodes',
  (nodes) => {
    it('changes at both with the settings, and is the service itself once they are deleted', async () => {
      const { one, other } = nodes()
      const tenant = await tenantWith(one, { challengeOnSignUp: 'always' })
      const params = { id: tenant.id }
      const put = (provider: 'turnstile' | 'hcaptcha') => () =>
        one.ok('putChallengeProvider', { params, body: { provider, siteKey: 'site', secret: 'secret' } })
      const changes: [does: () => Promise<unknown>, provider: string][] = [
        [async () => undefined, 'proof_of_work'],
        [put('turnstile'), 'turnstile'],
        [put('hcaptcha'), 'hcaptcha'],
        [() => one.ok('deleteChallengeProvider', { params }), 'proof_of_work'],
      ]
      const providerAt = async (node: TestService) =>
        (await puzzleFor(new Browser(node, tenant.publicKey), 'sign_up'))?.provider
      for (const [does, provider] of changes) {
        await does()
        assert.equal(await providerAt(one), provider)
        for (let tries = 0; (await providerAt(other)) !== provider; tries++) {
          assert.ok(tries < triesMax, 'the other node has not heard of it')
          await sleep(pauseMs)
        }
      }
    })
  },
  // Nothing listens there: whether the secret is known cannot be asked.
  { ...testEnv, BAILIWICK_CHALLENGE_VERIFY_URL: 'http://127.0.0.1:1/siteverify' },
)
