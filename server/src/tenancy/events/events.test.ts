import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { EventLogCheck, NamedEvent, Tenant } from '@bailiwick/contract'
import { sealEverything } from '../../../test/harness/databases/event-log.ts'
import { createRole, createTenant, createUser } from '../../../test/harness/factories.ts'
import { addMember, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'

interface EventPage {
  readonly data: readonly NamedEvent[]
  readonly meta: { readonly total: number; readonly prev: string | null; readonly next: string | null }
}

describeService('GET /tenants/{tenantId}/events', (service) => {
  let tenant: Tenant
  let secretKey: string
  before(async () => {
    ;({ tenant, secretKey } = await createTenant(service()))
  })
  const list = (query: Readonly<Record<string, string>> = {}, tenantId = tenant.id) =>
    service().ok<EventPage>('listEvents', { params: { tenantId }, query })

  it('lists an event for each change, newest first, with its actor and subject', async () => {
    const headers = { 'user-agent': 'acme-backend/1.4' }
    const body = { tenantId: tenant.id, name: 'Ada', email: 'Ada@Example.com' }
    const user = await service().ok<{ id: string }>('createUser', { body, token: secretKey, headers })
    const { data, meta } = await list()
    const [event] = data
    assert.deepEqual(
      data.map(({ type }) => type),
      ['user.created', 'tenant.created'],
    )
    assert.equal(meta.total, 2)
    assert.deepEqual(event?.actor, { type: 'secret_key', id: tenant.id })
    assert.deepEqual(event.subject, { type: 'user', id: user.id })
    assert.deepEqual([event.ua, event.ip], ['acme-backend/1.4', '127.0.0.1'])
    assert.equal(event.tenantId, tenant.id)
    const { personal, hasPassword } = event.data as { personal: { name: string }; hasPassword: boolean }
    assert.equal(personal.name, 'Ada')
    assert.equal(hasPassword, false)
  })

  it('names who acted and on what, and lists only what one administrator or key has done', async () => {
    const { tenant: own } = await createTenant(service())
    const [nadia, omar] = [await signInConsoleUser(service()), await signInConsoleUser(service())]
    for (const each of [nadia, omar]) await addMember(service(), own.id, each, 'roleEditConfig')
    const { id: keyId, key } = await service().ok<{ id: string; key: string }>('createApiKey', {
      body: { tenantId: own.id, name: 'Nightly export', scopes: ['config:write', 'config:read'] },
    })
    const role = (token: string, name: string) =>
      service().ok<{ id: string }>('createRole', { body: { tenantId: own.id, name }, token })
    await role(nadia.token, 'By Nadia')
    await role(omar.token, 'By Omar')
    const byKey = await role(key, 'By the key')
    const listed = async (query: Readonly<Record<string, string>>) => {
      const { data, meta } = await list(query, own.id)
      return [meta.total, data.map((event) => [event.type, event.actorName, event.subjectName])]
    }
    assert.deepEqual(await listed({ actor: nadia.user.id }), [1, [['role.created', nadia.email, 'By Nadia']]])
    assert.deepEqual(await listed({ actor: keyId }), [1, [['role.created', 'Nightly export', 'By the key']]])
    assert.deepEqual(await listed({ actor: keyId, type: 'user.created' }), [0, []])
    assert.deepEqual(await listed({ actor: omar.user.id, subject: byKey.id }), [0, []])
    assert.deepEqual((await listed({ type: 'tenant.created' }))[1], [['tenant.created', null, null]])
  })

  it('no longer shows data of a person who was erased, nor a sealed part that was moved into another event', async () => {
    const { db } = service().deps
    const { tenant: own } = await createTenant(service())
    const users = [await createUser(service(), own.id), await createUser(service(), own.id)]
    const personalOf = async () => {
      const { data } = await list({ type: 'user.created' }, own.id)
      return data.map((event) => (event.data as { personal: unknown }).personal)
    }
    assert.ok((await personalOf()).every((each) => each !== null))
    await db.transaction((tx) => tx.run(sql`DELETE FROM users WHERE id = ${users[0]?.id ?? ''}`))
    const [second, first] = await personalOf()
    assert.notEqual(second, null)
    assert.equal(first, null)
    await db.transaction(async (tx) => {
      const other = await tx.first<{ personal: string }>(
        sql`SELECT personal FROM events WHERE tenant_id = ${own.id} AND subject_id = ${users[0]?.id ?? ''}`,
      )
      await tx.run(sql`UPDATE events SET personal = ${other?.personal ?? null}
        WHERE tenant_id = ${own.id} AND subject_id = ${users[1]?.id ?? ''}`)
    })
    assert.deepEqual(await personalOf(), [null, null])
  })

  it('can be filtered by type, by subject and by both, each with its total', async () => {
    const { tenant: own } = await createTenant(service())
    const role = await createRole(service(), own.id)
    const user = await createUser(service(), own.id)
    await createUser(service(), own.id)
    await service().ok('updateRole', { params: { id: role.id }, body: { description: 'Changed' } })
    const listTypes = async (query: Readonly<Record<string, string>>) => {
      const { data, meta } = await list(query, own.id)
      return [data.map(({ type }) => type), meta.total]
    }
    const expected = [
      [{ type: 'user.created' }, [['user.created', 'user.created'], 2]],
      [{ subject: role.id }, [['role.updated', 'role.created'], 2]],
      [{ subject: role.id, type: 'role.created' }, [['role.created'], 1]],
      [{ subject: user.id, type: 'role.created' }, [[], 0]],
      [{ type: 'webhook.created' }, [[], 0]],
    ] as const
    for (const [query, types] of expected) assert.deepEqual(await listTypes(query), types)
    await sealEverything(service().deps)
    for (const [query, types] of expected)
      assert.deepEqual(await listTypes(query), types, 'sealing counts nothing twice')
    await createUser(service(), own.id)
    assert.equal((await listTypes({ type: 'user.created' }))[1], 3)
    assert.equal((await list({}, own.id)).meta.total, 6)
  })

  it('contains every event once when read page by page, also if filtered', async () => {
    const { tenant: own } = await createTenant(service())
    for (let index = 0; index < 7; index++) await createUser(service(), own.id)
    for (const [filter, count] of [
      [{}, 8],
      [{ type: 'user.created' }, 7],
    ] as const) {
      const seen: string[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await list({ ...filter, perPage: '3', ...(cursor === undefined ? {} : { cursor }) }, own.id)
        assert.equal(page.meta.total, count)
        seen.push(...page.data.map(({ id }) => id))
        cursor = page.meta.next
      }
      assert.equal(seen.length, count)
      assert.equal(new Set(seen).size, count)
    }
  })

  it('refuses a type that does not exist, and names the nearest one', async () => {
    for (const [type, nearest] of [
      ['user.craeted', 'user.created'],
      ['organisation.created', 'organization.created'],
    ] as const) {
      const { issues } = await service().refused('listEvents', 'validation_failed', {
        params: { tenantId: tenant.id },
        query: { type },
      })
      const message = `must be a known event type: "${type}" does not exist; did you mean "${nearest}"?`
      assert.deepEqual(issues, [{ path: '/type', code: 'invalid_value', message }])
    }
  })

  it('is refused for another tenant, and not found for one that does not exist', async () => {
    const { tenant: other } = await createTenant(service())
    await service().refused('listEvents', 'not_found', { params: { tenantId: other.id }, token: secretKey })
    await service().refused('listEvents', 'not_found', { params: { tenantId: 'cnotthere0000' } })
  })

  it('uses an index for every filter instead of reading the whole log', async () => {
    const { db } = service().deps
    if (db.engine !== 'sqlite') return
    for (const [column, index] of [
      ['type', 'events_type'],
      ['subject_id', 'events_subject'],
    ] as const) {
      const plan = await db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN SELECT id FROM events
        WHERE tenant_id = 'a' AND ${sql.identifier(column)} = 'b' AND created_at <= 'c' ORDER BY created_at DESC LIMIT 21`)
      assert.match(plan.map(({ detail }) => detail).join('\n'), new RegExp(`USING INDEX ${index} `))
      assert.doesNotMatch(plan.map(({ detail }) => detail).join('\n'), /TEMP B-TREE/)
    }
  })
})

describeService('GET /tenants/{tenantId}/events/verify', (service) => {
  /** All parts of the check. */
  async function verify(tenantId: string) {
    const parts: EventLogCheck[] = []
    for (let from: string | null | undefined; from !== null; from = parts.at(-1)?.next ?? null) {
      const query = from === undefined ? {} : { from }
      parts.push(await service().ok<EventLogCheck>('verifyEvents', { params: { tenantId }, query }))
    }
    return { parts, problems: parts.flatMap(({ problems }) => problems) }
  }

  it('finds an intact log in parts of 500, and names a changed event', async () => {
    const { tenant } = await createTenant(service())
    const { db } = service().deps
    const [first] = await db.all<{ data: string }>(sql`SELECT data FROM events WHERE tenant_id = ${tenant.id} LIMIT 1`)
    for (let n = 0; n < 510; n++) {
      const at = `2026-01-01T00:00:00.${String(n).padStart(6, '0')}Z`
      const row = [tenant.id, newId(), 'role.created', 'system', 'role', newId(), first?.data ?? '{}', at]
      await db.transaction((tx) =>
        tx.run(sql`INSERT INTO events (tenant_id, id, type, actor_type, subject_type, subject_id, data, created_at)
          ${sql.values([row])}`),
      )
    }
    await sealEverything(service().deps)
    const whole = await verify(tenant.id)
    assert.deepEqual(whole.problems, [])
    assert.deepEqual(
      whole.parts.map(({ checked }) => checked),
      [500, 11, 500, 11, 0],
    )
    const [changed] = await db.all<{ id: string }>(sql`SELECT id FROM events
      WHERE tenant_id = ${tenant.id} AND created_at = '2026-01-01T00:00:00.000505Z' LIMIT 1`)
    await db.transaction((tx) => tx.run(sql`UPDATE events SET type = 'role.deleted' WHERE id = ${changed?.id ?? ''}`))
    const [problem, ...others] = (await verify(tenant.id)).problems
    assert.deepEqual([problem?.kind, problem?.eventId, others], ['changed', changed?.id, []])
  })

  it('refuses a place that is none of its own', async () => {
    const { tenant } = await createTenant(service())
    const request = { params: { tenantId: tenant.id }, query: { from: '12' } }
    const { issues } = await service().refused('verifyEvents', 'validation_failed', request)
    assert.deepEqual(
      issues?.map(({ path }) => path),
      ['/from'],
    )
  })
})
