// Two nodes over one PostgreSQL: what one changes, the other must know within a second, even if NOTIFY does not reach it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { inTime, untilKnown } from '../harness/in-time.ts'
import { decide } from '../harness/outside/hook-server.ts'
import { WebhookReceiver, answer } from '../harness/outside/webhook-receiver.ts'
import { type Deployment, type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'

interface KnownTenant {
  readonly id: string
  readonly publicKey: string
  readonly secretKey: string
}

let deployment: Deployment
let one: ServiceProcess
let other: ServiceProcess
before(async () => {
  deployment = await newDeployment('postgresql')
  one = await startService(deployment.env)
  other = await startService(deployment.env)
})

const secretKeyOf = async (id: string) =>
  String((await request(`${one.api}/auth/tenants/${id}/env?scope=secret`)).body['BAILIWICK_SECRET_KEY'])

const statusAt = async (node: ServiceProcess, key: string, path: string) =>
  (await request(node.api + path, { headers: { authorization: `Bearer ${key}` } })).status

/** A tenant whose key and record the other node has in memory. */
async function tenantInMemory(): Promise<KnownTenant> {
  const { body } = await request(`${one.api}/tenants`, { json: { name: 'Known to both', environment: 'production' } })
  const id = String(body['id'])
  const publicKey = String(body['publicKey'])
  const secretKey = await secretKeyOf(id)
  for (let times = 0; times < 3; times++) {
    assert.equal(await statusAt(other, secretKey, `/tenants/pkey/${publicKey}`), 200)
  }
  return { id, publicKey, secretKey }
}

async function assertRotationIsKnown({ id, publicKey, secretKey }: KnownTenant) {
  const path = `/tenants/pkey/${publicKey}`
  await request(`${one.api}/tenants/${id}/rotate-secret-key?graceSeconds=0`, { method: 'POST' })
  assert.equal(await statusAt(one, secretKey, path), 401)
  await untilKnown('the other node refuses the old key', async () => (await statusAt(other, secretKey, path)) === 401)
  assert.equal(await statusAt(other, await secretKeyOf(id), path), 200)
  // Once refused, refused for ever: nothing that was read before restores it.
  for (let times = 0; times < 5; times++) assert.equal(await statusAt(other, secretKey, path), 401)
}

async function assertDeletionIsKnown({ id }: KnownTenant) {
  const json = { tenantId: id, name: 'Export', scopes: ['config:read'] }
  const { body } = await request(`${one.api}/api-keys`, { method: 'POST', json })
  const key = String(body['key'])
  const path = `/tenants/${id}`
  for (const node of [other, one, other]) assert.equal(await statusAt(node, key, path), 200)
  await request(`${one.api}/api-keys/${String(body['id'])}`, { method: 'DELETE' })
  assert.equal(await statusAt(one, key, path), 401)
  await untilKnown('the other node refuses the deleted key', async () => (await statusAt(other, key, path)) === 401)
  for (let times = 0; times < 5; times++) assert.equal(await statusAt(other, key, path), 401)
}

async function assertBrandIsKnown({ id, publicKey, secretKey }: KnownTenant) {
  const brand = { primary: '#4f46e5', radius: '0.5rem' }
  await request(`${one.api}/tenants/${id}/brand`, { method: 'PUT', json: brand })
  const headers = { authorization: `Bearer ${secretKey}` }
  await untilKnown('the other node serves the new brand', async () => {
    const { body } = await request(`${other.api}/tenants/pkey/${publicKey}`, { headers })
    return JSON.stringify(body['brand']) === JSON.stringify(brand)
  })
}

/** Cuts every listening connection, again and again, while `step` runs; and checks that there was something to cut. */
async function withoutNotify(step: () => Promise<void>) {
  const client = new Client(deployment.databaseUrl)
  await client.connect()
  const cut = async () => {
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'bailiwick listener'`,
    )
    return rowCount ?? 0
  }
  const over = new AbortController()
  try {
    const firstCut = await cut()
    assert.ok(firstCut >= 2, `two nodes listen, ${firstCut} were found`)
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await cut()
        await sleep(5)
      }
    })()
    await step()
    over.abort()
    await cutting
  } finally {
    over.abort()
    await client.end()
  }
}

describe('two nodes on one PostgreSQL', () => {
  it('refuse a key that the other one has rotated away, within a second', async () => {
    await assertRotationIsKnown(await tenantInMemory())
  })

  it('refuse an API key that was deleted at the other one, within a second', async () => {
    await assertDeletionIsKnown(await tenantInMemory())
  })

  it('serve a brand that the other one has changed, within a second', async () => {
    await assertBrandIsKnown(await tenantInMemory())
  })

  it('do so while the listening connections are cut', async () => {
    const tenants = [await tenantInMemory(), await tenantInMemory(), await tenantInMemory()] as const
    await withoutNotify(async () => {
      await assertRotationIsKnown(tenants[0])
      await assertDeletionIsKnown(tenants[2])
    })
    await until('both listen again', 60_000, async () => ((await listeners()) >= 2 ? true : undefined))
    await withoutNotify(() => assertBrandIsKnown(tenants[1]))
  })

  it('share one console tenant and one schema, though they start at the same moment', async () => {
    const together = await newDeployment('postgresql')
    const nodes = await Promise.all([
      startService(together.env),
      startService(together.env),
      startService(together.env),
    ])
    for (const node of nodes) assert.equal((await request(`${node.url}/readyz`)).status, 200)
    const client = new Client(together.databaseUrl)
    await client.connect()
    const { rows } = await client.query<{ kind: string }>(`SELECT kind FROM tenants`)
    await client.end()
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['console'],
    )
  })
})

describe('hooks at two nodes on one PostgreSQL', () => {
  let server: WebhookReceiver
  before(async () => {
    server = await WebhookReceiver.start()
  })
  after(() => server.stop())

  /** The longest that a hook may have; one that a machine has kept waiting for longer has failed. */
  const hookMsMax = 3000

  interface HookedTenant {
    readonly id: string
    readonly publicKey: string
  }
  const createHook = async ({ id: tenantId }: HookedTenant, point: string, more: object = {}) => {
    const json = { tenantId, point, url: server.url, timeoutMs: hookMsMax, ...more }
    const { status, body } = await request(`${one.api}/hooks`, { json })
    assert.equal(status, 200, JSON.stringify(body))
    return { id: String(body['id']), secret: String(body['secret']) }
  }
  const newTenant = async () => {
    const { body } = await request(`${one.api}/tenants`, { json: { name: 'Hooked', environment: 'development' } })
    return { id: String(body['id']), publicKey: String(body['publicKey']) }
  }
  const createUser = ({ api }: ServiceProcess, { id: tenantId }: HookedTenant, more: object) =>
    request(`${api}/auth/users`, { json: { tenantId, ...more } })
  const totalAt = async ({ api }: ServiceProcess, path: string) => {
    const { body } = await request(`${api}${path}`)
    return (body['meta'] as { total: number }).total
  }

  it('are asked by the other node within a second of being created, and no more of being deleted', async () => {
    const tenant = await newTenant()
    let count = 0
    const createAtOther = async () => (await createUser(other, tenant, { username: `user${count++}` })).status
    assert.equal(await createAtOther(), 200)
    const hook = await createHook(tenant, 'user.before_create')
    server.behaviour = decide({ decision: 'deny' }, hook)
    await untilKnown('the other node asks', async () => (await createAtOther()) === 403)
    await request(`${one.api}/hooks/${hook.id}`, { method: 'DELETE' })
    await untilKnown('it asks no more', async () => (await createAtOther()) === 200)
  })

  it('are paused at each node after twenty failures in a row there', async () => {
    const tenant = await newTenant()
    const hook = await createHook(tenant, 'sign_up.before')
    server.behaviour = answer(500)
    const testAt = async ({ api }: ServiceProcess) =>
      (await request(`${api}/hooks/${hook.id}/test`, { method: 'POST' })).body['result']
    for (const node of [one, other]) {
      for (let count = 0; count < 20; count++) assert.equal(await testAt(node), 'failed')
      assert.equal(await testAt(node), 'skipped')
    }
  })

  it('of one tenant hold up those of no other, at whatever node, however many of them wait', () =>
    inTime(hookMsMax, async (begin) => {
      const [slow, prompt] = [await newTenant(), await newTenant()]
      const slowHook = await createHook(slow, 'user.before_create')
      const promptHook = await createHook(prompt, 'user.before_create')
      const held: (() => void)[] = []
      server.behaviour = (response, incoming, received) => {
        const { data } = JSON.parse(received.body) as { data: { user: { username: string } } }
        if (data.user.username.startsWith('prompt'))
          decide({ decision: 'allow' }, promptHook)(response, incoming, received)
        else held.push(() => decide({ decision: 'allow' }, slowHook)(response, incoming, received))
      }
      begin()
      const calls = [one, other].flatMap((node, at) =>
        Array.from({ length: 60 }, (_, index) => createUser(node, slow, { username: `slow${at}x${index}` })),
      )
      await until('all places of both nodes are taken', 60_000, () => (held.length >= 100 ? true : undefined))
      for (const [at, node] of [one, other].entries())
        assert.equal((await createUser(node, prompt, { username: `prompt${at}` })).status, 200)
      server.behaviour = decide({ decision: 'allow' }, slowHook)
      for (const release of held) release()
      // Two changes at once may conflict in the database, which is answered with 503.
      const others = (await Promise.all(calls)).filter(({ status }) => ![200, 403, 503].includes(status))
      assert.deepEqual(
        others.map(({ status, body }) => [status, body]),
        [],
      )
    }))

  it('leave nothing of what they were asked about when the node is killed, and it can be done at another', () =>
    inTime(hookMsMax, async (begin) => {
      const tenant = await newTenant()
      const password = 'correct horse battery staple'
      const email = 'ada@acme.example'
      const { body: user } = await createUser(one, tenant, { email, emailVerified: true, password })
      const hooks = {
        'user.before_create': await createHook(tenant, 'user.before_create'),
        'sign_in.before_session': await createHook(tenant, 'sign_in.before_session'),
      }
      const node = await startService(deployment.env)
      const headers = { 'x-public-key': tenant.publicKey, 'x-session-transport': 'body' }
      const signIn = ({ url }: ServiceProcess) =>
        request(`${url}/frontend/api/v0/sign-ins`, {
          json: { identifier: email, strategy: 'email_password', password },
          headers,
        })
      const countEvents = (type: string) => totalAt(one, `/tenants/${tenant.id}/events?type=${type}`)
      const sessions = () => totalAt(one, `/auth/users/${String(user['id'])}/sessions`)
      const read = async () => [
        await countEvents('user.created'),
        await countEvents('session.created'),
        await sessions(),
      ]
      const counts = await read()

      begin()
      const asked = new Set<string>()
      server.behaviour = (_response, _request, { body }) => void asked.add((JSON.parse(body) as { type: string }).type)
      const cutOff = [createUser(node, tenant, { username: 'grace' }), signIn(node)]
      for (const call of cutOff) call.catch(() => undefined)
      await until('both hooks are asked', 60_000, () => (asked.size === 2 ? true : undefined))
      node.kill('SIGKILL')
      await node.exit()
      for (const call of cutOff) await assert.rejects(call)
      assert.deepEqual(await read(), counts)

      server.behaviour = (response, incoming, received) => {
        const { type } = JSON.parse(received.body) as { type: keyof typeof hooks }
        decide({ decision: 'allow' }, hooks[type])(response, incoming, received)
      }
      assert.equal((await createUser(other, tenant, { username: 'grace' })).status, 200)
      assert.equal((await signIn(other)).status, 200)
      assert.deepEqual(
        await read(),
        counts.map((total) => total + 1),
      )
    }))
})

async function listeners(): Promise<number> {
  const client = new Client(deployment.databaseUrl)
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'bailiwick listener'`,
    )
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
