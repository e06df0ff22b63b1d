import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { NewSession, Session, SessionRecord, User } from '@bailiwick/contract'
import { atOnce, workAtOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { firefox, openSession, signInConsoleUser, storedSession } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService, operatorKey } from '../../../test/harness/service.ts'
import { toMs, type Timestamp } from '../../platform/clock.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import { sql } from '../../platform/db/sql.ts'

interface SessionPage {
  readonly data: Session[]
  readonly meta: { readonly total: number; readonly next: string | null }
}

const idsOf = (page: SessionPage) => page.data.map(({ id }) => id)
const ofTenant = (service: TestService, tenantId: string, query = {}) =>
  service.ok<SessionPage>('listTenantSessions', { params: { tenantId }, query })
const ofUser = (service: TestService, userId: string, query = {}) =>
  service.ok<SessionPage>('listUserSessions', { params: { userId }, query })

describeService('the sessions of a tenant', (service) => {
  it('show where they come from and when they end, but nothing about their token', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { row, token } = await openSession(service(), tenant.id, user.id)
    const answer = await service().call<SessionRecord>('getSession', { params: { id: row.id } })
    const { user: shown, ...session } = answer.body
    assert.equal(shown?.id, user.id)
    assert.deepEqual(session, {
      id: row.id,
      tenantId: tenant.id,
      userId: user.id,
      browser: 'Firefox 144',
      device: 'desktop',
      engine: 'Gecko',
      os: 'Linux',
      cpu: 'x86_64',
      ua: firefox,
      ip: '192.0.2.7',
      signInAttemptId: null,
      signUpAttemptId: null,
      expiresAt: row.expires_at,
      lastActiveAt: row.created_at,
      createdAt: row.created_at,
      updatedAt: row.created_at,
    })
    assert.match(token, /^se_[0-9A-Za-z]{49}$/)
    for (const secret of [token, hashToken(token)]) assert.ok(!answer.text.includes(secret))
    const lifeMs = toMs(row.expires_at) - toMs(row.created_at)
    assert.equal(lifeMs, 7 * 24 * 3_600_000, 'idle for seven days')
  })

  it('are listed newest first, of all users and of one, with exact totals', async () => {
    const { tenant } = await createTenant(service())
    const [one, other] = [await createUser(service(), tenant.id), await createUser(service(), tenant.id)]
    const ids: string[] = []
    for (const user of [one, other, one]) ids.unshift((await openSession(service(), tenant.id, user.id)).row.id)
    const all = await ofTenant(service(), tenant.id)
    assert.deepEqual([idsOf(all), all.meta.total], [ids, 3])
    const [newest, , oldest] = ids
    const own = await ofUser(service(), one.id)
    assert.deepEqual([idsOf(own), own.meta.total], [[newest, oldest], 2])
    const first = await ofTenant(service(), tenant.id, { perPage: '2' })
    const second = await ofTenant(service(), tenant.id, { perPage: '2', cursor: first.meta.next ?? '' })
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids)
  })

  it('can be ended once, are then gone, and are no longer counted', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { row } = await openSession(service(), tenant.id, user.id)
    const params = { id: row.id }
    const ended = await service().ok<Session>('deleteSession', { params, token: secretKey })
    assert.equal(ended.id, row.id)
    for (const id of ['getSession', 'deleteSession'] as const) await service().refused(id, 'not_found', { params })
    assert.deepEqual(idsOf(await ofTenant(service(), tenant.id)), [])
    assert.equal((await ofTenant(service(), tenant.id)).meta.total, 0)
    const [created, revoked] = (await storedEvents(service(), tenant.id)).filter(({ type }) =>
      type.startsWith('session.'),
    )
    assert.deepEqual([created?.type, created?.actor_type], ['session.created', 'user'])
    assert.deepEqual(
      [revoked?.type, revoked?.actor_type, revoked?.data['userId']],
      ['session.revoked', 'secret_key', user.id],
    )
  })

  it('are ended exactly once by fifty simultaneous requests', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { row } = await openSession(service(), tenant.id, user.id)
    const answers = await atOnce(50, () => service().call('deleteSession', { params: { id: row.id } }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 404: 49 })
    assert.equal(await storedCounter(service(), tenant.id, 'sessions'), 0)
    assert.equal((await storedEvents(service(), tenant.id, 'session.revoked')).length, 1)
  })

  it('are limited to fifty for one user, also if sixty begin at once: the oldest end', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const first = await openSession(service(), tenant.id, user.id)
    const opened = await workAtOnce(60, () => openSession(service(), tenant.id, user.id))
    const { meta } = await ofUser(service(), user.id)
    assert.equal(meta.total, 50)
    assert.equal(await storedCounter(service(), tenant.id, 'sessions'), 50)
    assert.equal((await storedEvents(service(), tenant.id, 'session.revoked')).length, 11)
    await service().refused('getSession', 'not_found', { params: { id: first.row.id } })
    const newest = opened.toSorted((a, b) => (a.row.created_at < b.row.created_at ? 1 : -1))
    for (const { row } of newest.slice(0, 50)) await service().ok('getSession', { params: { id: row.id } })
  })

  it('mark the user as signed in', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { row } = await openSession(service(), tenant.id, user.id)
    const { data } = await service().ok<{ data: User }>('getUser', { params: { id: user.id } })
    assert.deepEqual([data.lastSignInAt, data.lastActiveAt], [row.created_at, row.created_at])
  })

  it('are stored with only a hash of their token', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { row, token } = await openSession(service(), tenant.id, user.id)
    const stored = await service().deps.db.first<Record<string, unknown>>(
      sql`SELECT * FROM sessions WHERE id = ${row.id}`,
    )
    assert.equal(stored?.['token_hash'], hashToken(token))
    assert.ok(!JSON.stringify(stored).includes(token))
  })

  for (const [what, id, body] of [
    ['suspending the user', 'suspendUser', undefined],
    ['making the user inactive', 'updateUser', { status: 'inactive' }],
    ['setting another password', 'changeUserPassword', { password: 'correct horse battery' }],
  ] as const) {
    it(`end with ${what}`, async () => {
      const { tenant } = await createTenant(service())
      const user = await createUser(service(), tenant.id)
      const sessions = [
        await openSession(service(), tenant.id, user.id),
        await openSession(service(), tenant.id, user.id),
      ]
      const bystander = await createUser(service(), tenant.id)
      const other = await openSession(service(), tenant.id, bystander.id)
      await service().ok(id, { params: { id: user.id }, ...(body === undefined ? {} : { body }) })
      assert.deepEqual(idsOf(await ofTenant(service(), tenant.id)), [other.row.id])
      assert.equal(await storedCounter(service(), tenant.id, 'sessions'), 1)
      const revoked = await storedEvents(service(), tenant.id, 'session.revoked')
      assert.deepEqual(
        revoked.map(({ subject_id: subject }) => subject).toSorted(),
        sessions.map(({ row }) => row.id as string).toSorted(),
      )
    })
  }

  it('are erased with their user, and are no longer counted', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { row } = await openSession(service(), tenant.id, user.id)
    await service().ok('deleteUser', { params: { id: user.id } })
    assert.equal(await storedSession(service(), row.id), undefined)
    assert.equal(await storedCounter(service(), tenant.id, 'sessions'), 0)
  })

  it('do not begin for a user who is not active, nor while the user is being suspended', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const suspending = atOnce(1, () => service().call('suspendUser', { params: { id: user.id } }))
    const opening = Array.from({ length: 20 }, () => openSession(service(), tenant.id, user.id).catch(() => undefined))
    const [suspended] = await Promise.all([suspending, ...opening])
    assert.deepEqual(statusCounts(suspended), { 200: 1 })
    assert.deepEqual(idsOf(await ofTenant(service(), tenant.id)), [])
    await assert.rejects(openSession(service(), tenant.id, user.id), { code: 'user_not_active' })
    assert.equal(await storedCounter(service(), tenant.id, 'sessions'), 0)
  })
})

