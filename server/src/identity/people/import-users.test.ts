import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { User } from '@bailiwick/contract'
import { storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { realPasswords } from '../../../test/harness/people/passwords.ts'
import { type TestService, describeService, describeServiceWith } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { newId, type TenantId, type UserId } from '../../platform/ids.ts'
import { checkUserPassword } from '../passwords/passwords.ts'

interface Answer {
  readonly line?: number
  readonly status?: string
  readonly id?: string
  readonly issues?: readonly { readonly path: string; readonly code: string }[]
  readonly summary?: Readonly<Record<string, number>>
}

/** Lines as objects, or as text that is sent unchanged. */
const importLines = (service: TestService, tenantId: string, lines: readonly (object | string)[]) =>
  service.ok<Answer[]>('importUsers', {
    query: { tenantId },
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  })

const statuses = (answers: readonly Answer[]) => answers.slice(0, -1).map((answer) => answer.status)
const problems = (answers: readonly Answer[]) =>
  answers.slice(0, -1).map(({ issues = [] }) => issues.map(({ path, code }) => `${path} ${code}`).join(', '))

const readUser = async (service: TestService, id = '') =>
  (await service.ok<{ data: User }>('getUser', { params: { id } })).data

describeService('POST /auth/users/import', (service) => {
  it('stores everything that a line says, with its event and its counts', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id, { name: 'Editor' })
    const id = newId()
    const [answer, last] = await importLines(service(), tenant.id, [
      {
        id,
        email: 'Ada@BÜCHER.example',
        emailVerified: true,
        phone: '+44 20 7946 0000',
        phoneVerified: true,
        username: 'ada',
        name: 'Ada Lovelace',
        roleName: 'EDITOR',
        publicMeta: { a: 1 },
        privateMeta: [1],
        createdAt: '2015-12-10T08:00:00+01:00',
      },
    ])
    assert.deepEqual(answer, { line: 1, status: 'created', id })
    assert.deepEqual(last, { summary: { created: 1, exists: 0, error: 0 } })
    const user = await readUser(service(), id)
    assert.deepEqual(
      [user.name, user.username, user.roleId, user.publicMeta, user.privateMeta, user.createdAt, user.status],
      ['Ada Lovelace', 'ada', role.id, { a: 1 }, [1], '2015-12-10T07:00:00.000000Z', 'active'],
    )
    const [email, phone] = [user.emailAddresses[0], user.phoneNumbers[0]]
    assert.deepEqual([email?.email, phone?.phone], ['Ada@xn--bcher-kva.example', '+442079460000'])
    assert.ok(email?.verifiedAt && phone?.verifiedAt)
    assert.deepEqual([user.primaryEmailId, user.primaryPhoneId], [email.id, phone.id])
    for (const name of ['users', 'email_addresses', 'phone_numbers', `role_users:${role.id}`]) {
      assert.equal(await storedCounter(service(), tenant.id, name), 1, name)
    }
    const [event] = await storedEvents(service(), tenant.id, 'user.created')
    assert.deepEqual([event?.subject_id, event?.data], [id, { roleId: role.id, hasPassword: false }])
  })

  it('creates nobody and writes nothing if it is sent again: a person is recognised by id, else by e-mail in any spelling', async () => {
    const { tenant } = await createTenant(service())
    const id = newId()
    const lines = [
      { id, email: 'ada@example.com' },
      { email: 'grace@example.com' },
      { username: 'edith' },
      { phone: '+4930123456' },
    ]
    const first = await importLines(service(), tenant.id, lines)
    assert.deepEqual(statuses(first), ['created', 'created', 'created', 'created'])
    await assertWritesNothing(service().deps.db, async () => {
      const again = await importLines(service(), tenant.id, lines)
      assert.deepEqual(
        again.slice(0, -1),
        first.slice(0, -1).map((answer) => ({ ...answer, status: 'exists' })),
      )
      const spelled = [
        { id, name: 'Other' },
        { email: 'GRACE@EXAMPLE.com' },
        { username: 'EDITH' },
        { phone: '+49-30-123456' },
      ]
      assert.deepEqual(statuses(await importLines(service(), tenant.id, spelled)), Array(4).fill('exists'))
    })
  })

  it('completes one that was cut short', async () => {
    const { tenant } = await createTenant(service())
    const lines = Array.from({ length: 300 }, (_, n) => ({ email: `person${n}@example.com` }))
    await importLines(service(), tenant.id, lines.slice(0, 170))
    const answers = await importLines(service(), tenant.id, lines)
    assert.deepEqual(answers.at(-1), { summary: { created: 130, exists: 170, error: 0 } })
    assert.equal(await storedCounter(service(), tenant.id, 'users'), 300)
  })

  it('answers every line separately and in order, except blank ones, and lets no line affect another', async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    await createRole(service(), other.id, { name: 'theirs' })
    await createUser(service(), tenant.id, { username: 'taken', phone: '+4930111111' })
    const hash = { algorithm: 'bcrypt', hash: '$2b$10$short' }
    const bad: readonly (readonly [line: object | string, problem: string])[] = [
      ['{"email":', ' malformed_json'],
      ['[]', ' invalid_type'],
      ['"ada@example.com"', ' invalid_type'],
      ['{"email":"a@example.com","email":"b@example.com"}', ' duplicate_property'],
      ['{"__proto__":{"a":1},"email":"a@example.com"}', '/__proto__ forbidden_property'],
      [`{"name":"${'x'.repeat(70_000)}"}`, ' too_long'],
      [{}, ' required'],
      [{ name: 'Nobody' }, ' required'],
      [
        { email: 'not an address', phone: '12', extra: 1 },
        '/extra unknown_property, /email invalid_format, /phone invalid_format',
      ],
      [{ id: 'user-1' }, '/id invalid_format'],
      [
        { username: 'x', emailVerified: true, phoneVerified: true },
        '/emailVerified contradicts, /phoneVerified contradicts',
      ],
      [{ email: 'a@example.com', roleName: 'theirs' }, '/roleName unknown_reference'],
      [{ email: 'a@example.com', createdAt: '2999-01-01T00:00:00Z' }, '/createdAt too_late'],
      [{ email: 'a@example.com', createdAt: 'yesterday' }, '/createdAt invalid_format'],
      [
        { email: 'a@example.com', password: 'long enough', passwordHash: hash },
        '/passwordHash contradicts, /passwordHash/hash invalid_hash',
      ],
      [{ email: 'a@example.com', password: 'short' }, '/password invalid_format'],
      [{ email: 'a@example.com', username: 'TAKEN' }, '/username username_taken'],
      [
        { email: 'a@example.com', username: 'Taken', phone: '+49 30 111111' },
        '/username username_taken, /phone phone_taken',
      ],
    ]
    const lines = bad.flatMap(([line], n) => [line, '', { email: `good${n}@example.com` }])
    const answers = await importLines(service(), tenant.id, lines)
    assert.deepEqual(
      answers.slice(0, -1).map((answer) => answer.line),
      bad.flatMap((_, n) => [3 * n + 1, 3 * n + 3]),
    )
    assert.deepEqual(
      statuses(answers),
      bad.flatMap(() => ['error', 'created']),
    )
    assert.deepEqual(
      problems(answers).filter((_, n) => n % 2 === 0),
      bad.map(([, problem]) => problem),
    )
    assert.equal(await storedCounter(service(), tenant.id, 'users'), bad.length + 1)
  })

  it('recognises the same person in two lines of one file, and refuses two people with one username', async () => {
    const { tenant } = await createTenant(service())
    const answers = await importLines(service(), tenant.id, [
      { email: 'ada@example.com', username: 'ada' },
      { email: 'ADA@example.com', name: 'Again' },
      { email: 'grace@example.com', username: 'Ada' },
      { id: 'cgrace000', email: 'grace@example.com' },
      { id: 'cgrace000' },
    ])
    assert.deepEqual(statuses(answers), ['created', 'exists', 'error', 'created', 'exists'])
    assert.equal(answers[1]?.id, answers[0]?.id)
    assert.deepEqual(problems(answers)[2], '/username username_taken')
  })

  it('creates each person once if four run at once', async () => {
    const { tenant } = await createTenant(service())
    const lines = Array.from({ length: 300 }, (_, n) => ({ email: `person${n}@example.com`, username: `person${n}` }))
    const all = await Promise.all([1, 2, 3, 4].map(() => importLines(service(), tenant.id, lines)))
    const sums = all.map((answers) => answers.at(-1)?.summary)
    assert.equal(
      sums.reduce((sum, summary) => sum + (summary?.['created'] ?? 0), 0),
      300,
    )
    assert.ok(sums.every((summary) => summary?.['error'] === 0))
    for (const name of ['users', 'email_addresses']) assert.equal(await storedCounter(service(), tenant.id, name), 300)
    const ids = all.map((answers) => answers.slice(0, -1).map((answer) => answer.id))
    for (const each of ids) assert.deepEqual(each, ids[0])
  })

  it('gives users with the same createdAt different times close to it, and the first one exactly it', async () => {
    const { tenant } = await createTenant(service())
    const createdAt = '2020-02-02T02:02:02Z'
    const lines = Array.from({ length: 300 }, () => ({ email: `${unique()}@example.com`, createdAt }))
    const answers = await importLines(service(), tenant.id, lines)
    assert.deepEqual(new Set(statuses(answers)), new Set(['created']))
    const rows = await service().deps.db.all<{ created_at: string }>(
      sql`SELECT created_at FROM users WHERE tenant_id = ${tenant.id} ORDER BY created_at LIMIT 1000`,
    )
    assert.equal(new Set(rows.map((row) => row.created_at)).size, 300)
    assert.equal(rows[0]?.created_at, '2020-02-02T02:02:02.000000Z')
    assert.ok((rows.at(-1)?.created_at ?? '') < '2020-02-02T02:02:03')
  })

  it('refuses JSON, another character set and a missing body, and accepts an empty one', async () => {
    const { tenant } = await createTenant(service())
    const query = { tenantId: tenant.id }
    for (const type of ['application/json', 'application/x-ndjson; charset=utf-16', 'text/plain']) {
      const options = { query, headers: { 'content-type': type }, body: '{"email":"a@example.com"}' }
      await service().refused('importUsers', 'unsupported_media_type', options)
    }
    await service().refused('importUsers', 'validation_failed', { query })
    await service().refused('createUser', 'unsupported_media_type', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ tenantId: tenant.id }),
    })
    assert.deepEqual(await importLines(service(), tenant.id, ['']), [{ summary: { created: 0, exists: 0, error: 0 } }])
  })

  it('accepts a byte order mark, carriage returns and a last line without a line break', async () => {
    const { tenant } = await createTenant(service())
    const answers = await service().ok<Answer[]>('importUsers', {
      query: { tenantId: tenant.id },
      headers: { 'content-type': 'application/x-ndjson' },
      body: '\ufeff{"email":"a@example.com"}\r\n \r\n{"email":"b@example.com"}',
    })
    assert.deepEqual(statuses(answers), ['created', 'created'])
    assert.deepEqual(
      answers.slice(0, -1).map((answer) => answer.line),
      [1, 3],
    )
  })
})

