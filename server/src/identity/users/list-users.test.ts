import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type User, foldCase } from '@bailiwick/contract'
import fc from 'fast-check'
import { createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type UserList, checkList, listUsers, walkBothWays } from '../../../test/harness/people/list-users.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { matchesMax } from './search-sources.ts'
import { searchUsers } from './user-search.ts'

const names = ({ data }: UserList) => data.map((user) => user.name)

const importAll = (service: TestService, tenantId: string, lines: readonly object[]) =>
  service.ok<{ status?: string; issues?: object }[]>('importUsers', { query: { tenantId }, body: lines })

describeService('GET /auth/users', (service) => {
  it('lists complete users, newest first, with their number', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id)
    const older = await createUser(service(), tenant.id, { roleId: role.id, phone: '+49301234567' })
    const newer = await createUser(service(), tenant.id)
    const page = await listUsers(service(), tenant.id)
    assert.deepEqual(page.data, [newer, older])
    assert.deepEqual(page.meta, { total: 2, count: 2, numPages: 1, perPage: 20, prev: null, next: null })
  })

  it('finds users by the beginning of a part of the name, username or address, or of a number, and by the whole id', async () => {
    const { tenant } = await createTenant(service())
    const ada = await createUser(service(), tenant.id, {
      name: 'Ada  King Lovelace',
      username: 'Enchantress',
      email: 'First.Programmer@example.com',
      phone: '+44 20 7946 0000',
    })
    await service().ok('createEmailAddress', {
      body: { tenantId: tenant.id, userId: ada.id, email: 'countess@example.org' },
    })
    await createUser(service(), tenant.id, { name: 'Grace Hopper' })
    const queries = [
      'ada',
      ' ADA king',
      'love',
      'king',
      'lovelace ada',
      'king @example.org',
      'programmer@',
      'programmer@example.c',
      'ada +4420',
      'ada a love lovelace countess',
      'LOVELACE',
      'enchant',
      'first.p',
      'countess@',
      '+4420',
      '44 (20) 79',
      ada.id,
    ]
    for (const query of queries) {
      const page = await listUsers(service(), tenant.id, { query })
      assert.deepEqual([page.data.map((user) => user.id), page.meta.total], [[ada.id], 1], query)
    }
    for (const query of ['ng', 'da', 'ada xyz', 'xyz', '20 7946', ada.id.slice(0, -1), '%', '_da', 'ada%']) {
      assert.deepEqual((await listUsers(service(), tenant.id, { query })).data, [], query)
    }
    assert.equal((await listUsers(service(), tenant.id, { query: '  ' })).data.length, 2)
  })

  it('finds names without their accents, and with them', async () => {
    const { tenant } = await createTenant(service())
    for (const name of ['Björn Åkesson', 'Łukasz Đorđević', 'أَحْمَد', '李小龍'])
      await createUser(service(), tenant.id, { name })
    for (const [query, name] of [
      ['bjorn', 'Björn Åkesson'],
      ['AKES', 'Björn Åkesson'],
      ['Björn ak', 'Björn Åkesson'],
      ['lukasz', 'Łukasz Đorđević'],
      ['dordevic', 'Łukasz Đorđević'],
      ['أحمد', 'أَحْمَد'],
      ['小龍', '李小龍'],
    ] as const) {
      assert.deepEqual(names(await listUsers(service(), tenant.id, { query })), [name], query)
    }
    await createUser(service(), tenant.id, { name: 'Bjorn' })
    assert.deepEqual(names(await listUsers(service(), tenant.id, { query: 'björn' })), ['Bjorn', 'Björn Åkesson'])
  })

  it('finds text that differs only in case or compatibility form', async () => {
    const { tenant } = await createTenant(service())
    await createUser(service(), tenant.id, { name: 'Straße' })
    await createUser(service(), tenant.id, { name: 'Ａｄａ' })
    assert.deepEqual(names(await listUsers(service(), tenant.id, { query: 'STRASSE' })), ['Straße'])
    assert.deepEqual(names(await listUsers(service(), tenant.id, { query: 'ada' })), ['Ａｄａ'])
  })

  it('finds a changed name', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createUser(service(), tenant.id, { name: 'Ada Byron', username: unique() })
    await service().ok('updateUser', { params: { id }, body: { name: 'Ada Lovelace', username: 'countess' } })
    assert.equal((await listUsers(service(), tenant.id, { query: 'byron' })).data.length, 0)
    for (const query of ['lovelace', 'ada l', 'countess']) {
      assert.equal((await listUsers(service(), tenant.id, { query })).data.length, 1, query)
    }
    await service().ok('updateUser', { params: { id }, body: { name: null, username: null } })
    for (const query of ['lovelace', 'ada', 'countess']) {
      assert.equal((await listUsers(service(), tenant.id, { query })).data.length, 0, query)
    }
  })

  it("shows none of another tenant's users, whatever is searched for", async () => {
    const { tenant, secretKey } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const theirs = await createUser(service(), other.id, {
      name: 'Eve',
      email: 'eve@example.com',
      phone: '+4930999999',
    })
    for (const query of ['eve', '+4930', '@example', 'eve example', theirs.id]) {
      assert.deepEqual((await listUsers(service(), tenant.id, { query })).data, [], query)
    }
    await service().refused('listUsers', 'not_found', { query: { tenantId: other.id }, token: secretKey })
  })

  it('refuses an unknown status, an unknown parameter and a query that is too long', async () => {
    const { tenant } = await createTenant(service())
    for (const query of [{ status: 'asleep' }, { name: 'ada' }, { query: 'x'.repeat(257) }, { query: 'a\0' }]) {
      await service().refused('listUsers', 'validation_failed', { query: { tenantId: tenant.id, ...query } })
    }
  })
})

