import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { User, UserDetails } from '@bailiwick/contract'
import fc from 'fast-check'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { listUsers, walkBothWays } from '../../../test/harness/people/list-users.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { addMissingTerms } from './user-terms.ts'

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
  const [whole, start] = [Array.from(plain(text)), plain(word)]
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
  const all = async () => (await listUsers(service(), tenantId, { perPage: '100' })).data
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
          const users = await all()
          const user = users[seed % users.length]
          if (user !== undefined && (kind !== 'erase' || users.length > 10)) await change(kind, user, seed)
          const expected = (await all()).filter((each) => isFoundBy(each, query)).map(({ id }) => id)
          assert.deepEqual(await walkBothWays(service(), tenantId, { query, perPage }), expected, query)
          assert.equal((await listUsers(service(), tenantId, { query })).meta.total, expected.length, query)
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
    const found = async (query: string) =>
      (await listUsers(service(), tenant.id, { query })).data.map((each) => each.id)
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
    for (const query of texts)
      assert.equal(typeof (await listUsers(service(), tenantId, { query })).meta.total, 'number')
    await service().ok('deleteUser', { params: { id } })
  })
})
