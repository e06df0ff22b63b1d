import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type User, type UserDetails, foldCase } from '@bailiwick/contract'
import fc from 'fast-check'
import { createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { matchesMax } from './search-sources.ts'
import { addMissingTerms } from './user-terms.ts'

interface List {
  readonly data: UserDetails[]
  readonly meta: { total: number; count: number; prev: string | null; next: string | null }
}

const list = (service: TestService, tenantId: string, query: Record<string, string> = {}) =>
  service.ok<List>('listUsers', { query: { tenantId, ...query } })

const names = ({ data }: List) => data.map((user) => user.name)

/** Reads every page from the first one on, then every page back; both directions must show the same. */
async function walkBothWays(service: TestService, tenantId: string, query: Record<string, string>) {
  const forward: string[] = []
  let page = await list(service, tenantId, query)
  for (;;) {
    forward.push(...page.data.map((user) => user.id))
    if (page.meta.next === null) break
    page = await list(service, tenantId, { ...query, cursor: page.meta.next })
  }
  const backward: string[] = []
  for (;;) {
    backward.unshift(...page.data.map((user) => user.id))
    if (page.meta.prev === null) break
    page = await list(service, tenantId, { ...query, cursor: page.meta.prev })
  }
  assert.deepEqual(backward, forward)
  return forward
}

const importAll = (service: TestService, tenantId: string, lines: readonly object[]) =>
  service.ok<{ status?: string; issues?: object }[]>('importUsers', { query: { tenantId }, body: lines })

describeService('GET /auth/users', (service) => {
  it('lists complete users, newest first, with their number', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id)
    const older = await createUser(service(), tenant.id, { roleId: role.id, phone: '+49301234567' })
    const newer = await createUser(service(), tenant.id)
    const page = await list(service(), tenant.id)
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
      const page = await list(service(), tenant.id, { query })
      assert.deepEqual([page.data.map((user) => user.id), page.meta.total], [[ada.id], 1], query)
    }
    for (const query of ['ng', 'da', 'ada xyz', 'xyz', '20 7946', ada.id.slice(0, -1), '%', '_da', 'ada%']) {
      assert.deepEqual((await list(service(), tenant.id, { query })).data, [], query)
    }
    assert.equal((await list(service(), tenant.id, { query: '  ' })).data.length, 2)
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
      assert.deepEqual(names(await list(service(), tenant.id, { query })), [name], query)
    }
    await createUser(service(), tenant.id, { name: 'Bjorn' })
    assert.deepEqual(names(await list(service(), tenant.id, { query: 'björn' })), ['Bjorn', 'Björn Åkesson'])
  })

  it('finds text that differs only in case or compatibility form', async () => {
    const { tenant } = await createTenant(service())
    await createUser(service(), tenant.id, { name: 'Straße' })
    await createUser(service(), tenant.id, { name: 'Ａｄａ' })
    assert.deepEqual(names(await list(service(), tenant.id, { query: 'STRASSE' })), ['Straße'])
    assert.deepEqual(names(await list(service(), tenant.id, { query: 'ada' })), ['Ａｄａ'])
  })

  it('finds a changed name', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createUser(service(), tenant.id, { name: 'Ada Byron', username: unique() })
    await service().ok('updateUser', { params: { id }, body: { name: 'Ada Lovelace', username: 'countess' } })
    assert.equal((await list(service(), tenant.id, { query: 'byron' })).data.length, 0)
    for (const query of ['lovelace', 'ada l', 'countess']) {
      assert.equal((await list(service(), tenant.id, { query })).data.length, 1, query)
    }
    await service().ok('updateUser', { params: { id }, body: { name: null, username: null } })
    for (const query of ['lovelace', 'ada', 'countess']) {
      assert.equal((await list(service(), tenant.id, { query })).data.length, 0, query)
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
      assert.deepEqual((await list(service(), tenant.id, { query })).data, [], query)
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
          const parameters = {
            perPage,
            ...(status === undefined ? {} : { status }),
            ...(roleId === undefined ? {} : { roleId }),
            ...(query === undefined ? {} : { query }),
          }
          const walked = await walkBothWays(service(), tenantId, parameters)
          assert.deepEqual(
            walked,
            expected.map((user) => user.id),
          )
          assert.equal((await list(service(), tenantId, parameters)).meta.total, expected.length)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('find no user by a role that no user has', async () => {
    const page = await list(service(), tenantId, { roleId: 'cnobodyhasthis' })
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
      const { meta } = await list(service(), tenantId, { query })
      assert.equal(meta.total, Math.min(expected, matchesMax + 1))
    })
  }

  it('narrows it by status too', async () => {
    const { data } = await list(service(), tenantId, { query: 'person', perPage: '3' })
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

const nameParts = ['Ada', 'Björn', "O'Neill", 'King-Noel', 'van', '李小龍', 'Ørsted', 'B.', 'abbé']
const words = [
  'a',
  'ad',
  'ada',
  'b',
  'bjorn',
  'björn',
  'neill',
  "o'n",
  'noel',
  'king-n',
  'va',
  '龍',
  '小',
  'ors',
  'ab',
  'con',
  '@con',
  'mail.c',
  'a.b@',
  'b@con',
  'x_',
  'y',
  '.',
  '-',
]
const changes = ['create', 'rename', 'rename', 'address', 'remove address', 'change address', 'erase'] as const

/** Whether a word begins a part of the text, without what the service makes of it beforehand. */
function beginsPart(text: string, word: string, isAddress: boolean): boolean {
  const plain = (value: string) =>
    value.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[øØ]/g, 'o').toLowerCase().normalize('NFC')
  const [whole, start] = [[...plain(text)], plain(word)]
  const isLetter = (index: number) => /[\p{L}\p{N}]/u.test(whole[index] ?? '')
  const end = isAddress ? whole.lastIndexOf('.') + 1 : whole.length
  return whole.some((character, index) => {
    if (index >= end || !whole.slice(index).join('').startsWith(start)) return false
    if (index === 0 || whole[index - 1] === ' ' || /\p{Script=Han}/u.test(character)) return true
    return (isLetter(index) && !isLetter(index - 1)) || (isAddress && character === '@')
  })
}

const isFoundBy = (user: UserDetails, query: string) =>
  query.split(' ').every((word) => {
    const own = [user.name, user.firstName, user.lastName, user.username].filter((text) => typeof text === 'string')
    return (
      own.some((text) => beginsPart(text, word, false)) ||
      user.emailAddresses.some(({ email }) => beginsPart(email, word, true))
    )
  })

describeService('GET /auth/users: parts of names and addresses', (service) => {
  let tenantId: string
  let serial = 0
  const address = (local: string, domain: string) => `${local}.${(serial++).toString(36)}z@${domain}`
  const newAddress = (seed: number) =>
    address(['a.b', 'ada', 'x_y', 'b'][seed % 4] ?? '', ['contoso.test', 'mail.contoso.test', 'b.test'][seed % 3] ?? '')
  const newName = (seed: number) => [seed, seed >> 3, seed >> 6].map((each) => nameParts[each % 9]).join(' ')
  const all = async () => (await list(service(), tenantId, { perPage: '100' })).data
  before(async () => {
    tenantId = (await createTenant(service())).tenant.id
    for (let n = 0; n < 12; n++) await createUser(service(), tenantId, { name: newName(n * 37), email: newAddress(n) })
  })

  const change = async (kind: (typeof changes)[number], user: User, seed: number) => {
    const params = { id: user.id }
    const [first] = user.emailAddresses
    if (kind === 'create') {
      const username = `x_y${serial++}b`
      await createUser(service(), tenantId, { lastName: newName(seed), username, email: newAddress(seed) })
    } else if (kind === 'rename') await service().ok('updateUser', { params, body: { name: newName(seed) } })
    else if (kind === 'erase') await service().ok('deleteUser', { params })
    else if ((kind === 'address' && user.emailAddresses.length < 2) || first === undefined) {
      await service().ok('createEmailAddress', { body: { tenantId, userId: user.id, email: newAddress(seed) } })
    } else if (kind === 'remove address') await service().ok('deleteEmailAddress', { query: { id: first.id } })
    else await service().ok('updateEmailAddress', { body: { id: first.id, email: newAddress(seed) } })
  }

  it('finds whom a search through all users finds, after any changes, and pages both ways', async () => {
    const step = fc.record({
      kind: fc.constantFrom(...changes),
      seed: fc.nat(1000),
      query: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((each) => each.join(' ')),
      perPage: fc.constantFrom('2', '100'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const { kind, seed, query, perPage } of steps) {
          const before = await all()
          const user = before[seed % before.length]
          if (user !== undefined && (kind !== 'erase' || before.length > 10)) await change(kind, user, seed)
          const expected = (await all()).filter((each) => isFoundBy(each, query)).map(({ id }) => id)
          assert.deepEqual(await walkBothWays(service(), tenantId, { query, perPage }), expected, query)
          assert.equal((await list(service(), tenantId, { query })).meta.total, expected.length, query)
        }
      }),
      { numRuns: 40 },
    )
    const { db } = service().deps
    const terms = await db.all<{ term: string; created_at: string }>(
      sql`SELECT term, created_at FROM user_terms WHERE tenant_id = ${tenantId} LIMIT 5000`,
    )
    const times = new Set((await all()).map(({ createdAt }) => createdAt))
    assert.deepEqual(
      terms.filter(({ created_at: at }) => !times.has(at)),
      [],
      'no term is left of a user who is gone',
    )
  })

  it('finds users of an earlier version by beginnings at once, and by parts once their terms are stored', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createUser(service(), tenant.id, { name: 'Ada King Lovelace', email: 'ada@contoso.example' })
    const { db } = service().deps
    await db.transaction(async (tx) => {
      await tx.run(sql`UPDATE users SET search_terms = NULL WHERE tenant_id = ${tenant.id}`)
      await tx.run(sql`DELETE FROM user_terms WHERE tenant_id = ${tenant.id}`)
    })
    const found = async (query: string) => (await list(service(), tenant.id, { query })).data.map((each) => each.id)
    assert.deepEqual([await found('ada king'), await found('ada@'), await found('contoso')], [[id], [id], []])
    while (await addMissingTerms({ db }));
    assert.deepEqual([await found('king'), await found('contoso'), await found('lovelace contoso')], [[id], [id], [id]])
  })

  it('stores no more than 24 terms of a user, however long the names are, and takes any text as a search', async () => {
    const long = Array.from({ length: 60 }, (_, n) => `w${n}`).join('-')
    const { id } = await createUser(service(), tenantId, { name: long, firstName: '李'.repeat(200), username: 'many' })
    const { db } = service().deps
    const row = await db.first<{ search_terms: string }>(
      sql`SELECT search_terms FROM users WHERE tenant_id = ${tenantId} AND id = ${id}`,
    )
    assert.equal((row?.search_terms ?? '').split('\n\n')[0]?.split('\n').length, 25)
    const texts = ['a '.repeat(128), '@ @ @', '%_\\ \n \\n', '\u{1F600}'.repeat(120), 'é'.repeat(256), "'; --"]
    for (const query of texts) assert.equal(typeof (await list(service(), tenantId, { query })).meta.total, 'number')
    await service().ok('deleteUser', { params: { id } })
  })
})