describeService('GET /auth/users: filters', (service) => {
  let tenantId: string
  let roleIds: string[]
  let users: User[]
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
    roleIds = [(await createRole(service(), tenantId)).id, (await createRole(service(), tenantId)).id]
    users = []
    for (let n = 0; n < 40; n++) {
      const user = await createUser(service(), tenantId, {
        name: n % 4 === 0 ? 'Ada Lovelace' : 'Grace Hopper',
        ...(n % 3 === 0 ? {} : { roleId: roleIds[n % 2] }),
      })
      const status = (['active', 'suspended', 'active', 'inactive'] as const)[n % 4] ?? 'active'
      users.unshift(await service().ok<User>('updateUser', { params: { id: user.id }, body: { status } }))
    }
  })

  it('narrow by status, role and search together, with exact totals, and page both ways', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          status: fc.constantFrom(undefined, 'active', 'suspended', 'inactive'),
          role: fc.constantFrom(undefined, 0, 1),
          query: fc.constantFrom(undefined, 'ada', 'HOPPER', 'nobody'),
          perPage: fc.constantFrom('1', '3', '7', '100'),
        }),
        async ({ status, role, query, perPage }) => {
          const roleId = role === undefined ? undefined : roleIds[role]
          const expected = users.filter(
            (user) =>
              (status === undefined || user.status === status) &&
              (roleId === undefined || user.roleId === roleId) &&
              (query === undefined || foldCase(user.name ?? '').includes(foldCase(query))),
          )
          await checkList(service(), tenantId, { perPage, status, roleId, query }, expected)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('find no user by a role that no user has', async () => {
    const page = await listUsers(service(), tenantId, { roleId: 'cnobodyhasthis' })
    assert.deepEqual([page.data, page.meta.total], [[], 0])
  })
})

describeService('GET /auth/users: a search that more than a thousand match', (service) => {
  const count = 1400
  let tenantId: string
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
    const lines = Array.from({ length: count }, (_, n) => ({
      email: `person${n}@example.com`,
      name: n % 7 === 0 ? `Rare ${n}` : `Common ${n}`,
      phone: `+4930${String(n).padStart(7, '0')}`,
    }))
    // So many newer ones that users who share a name are not found soon from the first page on.
    for (let n = 0; n < 450; n++) lines.push({ email: `late${n}@example.com`, name: 'Late', phone: `+4940${n}00000` })
    const answers = await importAll(service(), tenantId, lines)
    assert.ok(answers.slice(0, -1).every((answer) => answer.status === 'created'))
  })

  for (const [query, matches] of [
    ['person', (n: number) => n >= 0],
    ['Common', (n: number) => n % 7 !== 0],
    ['common 5', (n: number) => n % 7 !== 0 && String(n).startsWith('5')],
    ['4930', (n: number) => n >= 0],
    ['rare', (n: number) => n % 7 === 0],
    ['person1', (n: number) => String(n).startsWith('1')],
  ] as const) {
    it(`finds each of them once, in the order of the list, forward and back: ${query}`, async () => {
      const expected = Array.from({ length: count }, (_, n) => n).filter(matches).length
      const walked = await walkBothWays(service(), tenantId, { query, perPage: '100' })
      assert.equal(new Set(walked).size, expected)
      assert.equal(walked.length, expected)
      const all = await walkBothWays(service(), tenantId, { perPage: '100' })
      const places = walked.map((id) => all.indexOf(id))
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
      const { meta } = await listUsers(service(), tenantId, { query })
      assert.equal(meta.total, Math.min(expected, matchesMax + 1))
    })
  }

  it('passes over no more users for one page than allowed, and continues after them, forward and back', async () => {
    const { db } = service().deps
    // There are more matches than are read, so that users are walked: these terms count as matches, but belong to no user.
    const terms = Array.from({ length: 3001 }, (_, n) => [tenantId, `rare${n}`, '2001-01-01T00:00:00.000000Z'])
    await db.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO user_terms (tenant_id, term, created_at) ${sql.values(terms.slice(0, 1500))}`)
      await tx.run(sql`INSERT INTO user_terms (tenant_id, term, created_at) ${sql.values(terms.slice(1500))}`)
    })
    const all = { tenantId: tenantId as TenantId, text: 'rare', filter: {} }
    const search = (from: string | undefined) => searchUsers(db, { ...all, passed: 30 }, { from, perPage: 7 })
    const expected = (await searchUsers(db, all, { from: undefined, perPage: 1000 })).times
    const [forward, back]: [string[], string[]] = [[], []]
    let page = await search(undefined)
    assert.deepEqual([page.times, page.total], [[], matchesMax + 1])
    for (; page.next !== null; page = await search(page.next)) forward.push(...page.times)
    forward.push(...page.times)
    assert.deepEqual([expected.length, forward], [count / 7, expected])
    for (; page.prev !== null; page = await search(page.prev)) back.unshift(...page.times)
    assert.deepEqual([...new Set([...page.times, ...back])], expected)
    await db.transaction((tx) =>
      tx.run(sql`DELETE FROM user_terms WHERE tenant_id = ${tenantId} AND created_at < '2002'`),
    )
  })

  it('narrows it by status too', async () => {
    const { data } = await listUsers(service(), tenantId, { query: 'person', perPage: '3' })
    for (const { id } of data) await service().ok('suspendUser', { params: { id } })
    const suspended = await walkBothWays(service(), tenantId, { query: 'person', status: 'suspended', perPage: '2' })
    assert.deepEqual(
      suspended,
      data.map((user) => user.id),
    )
    const active = await walkBothWays(service(), tenantId, { query: 'person', status: 'active', perPage: '100' })
    assert.equal(active.length, count - 3)
  })
})
