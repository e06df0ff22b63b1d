// Two nodes over one PostgreSQL: what one changes, the other must know within a second, even if NOTIFY does not reach it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Deployment, type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'

/** The second that is promised, and some more for a busy machine. */
const knownMsMax = 1000 + 2000

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
  await until('the other node refuses the old key', knownMsMax, async () =>
    (await statusAt(other, secretKey, path)) === 401 ? true : undefined,
  )
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
  await until('the other node refuses the deleted key', knownMsMax, async () =>
    (await statusAt(other, key, path)) === 401 ? true : undefined,
  )
  for (let times = 0; times < 5; times++) assert.equal(await statusAt(other, key, path), 401)
}

async function assertBrandIsKnown({ id, publicKey, secretKey }: KnownTenant) {
  const brand = { primary: '#4f46e5', radius: '0.5rem' }
  await request(`${one.api}/tenants/${id}/brand`, { method: 'PUT', json: brand })
  const headers = { authorization: `Bearer ${secretKey}` }
  await until('the other node serves the new brand', knownMsMax, async () => {
    const { body } = await request(`${other.api}/tenants/pkey/${publicKey}`, { headers })
    return JSON.stringify(body['brand']) === JSON.stringify(brand) ? true : undefined
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
