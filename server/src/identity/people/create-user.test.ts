import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Role, User } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { newRows, rowCounts, storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { realPasswords } from '../../../test/harness/people/passwords.ts'
import { type TestService, describeService, describeServiceWith } from '../../../test/harness/service.ts'
import { verifyPassword } from '../../platform/crypto/password.ts'
import { sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'

const fox = '\u{1F98A}'
const metaBytesMax = 16_384

async function issues(service: TestService, body: object): Promise<string[]> {
  const refused = await service.refused('createUser', 'validation_failed', { body })
  return (refused.issues ?? []).map(({ path, code }) => `${path} ${code}`)
}

async function passwordHash({ deps }: TestService, user: User): Promise<string> {
  const row = await deps.db.first<{ hash: string }>(
    sql`SELECT hash FROM passwords WHERE tenant_id = ${user.tenantId} AND user_id = ${user.id}`,
  )
  assert.ok(row)
  return row.hash
}

describeService('POST /auth/users: what is stored', (service) => {
  it('accepts a user with nothing but a tenant: the switches for self-service do not apply here', async () => {
    const { tenant } = await createTenant(service())
    assert.equal(tenant.auth?.emailRequired, true)
    assert.equal(tenant.auth?.passwordRequired, true)
    const user = await service().ok<User>('createUser', { body: { tenantId: tenant.id } })
    const { id, createdAt, updatedAt, ...rest } = user
    assert.deepEqual(rest, {
      tenantId: tenant.id,
      name: null,
      emailAddresses: [],
      phoneNumbers: [],
      imageUri: null,
      lastSignInAt: null,
      lastActiveAt: null,
      username: null,
      status: 'active',
      roleId: null,
      role: null,
      primaryEmailId: null,
      primaryPhoneId: null,
      publicMeta: {},
      privateMeta: {},
    })
    assert.match(id, /^c[0-9a-z]{24}$/)
    assert.equal(createdAt, updatedAt)
  })

  it('marks the address as verified on request, so that its password signs in', async () => {
    const { tenant } = await createTenant(service())
    const password = 'correct horse battery staple'
    const profileAfter = async (email: string) => {
      const browser = new Browser(service(), tenant.publicKey)
      await browser.call('createSignIn', { body: { identifier: email, strategy: 'email_password', password } })
      return (await browser.call('getProfile')).status
    }
    const [verified, unverified] = [`${unique()}@example.com`, `${unique()}@example.com`]
    const user = await createUser(service(), tenant.id, { email: verified, emailVerified: true, password })
    assert.notEqual(user.emailAddresses[0]?.verifiedAt, null)
    assert.equal(await profileAfter(verified), 200)
    await createUser(service(), tenant.id, { email: unverified, password })
    assert.equal(await profileAfter(unverified), 401)
    assert.deepEqual(await issues(service(), { tenantId: tenant.id, emailVerified: true }), ['/email required'])
  })

  it('stores canonical forms: the domain in ASCII, the username in NFKC, the phone as + and digits', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id, {
      email: 'Ada.L@BÜCHER.example',
      username: 'Ａｄａ',
      phone: '+49 (30) 12.34-567',
    })
    assert.equal(user.emailAddresses[0]?.email, 'Ada.L@xn--bcher-kva.example')
    assert.equal(user.username, 'Ada')
    assert.equal(user.phoneNumbers[0]?.phone, '+49301234567')
  })

  it('makes the first e-mail and phone primary, unverified', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id, { phone: '+49301234567' })
    const [email] = user.emailAddresses
    const [phone] = user.phoneNumbers
    assert.ok(email && phone)
    assert.deepEqual([user.primaryEmailId, user.primaryPhoneId], [email.id, phone.id])
    assert.deepEqual([email.verifiedAt, phone.verifiedAt], [null, null])
    assert.deepEqual(
      [email.userId, phone.userId, email.tenantId, phone.tenantId],
      [user.id, user.id, tenant.id, tenant.id],
    )
  })

  it('counts users, addresses, numbers and holders of a role', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id)
    await createUser(service(), tenant.id, { roleId: role.id, phone: '+49301234567' })
    await createUser(service(), tenant.id, { roleId: role.id })
    await service().ok('createUser', { body: { tenantId: tenant.id } })
    const counted = await Promise.all(
      ['users', 'email_addresses', 'phone_numbers'].map((name) => storedCounter(service(), tenant.id, name)),
    )
    assert.deepEqual(counted, [3, 2, 1])
    const { data } = await service().ok<{ data: Role[] }>('listRoles', { params: { tenantId: tenant.id } })
    assert.deepEqual(data.find(({ id }) => id === role.id)?._count, { users: 2, members: 0 })
  })

  it('shows the role reduced to id, name, description and permissions', async () => {
    const { tenant } = await createTenant(service())
    const { id, name } = await createRole(service(), tenant.id, { permissions: ['a:b'] })
    const user = await createUser(service(), tenant.id, { roleId: id })
    assert.equal(user.roleId, id)
    assert.deepEqual(user.role, { id, name, description: null, permissions: ['a:b'] })
  })

  it('keeps any JSON as meta data, null too', async () => {
    const { tenant } = await createTenant(service())
    for (const meta of [null, false, 0, '', 'text', [], [1, [2]], { a: { b: null } }, { 'ü/~': 1.5e-7 }]) {
      const user = await createUser(service(), tenant.id, { publicMeta: meta, privateMeta: { nested: meta } })
      assert.deepEqual(user.publicMeta, meta)
      assert.deepEqual(user.privateMeta, { nested: meta })
    }
  })

  it('accepts meta data of 16 KiB as JSON and no byte more', async () => {
    const { tenant } = await createTenant(service())
    const full = 'ü'.repeat((metaBytesMax - 2) / 2)
    const user = await createUser(service(), tenant.id, { publicMeta: full, privateMeta: full })
    assert.equal(user.privateMeta, full)
    const over = `${full}x`
    assert.deepEqual(await issues(service(), { tenantId: tenant.id, publicMeta: over, privateMeta: over }), [
      '/publicMeta too_large',
      '/privateMeta too_large',
    ])
  })
})