describeServiceWith('imported passwords', realPasswords, (service) => {
  const stored = (id: string) =>
    service().deps.db.first<{ hash: string; kind: string }>(sql`SELECT hash, kind FROM passwords WHERE user_id = ${id}`)
  const check = async (tenantId: string, id: string | undefined, password: string) => {
    const result = await checkUserPassword(
      service().deps,
      tenantId as TenantId,
      { userId: id as UserId | undefined, identifierKey: 'any' },
      password,
    )
    return { isRight: result.isRight, mustChange: result.mustChange }
  }

  it('are stored sealed, work, and are hashed again once they have been used', async () => {
    const { tenant } = await createTenant(service())
    const hash = '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'
    const [answer] = await importLines(service(), tenant.id, [
      { email: 'ada@example.com', passwordHash: { algorithm: 'bcrypt', hash } },
    ])
    const id = answer?.id ?? ''
    const sealed = await stored(id)
    assert.equal(sealed?.kind, 'imported')
    assert.match(sealed.hash, /^v1\./)
    assert.ok(!JSON.stringify(await service().deps.db.all(sql`SELECT * FROM passwords`)).includes(hash))
    assert.deepEqual(await check(tenant.id, id, 'U*U*V'), { isRight: false, mustChange: false })
    assert.deepEqual(await stored(id), sealed)
    assert.deepEqual(await check(tenant.id, id, 'U*U*U'), { isRight: true, mustChange: false })
    const own = await stored(id)
    assert.deepEqual([own?.kind, own?.hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$')], ['own', true])
    assert.deepEqual(await check(tenant.id, id, 'U*U*U'), { isRight: true, mustChange: false })
    assert.deepEqual(await stored(id), own)
  })

  it('are hashed at once if they arrive in the clear', async () => {
    const { tenant } = await createTenant(service())
    const lines = Array.from({ length: 5 }, (_, n) => ({ email: `p${n}@example.com`, password: `secret number ${n}` }))
    const answers = await importLines(service(), tenant.id, lines)
    for (const [n, { id = '' }] of answers.slice(0, -1).entries()) {
      assert.match((await stored(id))?.hash ?? '', /^\$argon2id\$/)
      assert.deepEqual(await check(tenant.id, id, `secret number ${n}`), { isRight: true, mustChange: false })
    }
  })

  it('are wrong for a user who does not exist', async () => {
    const { tenant } = await createTenant(service())
    const result = await check(tenant.id, undefined, 'whatever it is')
    assert.deepEqual(result, { isRight: false, mustChange: false })
  })
})

describeService('GET /auth/users/export', (service) => {
  it('contains every user of the tenant once, newest first and complete, and no others', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    await createUser(service(), other.id)
    const lines = Array.from({ length: 450 }, (_, n) => ({
      email: `person${n}@example.com`,
      password: undefined,
      name: `P ${n}`,
    }))
    await importLines(service(), tenant.id, lines)
    const role = await createRole(service(), tenant.id)
    const last = await createUser(service(), tenant.id, {
      roleId: role.id,
      phone: '+4930123456',
      password: 'a secret word',
    })
    const users = await service().ok<User[]>('exportUsers', { query: { tenantId: tenant.id }, token: secretKey })
    assert.equal(users.length, 451)
    assert.deepEqual(users[0], { ...last, claimed: [] })
    assert.ok(users.every((user) => user.tenantId === tenant.id))
    assert.equal(new Set(users.map((user) => user.id)).size, 451)
    const times = users.map((user) => user.createdAt)
    assert.deepEqual(times, times.toSorted().toReversed())
    assert.ok(!JSON.stringify(users).includes('argon2'))
  })

  it('is empty for a tenant without users', async () => {
    const { tenant } = await createTenant(service())
    assert.deepEqual(await service().ok('exportUsers', { query: { tenantId: tenant.id } }), [])
  })
})
