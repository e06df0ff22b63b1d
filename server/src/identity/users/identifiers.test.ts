// When two e-mail addresses, usernames or phone numbers of one tenant count as the same.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atOnce } from '../../../test/harness/at-once.ts'
import {
  newRows,
  rowCounts,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const requests = 200

/** Each row: spellings that count as the same. */
const sameEmails = [
  ['ada@x.example', 'ADA@x.example', 'Ada@X.EXAMPLE', 'ａｄａ@x.example', 'ada@ｘ.example'],
  ['kelvin@x.example', '\u212Aelvin@x.example', 'KELVIN@X.example'],
  ['strasse@x.example', 'straße@x.example', 'STRASSE@x.example', 'STRAẞE@x.example'],
  ['\u0130d@x.example', 'i\u0307d@x.example'],
  ['caf\u00e9@x.example', 'cafe\u0301@x.example', 'CAFÉ@x.example'],
  ['eins@bücher.example', 'eins@xn--bcher-kva.example', 'eins@BÜCHER.example', 'EINS@XN--BCHER-KVA.example'],
  ['zwei@straße.example', 'zwei@STRAßE.example'],
] as const

const sameUsernames = [
  ['ada', 'ADA', 'Ａｄａ'],
  ['kate', '\u212Aate', 'KATE'],
  ['strasse', 'straße', 'STRASSE', 'STRAẞE'],
  ['\u0130d', 'i\u0307d'],
  ['caf\u00e9', 'cafe\u0301'],
  ['οδος', 'ΟΔΟΣ', 'οδοσ'],
  ['of\ufb01ce', 'office', 'OFFICE'],
] as const

const differentEmails = ['ada@x.example', 'ada@y.example', 'ada+1@x.example', 'a.da@x.example', 'аda@x.example']
const differentUsernames = ['ada', 'a.da', 'ada_', 'аda']

const create = (service: TestService, tenantId: string, body: object) =>
  service.call('createUser', { body: { tenantId, ...body } })

describeService('POST /auth/users: uniqueness', (service) => {
  // Guards: alike-names
  it('refuses an e-mail address that is taken in another case or Unicode spelling with 409 email_taken', async () => {
    for (const spellings of sameEmails) {
      const { tenant } = await createTenant(service())
      await createUser(service(), tenant.id, { email: spellings[0] })
      for (const email of spellings) {
        await service().refused('createUser', 'email_taken', { body: { tenantId: tenant.id, email } })
      }
    }
  })

  // Guards: alike-names
  it('refuses a username that is taken in another case or Unicode spelling with 409 username_taken', async () => {
    for (const spellings of sameUsernames) {
      const { tenant } = await createTenant(service())
      await createUser(service(), tenant.id, { username: spellings[0] })
      for (const username of spellings) {
        await service().refused('createUser', 'username_taken', { body: { tenantId: tenant.id, username } })
      }
    }
  })

  it('refuses a phone number that is taken in another grouping with 409 phone_taken', async () => {
    const { tenant } = await createTenant(service())
    await createUser(service(), tenant.id, { phone: '+49 30 1234567' })
    for (const phone of ['+49301234567', '+49 (30) 123-45-67', '+49.30.1234567', '+[49]301234567']) {
      await service().refused('createUser', 'phone_taken', { body: { tenantId: tenant.id, phone } })
    }
    await createUser(service(), tenant.id, { phone: '+493012345678' })
  })

  // Guards: alike-names
  it('distinguishes what only looks alike', async () => {
    const { tenant } = await createTenant(service())
    for (const email of differentEmails) await createUser(service(), tenant.id, { email })
    for (const username of differentUsernames) await createUser(service(), tenant.id, { username })
  })

  it('applies within one tenant: another tenant may have the same', async () => {
    const person = { email: 'ada@x.example', username: 'ada', phone: '+49301234567' }
    for (let n = 0; n < 2; n++) {
      const { tenant } = await createTenant(service())
      await createUser(service(), tenant.id, person)
    }
  })

  it('writes nothing for a user whose last identifier is taken', async () => {
    const { tenant } = await createTenant(service())
    await createUser(service(), tenant.id, { phone: '+49301234567' })
    const before = await rowCounts(service())
    const body = {
      tenantId: tenant.id,
      email: 'new@x.example',
      username: 'new',
      phone: '+49301234567',
      password: 'correct horse',
    }
    await service().refused('createUser', 'phone_taken', { body })
    assert.deepEqual(await newRows(service(), before), {})
    assert.equal(await storedCounter(service(), tenant.id, 'users'), 1)
    await createUser(service(), tenant.id, { email: 'new@x.example', username: 'new' })
  })
})

describeService('POST /auth/users: two hundred at once', (service) => {
  const races: readonly (readonly [string, (n: number) => object, object])[] = [
    [
      'an e-mail address in different spellings',
      (n) => ({ email: sameEmails[0][n % sameEmails[0].length] }),
      { users: 1, email_addresses: 1, events: 1 },
    ],
    [
      'a username in different spellings',
      (n) => ({ username: sameUsernames[2][n % sameUsernames[2].length] }),
      { users: 1, events: 1 },
    ],
    [
      'a phone number in different groupings',
      (n) => ({ phone: n % 2 === 0 ? '+49301234567' : '+49 30 1234567' }),
      { users: 1, phone_numbers: 1, events: 1 },
    ],
    [
      'all three',
      (n) => ({ email: `a@x.example`, username: n % 2 === 0 ? 'race' : 'RACE', phone: '+49301234567' }),
      { users: 1, email_addresses: 1, phone_numbers: 1, events: 1 },
    ],
  ]
  for (const [what, bodyOf, grown] of races) {
    // Guards: limits-in-database
    it(`give ${what} to one user, count it once and store nothing of the others`, async () => {
      const { tenant } = await createTenant(service())
      const before = await rowCounts(service())
      const answers = await atOnce(requests, (n) => create(service(), tenant.id, { name: unique(), ...bodyOf(n) }))
      assert.deepEqual(statusCounts(answers), { 200: 1, 409: requests - 1 })
      assert.deepEqual(await newRows(service(), before), grown)
      assert.equal(await storedCounter(service(), tenant.id, 'users'), 1)
      assert.equal((await storedEvents(service(), tenant.id, 'user.created')).length, 1)
    })
  }

  it('all succeed if they have nothing in common, and are all counted', async () => {
    const { tenant } = await createTenant(service())
    const answers = await atOnce(requests, (n) =>
      create(service(), tenant.id, { email: `n${n}@x.example`, username: `n${n}` }),
    )
    assert.deepEqual(statusCounts(answers), { 200: requests })
    assert.equal(await storedCounter(service(), tenant.id, 'users'), requests)
    assert.equal(await storedCounter(service(), tenant.id, 'email_addresses'), requests)
    const created = (await storedEvents(service(), tenant.id, 'user.created')).map(({ subject_id }) => subject_id)
    assert.equal(new Set(created).size, requests)
  })
})
