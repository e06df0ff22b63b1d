import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { describeOnEachEngine, newPostgresqlDatabase } from '../../../test/harness/databases/databases.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { untilKnown } from '../../../test/harness/in-time.ts'
import {
  type SignedIn,
  openSession,
  signInConsoleUser,
  startServiceWithClock,
  storedSession,
} from '../../../test/harness/people/sessions.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import { followInvalidations } from '../../platform/cache/invalidation-feed.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import type { Database } from '../../platform/db/database.ts'
import { type OpenDatabase, openDatabase } from '../../platform/db/open.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import { createSessionDirectory } from './session-directory.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describeOnEachEngine('a live session', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const find = async (token: string) => service.deps.sessions.find(hashToken(token))
  const newUser = async () => {
    const { tenant } = await createTenant(service)
    const user = await createUser(service, tenant.id)
    return { tenantId: tenant.id, userId: user.id }
  }

  it('is found by its token alone', async () => {
    const { tenantId, userId } = await newUser()
    const { row, token } = await openSession(service, tenantId, userId)
    assert.equal((await find(token))?.row.id, row.id)
    assert.equal(await find(`${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`), undefined)
    assert.equal(await service.deps.sessions.find(token), undefined)
  })

  it('is found in memory from the second time on', async () => {
    const { tenantId, userId } = await newUser()
    const { token } = await openSession(service, tenantId, userId)
    await find(token)
    assert.ok(!(service.deps.sessions.find(hashToken(token)) instanceof Promise))
  })

  it('is refused with the next request once it is ended', async () => {
    const { tenantId, userId } = await newUser()
    const { row, token } = await openSession(service, tenantId, userId)
    assert.ok(await find(token))
    await service.ok('deleteSession', { params: { id: row.id } })
    assert.equal(await find(token), undefined)
  })

  it('is refused at once when its user is suspended, erased or given another password', async () => {
    for (const id of ['suspendUser', 'deleteUser', 'changeUserPassword'] as const) {
      const { tenantId, userId } = await newUser()
      const { token } = await openSession(service, tenantId, userId)
      assert.ok(await find(token))
      const body = id === 'changeUserPassword' ? { body: { password: 'correct horse battery' } } : {}
      await service.ok(id, { params: { id: userId }, ...body })
      assert.equal(await find(token), undefined, id)
    }
  })

  it('is refused at once when its tenant is deleted', async () => {
    const { tenantId, userId } = await newUser()
    const { token } = await openSession(service, tenantId, userId)
    assert.ok(await find(token))
    await service.ok('deleteTenant', { params: { id: tenantId } })
    assert.equal(await find(token), undefined)
  })

  it('ends once it is idle for as long as its tenant says, and not before', async () => {
    const { tenantId, userId } = await newUser()
    await service.ok('putTenantSession', { params: { id: tenantId }, body: { sessionInactivityTimeout: 600 } })
    const { token } = await openSession(service, tenantId, userId)
    for (let times = 0; times < 5; times++) {
      advance(9 * minute)
      assert.ok(await find(token))
      await service.deps.sessions.settle()
    }
    // One millisecond more, because the clock's microseconds begin at random within a millisecond.
    advance(10 * minute + 1)
    assert.equal(await find(token), undefined)
  })

  it('ends after the maximum lifetime of its tenant, however much it is used', async () => {
    const { tenantId, userId } = await newUser()
    const { token } = await openSession(service, tenantId, userId)
    for (let days = 0; days < 29; days++) {
      advance(day)
      assert.ok(await find(token))
      await service.deps.sessions.settle()
    }
    advance(day)
    assert.equal(await find(token), undefined)
  })

  it('ends at once if the configuration of its tenant becomes stricter, and shows that', async () => {
    const { tenantId, userId } = await newUser()
    const { row, token } = await openSession(service, tenantId, userId)
    advance(hour)
    assert.ok(await find(token))
    await service.deps.sessions.settle()
    await service.ok('putTenantSession', { params: { id: tenantId }, body: { sessionMaximumLifetime: 3600 } })
    assert.equal(await find(token), undefined)
    const shown = await service.ok<{ expiresAt: string }>('getSession', { params: { id: row.id } })
    assert.ok(shown.expiresAt <= service.deps.clock.now())
  })

  it('ends after 30 idle minutes, and after 12 hours in any case, if it is that of a console user', async () => {
    const idle = await signInConsoleUser(service)
    advance(29 * minute)
    assert.equal((await service.call('whoAmI', { token: idle.token })).status, 200)
    await service.deps.sessions.settle()
    advance(30 * minute)
    await service.refused('whoAmI', 'unauthenticated', { token: idle.token })

    const busy = await signInConsoleUser(service)
    for (let times = 0; times < 35; times++) {
      advance(20 * minute)
      assert.equal((await service.call('whoAmI', { token: busy.token })).status, 200)
      await service.deps.sessions.settle()
    }
    advance(20 * minute)
    await service.refused('whoAmI', 'unauthenticated', { token: busy.token })
  })

  it('ends after ten minutes, however much it is used, if it was opened in the place of a user', async () => {
    const { tenantId, userId } = await newUser()
    const { sessionToken: token } = await service.ok<{ sessionToken: string }>('impersonateUser', {
      params: { id: userId },
      body: { reason: 'Ticket 4711' },
    })
    for (let times = 0; times < 4; times++) {
      advance(2 * minute)
      assert.ok(await find(token))
      await service.deps.sessions.settle()
    }
    advance(2 * minute)
    assert.equal(await find(token), undefined)
    const user = await service.deps.db.first<{ last_active_at: string | null }>(
      sql`SELECT last_active_at FROM users WHERE tenant_id = ${tenantId} AND id = ${userId}`,
    )
    assert.equal(user?.last_active_at, null, 'it was not an activity of the user')
  })

  it('records that it is used once a minute, and moves its end', async () => {
    const { tenantId, userId } = await newUser()
    const { row, token } = await openSession(service, tenantId, userId)
    advance(minute / 2)
    await find(token)
    await service.deps.sessions.settle()
    assert.equal((await storedSession(service, row.id))?.last_active_at, row.last_active_at)
    advance(minute)
    for (let times = 0; times < 20; times++) await find(token)
    await service.deps.sessions.settle()
    const touched = await storedSession(service, row.id)
    assert.ok(touched !== undefined && touched.last_active_at > row.last_active_at)
    assert.ok(touched.expires_at > row.expires_at)
    for (let times = 0; times < 20; times++) await find(token)
    await service.deps.sessions.settle()
    assert.deepEqual(await storedSession(service, row.id), touched)
    const { data } = await service.ok<{ data: { lastActiveAt: string } }>('getUser', { params: { id: userId } })
    assert.equal(data.lastActiveAt, touched.last_active_at)
  })

  it('is not kept by a load that began before it ended', async () => {
    const { deps } = service
    const { tenantId, userId } = await newUser()
    const { row, token } = await openSession(service, tenantId, userId)
    const gate = Promise.withResolvers<void>()
    const hasRead = Promise.withResolvers<void>()
    const slow: Database = Object.assign(Object.create(deps.db) as Database, {
      first: async (statement: Statement) => {
        const found = await deps.db.first(statement)
        hasRead.resolve()
        await gate.promise
        return found
      },
    })
    const directories = (['invalidateUser', 'clear'] as const).map((forget) => {
      const directory = createSessionDirectory(slow, deps.tenants, deps.clock, deps.log)
      return { directory, forget, loading: directory.find(hashToken(token)) }
    })
    await hasRead.promise
    await deps.tenants.byId(tenantId)
    await service.ok('deleteSession', { params: { id: row.id } })
    for (const { directory, forget } of directories) directory[forget](tenantId, userId)
    gate.resolve()
    for (const { directory, loading, forget } of directories) {
      assert.ok(await loading, 'it was read before the session ended')
      assert.equal(await directory.find(hashToken(token)), undefined, forget)
    }
  })

  it('is refused while its user is not active, whatever the reason', async () => {
    const { tenantId, userId } = await newUser()
    const { token } = await openSession(service, tenantId, userId)
    assert.ok(await find(token))
    await service.deps.db.transaction((tx) =>
      tx.run(sql`UPDATE users SET status = 'suspended' WHERE tenant_id = ${tenantId} AND id = ${userId}`),
    )
    service.deps.sessions.clear()
    assert.equal(await find(token), undefined)
  })
})

