// Idempotency-Key: a repeated request has its effect once and gets the first answer again.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { ApiKeyWithKey, ErrorBody, Tenant } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import {
  serviceInTheFuture,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { assertWritesNothing, dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { type TestTenant, createApiKey, createTenant, unique } from '../../../test/harness/factories.ts'
import { addMember, flagsOf, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import {
  type Answer,
  type TestService,
  describeService,
  startTestService,
  testEnv,
} from '../../../test/harness/service.ts'
import type { Database } from '../db/database.ts'
import { keptMs, removeOldKeys } from './idempotency.ts'

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
const isReplayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'
const rolesOf = async (service: TestService, { tenant }: TestTenant) =>
  (await storedEvents(service, tenant.id, 'role.created')).length
const createRole = (service: TestService, { tenant, secretKey }: TestTenant, key: string, name = 'Reader') =>
  service.call('createRole', { body: { tenantId: tenant.id, name }, token: secretKey, ...withKey(key) })

describeService('a POST with an Idempotency-Key', (service) => {
  let own: TestTenant
  before(async () => {
    own = await createTenant(service())
  })

  it('gets the same answer the second time, byte for byte, and has its effect once', async () => {
    const tenant = await createTenant(service())
    const held = await rolesOf(service(), tenant)
    const first = await createRole(service(), tenant, 'a')
    const second = await createRole(service(), tenant, 'a')
    assert.deepEqual([first.status, isReplayed(first)], [200, false])
    assert.deepEqual([second.status, second.text, isReplayed(second)], [200, first.text, true])
    assert.equal(second.headers['content-type'], first.headers['content-type'])
    assert.equal(await rolesOf(service(), tenant), held + 1)
    assert.equal((await createRole(service(), tenant, 'b')).status, 409, 'another key is another request')
  })

  it('has its effect once even if two hundred are sent at once', async () => {
    const tenant = await createTenant(service())
    const held = await storedCounter(service(), tenant.tenant.id, 'webhooks')
    const answers = await atOnce(200, () =>
      service().call('createWebhook', {
        body: { tenantId: tenant.tenant.id, url: 'https://hooks.example/in', events: ['*'] },
        token: tenant.secretKey,
        ...withKey('storm'),
      }),
    )
    const { 200: succeeded = 0, 409: waiting = 0 } = statusCounts(answers)
    assert.ok(succeeded >= 1)
    assert.equal(succeeded + waiting, 200)
    assert.equal(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size, 1)
    for (const { status, body, headers } of answers) {
      if (status !== 409) continue
      assert.equal((body as unknown as ErrorBody).code, 'idempotency_key_in_use')
      assert.match(String(headers['retry-after']), /^\d+$/)
    }
    assert.equal((await storedCounter(service(), tenant.tenant.id, 'webhooks')) - held, 1)
  })

  it('is refused with 422 if the key was used for another body, and changes nothing', async () => {
    await createRole(service(), own, 'reused', 'One')
    await assertWritesNothing(service().deps.db, async () => {
      const { body, status } = await createRole(service(), own, 'reused', 'Other')
      assert.deepEqual([status, (body as unknown as ErrorBody).code], [422, 'idempotency_key_reused'])
    })
  })

  it("shares its key with no other operation, no other record's, no other caller and no other tenant", async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const role = await createRole(service(), one, 'k')
    assert.equal(isReplayed(await createRole(service(), other, 'k')), false)
    const name = 'Reader'
    const elsewhere = await service().call('createOrganization', {
      body: { tenantId: one.tenant.id, name },
      token: one.secretKey,
      ...withKey('k'),
    })
    assert.deepEqual([elsewhere.status, isReplayed(elsewhere)], [200, false])
    const keys = [
      await createApiKey(service(), one.tenant.id, ['admin']),
      await createApiKey(service(), one.tenant.id, ['admin']),
    ]
    const mine = { tenantId: one.tenant.id, name: unique() }
    const [first, second] = keys.map(
      ({ key: token }) =>
        () =>
          service().call('createRole', { body: mine, token, ...withKey('k') }),
    )
    assert.deepEqual([(await first?.())?.status, (await second?.())?.status], [200, 409])
    for (const caller of [keys[1]?.key, undefined]) {
      const { status } = await service().call('createRole', {
        body: { tenantId: one.tenant.id, name },
        ...(caller === undefined ? {} : { token: caller }),
        ...withKey('k'),
      })
      assert.equal(status, 409, 'it is not told what another was answered')
    }
    assert.equal(isReplayed(await createRole(service(), one, 'k')), true)
    assert.equal((role.body as { name: string }).name, name)
  })

  it('keeps no error: a refused request may be repeated and succeed', async () => {
    const tenant = await createTenant(service())
    const blocker = await createRole(service(), tenant, 'x')
    assert.equal((await createRole(service(), tenant, 'retry')).status, 409)
    await service().ok('deleteRole', { params: { id: (blocker.body as { id: string }).id } })
    const again = await createRole(service(), tenant, 'retry')
    assert.deepEqual([again.status, isReplayed(again)], [200, false])
    const invalid = await createRole(service(), tenant, 'invalid', '')
    assert.equal(invalid.status, 400)
    assert.equal((await createRole(service(), tenant, 'invalid', 'Writer')).status, 200)
  })

  it('gets the same answer again even if it changes nothing', async () => {
    const body = { tenantId: own.tenant.id, type: 'email', name: unique(), body: 'Hi {{ code }}' }
    const { id } = await service().ok<{ id: string }>('createTemplate', { body })
    const preview = () =>
      service().call('previewTemplate', { params: { id }, body: { variables: { code: '1' } }, ...withKey('p') })
    const first = await preview()
    await service().ok('updateTemplate', { params: { id }, body: { body: 'Bye' } })
    const second = await preview()
    assert.deepEqual([second.text, isReplayed(second)], [first.text, true])
  })

  it('may create a tenant, as the operator and as a console user', async () => {
    const { token } = await signInConsoleUser(service())
    for (const caller of [undefined, token]) {
      const create = () =>
        service().call<Tenant>('createTenant', {
          body: { name: 'Twice', environment: 'development' },
          ...(caller === undefined ? {} : { token: caller }),
          ...withKey('tenant'),
        })
      const [first, second] = [await create(), await create()]
      assert.deepEqual([first.status, second.body.id, isReplayed(second)], [200, first.body.id, true])
    }
  })

  it('shows a secret again to the caller that has seen it, and stores neither it nor the request in the clear', async () => {
    const create = () =>
      service().call<ApiKeyWithKey>('createApiKey', {
        body: { tenantId: own.tenant.id, name: 'Shown twice', scopes: ['admin'] },
        token: own.secretKey,
        ...withKey('secret'),
      })
    const [first, second] = [await create(), await create()]
    assert.equal(second.body.key, first.body.key)
    const password = `correct horse ${unique()}`
    await service().ok('createUser', {
      body: { tenantId: own.tenant.id, email: `${unique()}@example.com`, password },
      token: own.secretKey,
      ...withKey('password'),
    })
    const { idempotency_keys: rows = [] } = await dumpTables(service().deps.db)
    assert.ok(rows.length >= 2)
    for (const text of [first.body.key, password, 'Shown twice']) assert.ok(!rows.join('\n').includes(text))
  })

  it('is not answered again for a caller that has lost the permission since', async () => {
    const user = await signInConsoleUser(service())
    const member = await addMember(service(), own.tenant.id, user, 'roleEditConfig')
    const body = { tenantId: own.tenant.id, name: 'Fixed', scopes: ['config:read'] }
    const again = () => service().call('createApiKey', { body, token: user.token, ...withKey('right') })
    assert.equal((await again()).status, 200)
    assert.equal(isReplayed(await again()), true)
    await service().ok('updateTenantMember', { params: { id: member.id }, body: flagsOf('roleViewUsers') })
    const { status, text } = await again()
    assert.equal(status, 403)
    assert.ok(!text.includes('ak_'))
  })

  it('is not answered again for a caller that has lost the permission to read the second tenant since', async () => {
    const [{ tenant: from }, { tenant: to }] = [await createTenant(service()), await createTenant(service())]
    const user = await signInConsoleUser(service())
    await addMember(service(), to.id, user, 'roleEditConfig', 'roleEditUsers')
    const member = await addMember(service(), from.id, user, 'roleViewConfig')
    const body = { tenantId: from.id, toTenantId: to.id }
    const again = () => service().call('cloneTemplates', { body, token: user.token, ...withKey('second') })
    assert.equal((await again()).status, 200)
    assert.equal(isReplayed(await again()), true)
    await service().ok('updateTenantMember', { params: { id: member.id }, body: flagsOf('roleViewUsers') })
    const { status, text } = await again()
    assert.equal(status, 403)
    assert.ok(!text.includes('outcome'))
  })

  it('is refused with 400 if the key is empty, too long or not of visible ASCII', async () => {
    for (const key of ['', 'x'.repeat(256), 'two words', 'ü', 'tab\there']) {
      const { status, body } = await createRole(service(), own, key, unique())
      assert.deepEqual([status, (body as unknown as ErrorBody).issues?.[0]?.path], [400, '/idempotency-key'], key)
    }
    assert.equal((await createRole(service(), own, 'x'.repeat(255), unique())).status, 200)
  })

  it('is refused with 400 if lines are streamed', async () => {
    const { issues } = await service().refused('importUsers', 'validation_failed', {
      query: { tenantId: own.tenant.id },
      body: [{ email: 'ada@acme.example' }],
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'k' },
    })
    assert.equal(issues?.[0]?.path, '/idempotency-key')
  })

  it('writes no key without the header', async () => {
    const { idempotency_keys: held = [] } = await dumpTables(service().deps.db)
    await service().ok('createRole', { body: { tenantId: own.tenant.id, name: unique() } })
    await service().ok('putTenantBrand', {
      params: { id: own.tenant.id },
      body: { primary: '#000' },
      ...withKey('put'),
    })
    assert.deepEqual((await dumpTables(service().deps.db))['idempotency_keys'], held)
  })

  it('may use the key of a request that is a day old', async () => {
    const tenant = await createTenant(service())
    await createRole(service(), tenant, 'old')
    const almost = await serviceInTheFuture(service(), keptMs - 60_000)
    await removeOldKeys(almost.deps)
    assert.equal(isReplayed(await createRole(service(), tenant, 'old')), true)
    await almost.app.close()
    const later = await serviceInTheFuture(service(), keptMs + 1000)
    await removeOldKeys(later.deps)
    await later.app.close()
    assert.equal((await createRole(service(), tenant, 'old')).status, 409, 'it is a request of its own again')
  })
})

