// A node that has lost its connection to PostgreSQL, and learns of no change, while another node revokes rights. What it remembers is used
// for one second more, and not after that.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EvaluationAnswer, UserApiKeyCheck, UserApiKeyWithKey } from '@bailiwick/contract'
import { pino } from 'pino'
import { followInvalidations } from '../../src/platform/cache/invalidation-feed.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { newPostgresqlDatabase } from '../harness/databases/databases.ts'
import { createApiKey, createRole, createTenant, createUser } from '../harness/factories.ts'
import { addMember, signInConsoleUser } from '../harness/people/sessions.ts'
import { signedInUser } from '../harness/people/signed-in-user.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { type CuttableProxy, cuttableProxy } from './database-proxy.ts'

/** What is promised, whatever happens to the connection. */
const promisedMs = 1000
const waitMsMax = 60_000

describe('a node that is cut off from PostgreSQL', () => {
  let proxy: CuttableProxy
  let cutOff: TestService
  let other: TestService
  /** The time at which the node was last told that it is up to date. */
  let confirmedMs = -Infinity
  const ends: (() => Promise<unknown>)[] = []
  before(async () => {
    const { options, remove } = await newPostgresqlDatabase()
    proxy = await cuttableProxy(options.directUrl ?? options.url)
    ends.push(() => proxy.close(), remove)
    const start = async (url: string) => {
      const db = await openDatabase({ kind: 'postgresql', url, poolSize: 4 })
      const service = await startTestService(db)
      const { tenants } = service.deps
      const confirm = (asOfMs: number) => {
        if (service === cutOff) confirmedMs = asOfMs
        tenants.confirm(asOfMs)
      }
      const memory = { ...service.deps, tenants: { ...tenants, confirm } }
      const stop = await followInvalidations(db, memory, pino({ level: 'silent' }))
      ends.unshift(
        () => service.app.close(),
        stop,
        () => db.close(),
      )
      return service
    }
    other = await start(options.directUrl ?? options.url)
    cutOff = await start(proxy.url)
  })
  after(async () => {
    proxy.restore()
    for (const end of ends) await end()
  })

  async function until(what: string, isSo: () => boolean | Promise<boolean>) {
    const deadline = performance.now() + waitMsMax
    while (!(await isSo())) {
      if (performance.now() > deadline) assert.fail(`waited in vain until ${what}`)
      await sleep(10)
    }
  }

  /** Revokes the right while nobody tells the node, and calls the node once the promised time is over. */
  async function assertEndsThere(use: () => Promise<{ readonly status: number }>, takeAway: () => Promise<unknown>) {
    const preparedMs = performance.now()
    await until('the node has heard of what was prepared', () => confirmedMs > preparedMs)
    assert.equal((await use()).status, 200)
    proxy.silence()
    await takeAway()
    const takenAtMs = performance.now()
    await until('the promised time is over', () => performance.now() > takenAtMs + promisedMs)
    const asked = use()
    asked.catch(() => undefined)
    proxy.restore()
    const { status } = await asked
    assert.notEqual(status, 200)
    await until('the node has learnt of it', async () => [401, 403, 404].includes((await use()).status))
  }

  // Guards: revoked-elsewhere
  it('accepts a secret key no longer than a second after it was replaced elsewhere', async () => {
    const { tenant, secretKey: token } = await createTenant(other)
    await assertEndsThere(
      () => cutOff.call('getTenant', { params: { id: tenant.id }, token }),
      () => other.ok('rotateTenantSecretKey', { params: { id: tenant.id }, query: { graceSeconds: '0' } }),
    )
  })

  // Guards: revoked-elsewhere
  it('accepts an API key no longer than a second after it was ended elsewhere', async () => {
    const { tenant } = await createTenant(other)
    const { id, key: token } = await createApiKey(other, tenant.id, ['users:read'])
    await assertEndsThere(
      () => cutOff.call('listUsers', { query: { tenantId: tenant.id }, token }),
      () => other.ok('deleteApiKey', { params: { id } }),
    )
  })

  // Guards: revoked-elsewhere
  it('takes a key of a user for valid no longer than a second after it was ended elsewhere', async () => {
    const { tenant } = await createTenant(other)
    const params = { id: tenant.id }
    await other.ok('putAuthTenant', { params, body: { userApiKeysEnabled: true } })
    const { id: userId } = await createUser(other, tenant.id)
    const { id, key } = await other.ok<UserApiKeyWithKey>('createUserApiKey', {
      body: { tenantId: tenant.id, userId, name: 'Script' },
    })
    await assertEndsThere(
      async () => {
        const body = { tenantId: tenant.id, key }
        const answer = await cutOff.call<UserApiKeyCheck>('verifyUserApiKey', { body })
        return { status: answer.body.valid ? 200 : 401 }
      },
      () => other.ok('deleteUserApiKey', { params: { id } }),
    )
  })

  // Guards: revoked-elsewhere
  it('permits nothing by a role longer than a second after it was taken away elsewhere', async () => {
    const { tenant } = await createTenant(other)
    const role = await createRole(other, tenant.id, { permissions: ['articles:write'] })
    const { id } = await createUser(other, tenant.id, { roleId: role.id })
    const body = { subject: { type: 'user', id }, action: { name: 'write' }, resource: { type: 'articles' } }
    await assertEndsThere(
      async () => {
        const answer = await cutOff.call<EvaluationAnswer>('evaluate', { query: { tenantId: tenant.id }, body })
        return { status: answer.status === 200 && answer.body.decision !== true ? 403 : answer.status }
      },
      () => other.ok('updateUser', { params: { id }, body: { roleId: null } }),
    )
  })

  // Guards: revoked-elsewhere
  it('accepts a console user’s session no longer than a second after it was ended elsewhere', async () => {
    const { sessionId, token } = await signInConsoleUser(other)
    await assertEndsThere(
      () => cutOff.call('whoAmI', { token }),
      () => other.ok('deleteSession', { params: { id: sessionId } }),
    )
  })

  // Guards: revoked-elsewhere
  it('lets a member act no longer than a second after the membership was ended elsewhere', async () => {
    const { tenant } = await createTenant(other)
    const member = await signInConsoleUser(other)
    const { id } = await addMember(other, tenant.id, member, 'roleAdmin')
    await addMember(other, tenant.id, await signInConsoleUser(other), 'roleAdmin')
    await assertEndsThere(
      () => cutOff.call('getTenant', { params: { id: tenant.id }, token: member.token }),
      () => other.ok('deleteTenantMember', { params: { id } }),
    )
  })

  // Guards: revoked-elsewhere
  it('accepts an end user’s session no longer than a second after it was ended elsewhere', async () => {
    const { tenant } = await createTenant(other)
    const { sessionId, browser } = await signedInUser(other, tenant)
    // On the service's own host the tenant is known without asking the database.
    const { host } = new URL(cutOff.deps.config.baseUrl)
    const there = new Browser(cutOff, browser.publicKey, { ...browser.headers, host })
    await assertEndsThere(
      () => there.call('getProfile'),
      () => other.ok('deleteSession', { params: { id: sessionId } }),
    )
  })
})