describeService('POST /auth/users/{id}/impersonate', (service) => {
  const impersonate = (userId: string, reason = 'Ticket 4711', token = operatorKey) =>
    service().ok<NewSession>('impersonateUser', { params: { id: userId }, body: { reason }, token })

  it('opens a session of ten minutes that is marked with its actor and does not count as a sign-in of the user', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { session, sessionToken } = await impersonate(user.id, 'Ticket 4711', secretKey)
    assert.match(sessionToken, /^se_/)
    assert.equal(toMs(session.expiresAt as Timestamp) - toMs(session.createdAt as Timestamp), 10 * 60_000)
    const row = await service().deps.db.first<Record<string, unknown>>(
      sql`SELECT actor_type, actor_id FROM sessions WHERE id = ${session.id}`,
    )
    assert.deepEqual({ ...row }, { actor_type: 'secret_key', actor_id: tenant.id })
    const { data } = await service().ok<{ data: User }>('getUser', { params: { id: user.id } })
    assert.deepEqual([data.lastSignInAt, data.lastActiveAt], [null, null])
    assert.deepEqual(await service().ok('listRecentSignIns', { query: { tenantId: tenant.id } }), [])
  })

  it('keeps the reason in the audit log, as personal data', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { session } = await impersonate(user.id, 'Cannot see the invoices of May')
    const { data } = await service().ok<{ data: { type: string; data: Record<string, unknown> }[] }>('listEvents', {
      params: { tenantId: tenant.id },
      query: { subject: session.id },
    })
    assert.equal(data[0]?.type, 'session.created')
    assert.equal(data[0]?.data['isImpersonation'], true)
    const personal = data[0]?.data['personal'] as { reason: string } | undefined
    assert.equal(personal?.reason, 'Cannot see the invoices of May')
    const [stored] = await storedEvents(service(), tenant.id, 'session.created')
    assert.ok(!JSON.stringify(stored).includes('invoices'), 'it is sealed where it is stored')
  })

  it('names the actor in every event of the session', async () => {
    const { tenant } = await createTenant(service())
    const signedIn = await signInConsoleUser(service())
    await service().ok('createTenantMember', { body: { tenantId: tenant.id, email: signedIn.email, roleAdmin: true } })
    const { sessionToken } = await impersonate(signedIn.user.id)
    await service().ok('createRole', { body: { tenantId: tenant.id, name: 'editor' }, token: sessionToken })
    const [event] = await storedEvents(service(), tenant.id, 'role.created')
    assert.equal(event?.actor_type, 'console_user')
    assert.deepEqual(event.data['impersonatedBy'], { type: 'operator', id: null })
  })

  it('is refused for a user who is suspended, and without a reason', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const params = { id: user.id }
    for (const reason of ['', '  ']) {
      await service().refused('impersonateUser', 'validation_failed', { params, body: { reason } })
    }
    await service().ok('suspendUser', { params })
    await service().refused('impersonateUser', 'user_not_active', { params, body: { reason: 'x' } })
    assert.deepEqual(idsOf(await ofTenant(service(), tenant.id)), [])
  })
})
