// Secrets with known values pass through every operation; then nothing that the service says, stores or logs may contain them.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type EndpointId, endpoints } from '@bailiwick/contract'
import { createLog } from '../../src/platform/log.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { dumpTables } from '../harness/databases/table-dump.ts'
import { unique } from '../harness/factories.ts'
import { storeKeptAccess } from '../harness/people/kept-access.ts'
import { type CallOptions, TestService, operatorKey, startTestService, testEnv } from '../harness/service.ts'
import { endpointIds, endsItsWorld, requests } from './requests.ts'
import { type World, createWorld } from './world.ts'

/** The operations that exist to show a secret. */
const revealing: ReadonlySet<string> = new Set([
  'getTenantEnv',
  'getSocialProviderSecret',
  'createApiKey',
  'createUserApiKey',
  'getProviderToken',
])

/** The names of write-only properties, in any body. */
const secretProperty = /^(password|clientSecret)$/

/** The forms in which a secret could leak into a text. */
function listSpellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}

describeOnEachEngine('secrets', (open) => {
  const logged: string[] = []
  const answered: { readonly id: EndpointId; readonly text: string }[] = []
  const secrets = new Map<string, string>([
    ['the operator key', operatorKey],
    ['the master key', testEnv.BAILIWICK_MASTER_KEY],
  ])
  let service: TestService
  let world: World

  const newSecret = (what: string) => {
    const secret = `canary-${unique()}-${unique()}`
    secrets.set(`${what} ${secret}`, secret)
    return secret
  }
  const send = async (id: EndpointId, options: CallOptions) => {
    const answer = await service.call(id, options)
    answered.push({ id, text: `${JSON.stringify(answer.headers)}\n${answer.text}` })
    return answer
  }
  /** Returns the request with every secret in it replaced by a canary. */
  const withCanaries = (id: EndpointId, request: CallOptions): CallOptions => {
    if (request.body === undefined) return request
    const { properties = {} } = (endpoints[id] as { body?: { properties?: object } }).body ?? {}
    const names = Object.keys(properties).filter((name) => secretProperty.test(name))
    const canaries = names.map((name) => [name, newSecret(`${id}'s ${name}`)])
    return { ...request, body: { ...(request.body as object), ...Object.fromEntries(canaries) } }
  }
  const assertNowhere = (places: readonly string[], where: string) => {
    for (const [what, secret] of secrets) {
      for (const spelling of listSpellings(secret)) {
        const found = places.find((text) => text.includes(spelling))
        assert.equal(found?.replaceAll(spelling, '[HERE]'), undefined, `${what} stands in ${where}`)
      }
    }
  }

  before(async () => {
    const { database } = await open()
    const log = createLog({ logLevel: 'trace' }, { write: (line: string) => void logged.push(line) })
    service = await startTestService(database, testEnv, () => ({ log }))
    world = await createWorld(service)
    secrets.set("the tenant's first key", world.secretKey)
    const kept = [newSecret('an access token of a provider'), newSecret('a refresh token of a provider')] as const
    await storeKeptAccess(service, world.tenantId, world.sessionUserId, kept)

    for (const id of endpointIds) {
      const request = withCanaries(id, requests[id].valid(endsItsWorld(id) ? await createWorld(service) : world))
      const { body: answer } = await send(id, request)
      if (id === 'createApiKey') secrets.set('an API key', String(answer['key']))
      if (id === 'createUserApiKey') secrets.set('an API key of a user', String(answer['key']))
      // Sent again, and wrongly: conflicts and broken rules are answered and logged differently from successes.
      await send(id, request)
      await send(id, { ...request, query: { unheardOf: '1' } })
      if (request.body !== undefined)
        await send(id, { ...request, body: { ...(request.body as object), unheardOf: 1 } })
      await send(id, { ...request, token: null })
      await send(id, { ...request, token: `${world.secretKey}x` })
      await send(id, { ...request, token: null, headers: { 'x-secret-key': world.secretKey } })
    }
    const rotated = requests.rotateTenantSecretKey.valid(world)
    await send('rotateTenantSecretKey', { ...rotated, token: operatorKey })
    const { body } = await service.call('getTenantEnv', { params: { id: world.tenantId } })
    secrets.set("the tenant's later key", String(body['BAILIWICK_SECRET_KEY']))
    await send('updateSocialProvider', {
      params: { id: world.providerId },
      body: { clientSecret: newSecret('a new client secret'), clientId: 'id' },
    })
  })
  after(() => service.app.close())

  it('existed and could have leaked: one of each kind was accepted', async () => {
    const kinds = [...secrets.keys()].join('\n')
    for (const kind of [
      'first key',
      'later key',
      "createUser's password",
      "createTenantMember's password",
      'clientSecret',
      'an API key',
      'an API key of a user',
      'an access token of a provider',
    ]) {
      assert.ok(kinds.includes(kind), kind)
    }
    assert.equal(new Set(secrets.values()).size, secrets.size)
    const dump = await dumpTables(service.deps.db)
    assert.ok((dump['passwords']?.length ?? 0) > 0)
    assert.ok(dump['social_providers']?.some((row) => !row.includes('"sealed_client_secret":null')))
    const env = await service.call('getTenantEnv', { params: { id: world.tenantId } })
    assert.ok(env.text.includes(secrets.get("the tenant's later key") ?? '-'), 'the search would find them')
  })

  // Guards: secrets-unseen
  it('are in no answer but those that exist to show them', () => {
    const others = answered.filter(({ id }) => !revealing.has(id))
    assert.ok(others.length > endpointIds.length * 4)
    assertNowhere(
      others.map(({ id, text }) => `${id} ${text}`),
      'an answer',
    )
  })

  it('are in no error of the operations that exist to show them', () => {
    const errors = answered.filter(({ id, text }) => revealing.has(id) && text.includes('"status":"error"'))
    assert.ok(errors.length > 0)
    assertNowhere(
      errors.map(({ text }) => text),
      'an error',
    )
  })

  it('are in no event', async () => {
    const { events = [] } = await dumpTables(service.deps.db)
    assert.ok(events.length > 10)
    assertNowhere(events, 'an event')
  })

  // Guards: secrets-unseen
  it('are in no column of any table in the clear', async () => {
    const tables = Object.entries(await dumpTables(service.deps.db))
    assertNowhere(
      tables.flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`)),
      'a table',
    )
  })

  // Guards: secrets-unseen
  it('are in no line of the log', () => {
    assert.ok(logged.length > endpointIds.length)
    assertNowhere(logged, 'the log')
  })

  it('are in no line of the log if the service fails while it processes them', async () => {
    const secret = newSecret('the password of a failing request')
    const failing = () =>
      Promise.reject(new Error(`could not hash`, { cause: { password: secret, body: `"${secret}"` } }))
    const broken = await startTestService(service.deps.db as never, testEnv, () => ({
      log: service.deps.log,
      passwordPool: { ...service.deps.passwordPool, hash: failing, verify: failing },
    }))
    const { status, text } = await broken.request({
      method: 'POST',
      url: '/api/v0/auth/users',
      headers: { host: 'id.test', authorization: `Bearer ${operatorKey}` },
      payload: { tenantId: world.tenantId, password: secret },
    })
    await broken.app.close()
    assert.equal(status, 500)
    assert.ok(logged.some((line) => line.includes('could not hash')))
    assertNowhere([text, ...logged], 'the log')
  })
})