describeServiceWith('POST /auth/users: the password', realPasswords, (service) => {
  it('matches the stored hash, and is in no answer', async () => {
    const { tenant } = await createTenant(service())
    const password = `  Pass wörd ${unique()}  `
    const answer = await service().call<User>('createUser', { body: { tenantId: tenant.id, password } })
    assert.ok(!answer.text.includes('ass w') && !/password/i.test(answer.text))
    const hash = await passwordHash(service(), answer.body)
    assert.match(hash, /^\$argon2id\$/)
    assert.equal(await verifyPassword(hash, password), true)
    assert.equal(await verifyPassword(hash, password.trim()), false)
  })

  it('is compared up to its 256th code point', async () => {
    const { tenant } = await createTenant(service())
    const password = `${fox.repeat(255)}a`
    const user = await createUser(service(), tenant.id, { password })
    const hash = await passwordHash(service(), user)
    assert.equal(await verifyPassword(hash, password), true)
    assert.equal(await verifyPassword(hash, `${fox.repeat(255)}b`), false)
    assert.equal(await verifyPassword(hash, fox.repeat(255)), false)
  })

  it('has 8 to 256 code points', async () => {
    const { tenant } = await createTenant(service())
    const tenantId = tenant.id
    await createUser(service(), tenantId, { password: fox.repeat(8) })
    await createUser(service(), tenantId, { password: fox.repeat(256) })
    for (const password of [fox.repeat(7), fox.repeat(257), '']) {
      assert.deepEqual(await issues(service(), { tenantId, password }), ['/password invalid_format'])
    }
    assert.deepEqual(await issues(service(), { tenantId, password: 'password\ud800' }), ['/password invalid_text'])
  })
})