describeOnEachEngine('a POST with an Idempotency-Key that is cut off', (open) => {
  let service: TestService
  let database: Database
  before(async () => {
    ;({ database } = await open())
    service = await startTestService(database as never)
  })
  after(() => service.app.close())

  /** One operation that writes in a single step, and one whose transaction reads first. */
  const requestsOf = ({ tenant: { id: tenantId } }: TestTenant) => ({
    createRole: { tenantId, name: 'Reader' },
    createWebhook: { tenantId, url: 'https://hooks.example/in', events: ['*'] },
  })
  const eventsOf = async ({ tenant }: TestTenant) => (await storedEvents(service, tenant.id)).length

  for (const id of ['createRole', 'createWebhook'] as const) {
    it(`after its effect has none again: ${id} takes the key in the same transaction`, async () => {
      const tenant = await createTenant(service)
      const send = (to: TestService) =>
        to.call<ErrorBody>(id, { body: requestsOf(tenant)[id], token: tenant.secretKey, ...withKey('cut') })
      let isDead = false
      const lastWrite = async <T>(write: () => Promise<T>): Promise<T> => {
        if (isDead) throw new Error('the process has ended')
        isDead = true
        return write()
      }
      const dying = await startTestService(database as never, testEnv, () => ({
        db: {
          ...bound(database),
          transaction: (body) => lastWrite(() => database.transaction(body)),
          write: (build) => lastWrite(() => database.write(build)),
        },
      }))
      isDead = false
      await send(dying)
      await dying.app.close()
      const events = await eventsOf(tenant)
      assert.equal((await send(service)).body.code, 'idempotency_key_in_use')
      const later = await serviceInTheFuture(service, 10 * 60_000)
      const answer = await send(later)
      await later.app.close()
      assert.deepEqual([answer.status, answer.body.code], [409, 'idempotency_answer_lost'])
      assert.equal(await eventsOf(tenant), events)
    })
  }
})

describeOnEachEngine('two nodes on one database', (open) => {
  // Guards: used-once
  it('give two hundred requests with one key one effect between them', async () => {
    const { database } = await open()
    const nodes = [await startTestService(database), await startTestService(database)] as const
    const tenant = await createTenant(nodes[0])
    const held = await rolesOf(nodes[0], tenant)
    const answers = await atOnce(200, (n) => createRole(nodes[(n % 2) as 0 | 1], tenant, 'both'))
    const bodies = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))
    assert.equal(bodies.size, 1)
    for (const { status, body } of answers) {
      if (status !== 200) assert.equal((body as unknown as ErrorBody).code, 'idempotency_key_in_use')
    }
    assert.equal(await rolesOf(nodes[0], tenant), held + 1)
    for (const node of nodes) await node.app.close()
  })
})

/** Returns the methods of an object of a class, for a test that replaces some. */
const bound = (db: Database): Database => ({
  engine: db.engine,
  all: (statement) => db.all(statement),
  first: (statement) => db.first(statement),
  transaction: (body) => db.transaction(body),
  write: (build) => db.write(build),
  snapshot: (read) => db.snapshot(read),
  check: () => db.check(),
  close: () => db.close(),
})