describe('sessions on two nodes (postgresql)', () => {
  const ends: (() => Promise<unknown>)[] = []
  let one: TestService
  let other: TestService
  let database: OpenDatabase
  const silent = pino({ level: 'silent' })

  async function startNode(url: string) {
    const db = await openDatabase({ kind: 'postgresql', url, poolSize: 4 })
    const service = await startTestService(db)
    const stop = await followInvalidations(db, service.deps, silent)
    ends.unshift(
      () => service.app.close(),
      stop,
      () => db.close(),
    )
    return service
  }

  before(async () => {
    const { options, remove } = await newPostgresqlDatabase()
    ends.push(remove)
    one = await startNode(options.directUrl ?? options.url)
    other = await startNode(options.directUrl ?? options.url)
    database = other.deps.db as OpenDatabase
  })
  after(async () => {
    for (const end of ends) await end()
  })

  const statusAt = async (node: TestService, token: string) => (await node.call('whoAmI', { token })).status
  async function known(): Promise<SignedIn> {
    const signedIn = await signInConsoleUser(one)
    for (let times = 0; times < 3; times++) assert.equal(await statusAt(other, signedIn.token), 200)
    return signedIn
  }

  // Guards: stays-ended
  it('are refused everywhere within a second of being ended anywhere', async () => {
    const { sessionId, token } = await known()
    await one.ok('deleteSession', { params: { id: sessionId } })
    assert.equal(await statusAt(one, token), 401)
    await untilKnown('the other node refuses it', async () => (await statusAt(other, token)) === 401)
  })

  it('are refused within a second when NOTIFY is lost', async () => {
    const { user, sessionId, token } = await known()
    await database.transaction(async (tx) => {
      const at = one.deps.clock.now()
      await tx.run(sql`UPDATE sessions SET ended_at = ${at} WHERE id = ${sessionId}`)
      await tx.run(sql`INSERT INTO cache_invalidations (tenant_id, user_id) VALUES (${user.tenantId}, ${user.id})`)
    })
    await untilKnown('the poll has found it', async () => (await statusAt(other, token)) === 401)
  })

  it('have changed rights within a second', async () => {
    const { tenant } = await createTenant(one)
    const signedIn = await known()
    const roles = () => other.call('listRoles', { params: { tenantId: tenant.id }, token: signedIn.token })
    assert.equal((await roles()).status, 404)
    const { id } = await one.ok<{ id: string }>('createTenantMember', {
      body: { tenantId: tenant.id, email: signedIn.email, roleViewConfig: true },
    })
    await untilKnown('the other node lets the member in', async () => (await roles()).status === 200)
    await one.ok('updateTenantMember', { params: { id }, body: {} })
    await untilKnown('the other node forbids it', async () => (await roles()).status === 403)
    await one.ok('deleteTenantMember', { params: { id } })
    await untilKnown('the tenant is gone for the user', async () => (await roles()).status === 404)
  })
})