describeService('POST /auth/users: what is refused', (service) => {
  it('names every broken rule', async () => {
    const { tenant } = await createTenant(service())
    const found = await issues(service(), {
      tenantId: tenant.id,
      name: ' ',
      username: '-ada',
      phone: '0301234567',
      email: 'ada',
      password: 'short',
      roleId: 5,
      id: newId(),
      phoneVerified: true,
      status: 'suspended',
    })
    assert.deepEqual(found.toSorted(), [
      '/email invalid_format',
      '/id unknown_property',
      '/name invalid_format',
      '/password invalid_format',
      '/phone invalid_format',
      '/phoneVerified unknown_property',
      '/roleId invalid_type',
      '/status unknown_property',
      '/username invalid_format',
    ])
  })

  it('refuses addresses that can be read in more than one way', async () => {
    const { tenant } = await createTenant(service())
    const bad = [
      'a@x.example,b@y.example',
      '"e@attacker.example"@x.example',
      'a＠x.example',
      'a@x.example\r\nBcc: b@y.example',
      '<a@x.example>',
      'a@127.1',
      'a@x',
      'a @x.example',
      'a@[::1]',
      '',
    ]
    for (const email of bad) {
      assert.deepEqual(await issues(service(), { tenantId: tenant.id, email }), ['/email invalid_format'], email)
    }
  })

  it('treats null as left out for optional properties, and accepts it nowhere else', async () => {
    const { tenant } = await createTenant(service())
    const body = { name: null, username: null, phone: null, password: null, email: null, roleId: null }
    const user = await service().ok<User>('createUser', { body: { tenantId: tenant.id, ...body } })
    assert.deepEqual([user.name, user.username, user.roleId, user.emailAddresses], [null, null, null, []])
    assert.deepEqual(await issues(service(), { ...body, tenantId: null }), ['/tenantId invalid_type'])
  })

  it('refuses a role of another tenant, and one that does not exist, at /roleId, and writes nothing', async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const foreign = await createRole(service(), other.tenant.id)
    const before = await rowCounts(service())
    for (const roleId of [foreign.id, newId(), 'x']) {
      const found = await issues(service(), { tenantId: one.tenant.id, email: 'a@x.example', roleId })
      assert.deepEqual(found, ['/roleId unknown_reference'])
    }
    assert.deepEqual(await rowCounts(service()), before)
  })

  it('answers 404 for a tenant that does not exist', async () => {
    const before = await rowCounts(service())
    await service().refused('createUser', 'not_found', { body: { tenantId: newId(), email: 'a@x.example' } })
    assert.deepEqual(await rowCounts(service()), before)
  })
})

describeService('POST /auth/users: the event', (service) => {
  it('is exactly one, and contains no personal data in the clear', async () => {
    const { tenant } = await createTenant(service())
    // None of these occurs in an id or a sealed text by chance.
    const person = { name: 'Ada Lovelace', username: 'ada.lovelace', email: 'ada@x.example', phone: '+49301234567' }
    const before = await rowCounts(service())
    const user = await createUser(service(), tenant.id, { ...person, password: 'correct horse' })
    assert.deepEqual(await newRows(service(), before), {
      events: 1,
      users: 1,
      passwords: 1,
      email_addresses: 1,
      phone_numbers: 1,
    })
    const [event] = await storedEvents(service(), tenant.id, 'user.created')
    assert.ok(event)
    assert.equal(event.subject_id, user.id)
    assert.deepEqual(event.data, { roleId: null, hasPassword: true })
    const text = JSON.stringify(event)
    for (const value of [...Object.values(person), 'correct horse']) assert.ok(!text.includes(value), value)
  })

  it("can be opened with the user's salt, and with no other", async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id, { name: 'Ada', email: 'ada@x.example' })
    const [event] = await storedEvents(service(), tenant.id, 'user.created')
    const row = await service().deps.db.first<{ personal_salt: string }>(
      sql`SELECT personal_salt FROM users WHERE tenant_id = ${tenant.id} AND id = ${user.id}`,
    )
    assert.ok(event?.personal && row)
    const { personal } = service().deps
    assert.deepEqual(JSON.parse(personal.open(row.personal_salt, event.id, event.personal)), {
      name: 'Ada',
      username: null,
      email: 'ada@x.example',
      phone: null,
    })
    const sealed = event.personal
    assert.throws(() => personal.open(personal.newSalt(), event.id, sealed))
    assert.throws(() => personal.open(row.personal_salt, newId(), sealed))
  })
})
