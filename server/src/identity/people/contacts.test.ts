import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { EmailAddress, PhoneNumber, User } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const newEmail = () => `${unique()}@example.com`
let lastPhone = 1_000_000
const newPhone = () => `+4930${lastPhone++}`

const readUser = async (service: TestService, id: string) =>
  (await service.ok<{ data: User }>('getUser', { params: { id } })).data

const addEmail = (service: TestService, { tenantId, id: userId }: User, email = newEmail()) =>
  service.ok<EmailAddress>('createEmailAddress', { body: { tenantId, userId, email } })

const addPhone = (service: TestService, { tenantId, id: userId }: User, phone = newPhone()) =>
  service.ok<PhoneNumber>('createPhoneNumber', { body: { tenantId, userId, phone } })

describeService('e-mail addresses', (service) => {
  it('become primary, unverified, if they are the first, and otherwise do not', async () => {
    const { tenant } = await createTenant(service())
    const user = await service().ok<User>('createUser', { body: { tenantId: tenant.id } })
    const first = await addEmail(service(), user, 'Ada@BÜCHER.example')
    const second = await addEmail(service(), user)
    assert.deepEqual([first.email, first.verifiedAt], ['Ada@xn--bcher-kva.example', null])
    const read = await readUser(service(), user.id)
    assert.equal(read.primaryEmailId, first.id)
    assert.deepEqual(read.emailAddresses, [first, second])
    assert.deepEqual(await service().ok('getEmailAddress', { params: { id: second.id } }), second)
    assert.equal(await storedCounter(service(), tenant.id, 'email_addresses'), 2)
  })

  it('are unique in the tenant in every spelling, but not across tenants', async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const user = await createUser(service(), tenant.id, { email: 'ada@example.com' })
    const body = { tenantId: tenant.id, userId: user.id, email: 'ADA@Example.COM' }
    await assertWritesNothing(service().deps.db, () => service().refused('createEmailAddress', 'email_taken', { body }))
    await addEmail(service(), await createUser(service(), other.id), 'ada@example.com')
  })

  it('are given out once each, a hundred to a user at most, if two hundred are asked for at once', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const ask = (email: string) =>
      service().call('createEmailAddress', { body: { tenantId: tenant.id, userId: user.id, email } })
    const same = newEmail()
    assert.deepEqual(statusCounts(await atOnce(20, () => ask(same))), { 200: 1, 409: 19 })
    const many = await atOnce(110, () => ask(newEmail()))
    assert.deepEqual(statusCounts(many), { 200: 98, 409: 12 })
    assert.equal(await storedCounter(service(), tenant.id, 'email_addresses'), 100)
    await service().refused('createEmailAddress', 'contact_limit_reached', {
      body: { tenantId: tenant.id, userId: user.id, email: newEmail() },
    })
  })

  it('are listed newest first, for one user and for all, with their number', async () => {
    const { tenant } = await createTenant(service())
    const [ada, grace] = [await createUser(service(), tenant.id), await createUser(service(), tenant.id)]
    const added = await addEmail(service(), ada)
    const own = await service().ok<{ data: EmailAddress[]; meta: { total: number } }>('listUserEmailAddresses', {
      params: { userId: ada.id },
    })
    assert.deepEqual([own.data, own.meta.total], [[added, ada.emailAddresses[0]], 2])
    const all = await service().ok<{ data: EmailAddress[]; meta: { total: number; next: string } }>(
      'listTenantEmailAddresses',
      { params: { tenantId: tenant.id }, query: { perPage: '2' } },
    )
    assert.deepEqual([all.data, all.meta.total], [[added, grace.emailAddresses[0]], 3])
    assert.equal(all.meta.next, ada.emailAddresses[0]?.createdAt)
  })

  it('must be verified again if they change, and stay as they are if they do not', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id, { email: 'ada@example.com' })
    const id = user.primaryEmailId ?? ''
    const verified = await service().ok<EmailAddress>('verifyEmailAddress', { body: { id } })
    await assertWritesNothing(service().deps.db, async () => {
      assert.deepEqual(await service().ok('updateEmailAddress', { body: { id } }), verified)
      assert.deepEqual(await service().ok('updateEmailAddress', { body: { id, email: 'ada@EXAMPLE.com' } }), verified)
    })
    const changed = await service().ok<EmailAddress>('updateEmailAddress', { body: { id, email: 'Ada@example.com' } })
    assert.deepEqual([changed.email, changed.verifiedAt], ['Ada@example.com', null])
    assert.deepEqual(await service().ok('getEmailAddress', { params: { id } }), changed)
    assert.equal((await readUser(service(), user.id)).primaryEmailId, id)
    await createUser(service(), tenant.id, { email: 'grace@example.com' })
    await service().refused('updateEmailAddress', 'email_taken', { body: { id, email: 'GRACE@example.com' } })
    const [event] = await storedEvents(service(), tenant.id, 'email.updated')
    assert.deepEqual(event?.data, { userId: user.id })
    assert.ok(event.personal !== null && !JSON.stringify(event).includes('example.com'))
  })

  it('replace a deleted primary one with the oldest verified, else the oldest, else none', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const [older, newer] = [await addEmail(service(), user), await addEmail(service(), user)]
    await service().ok('verifyEmailAddress', { body: { id: newer.id } })
    const primaryAfterDeleting = async (id: string | null | undefined) => {
      assert.deepEqual(await service().ok('deleteEmailAddress', { query: { id: id ?? '' } }), { deleted: true })
      return (await readUser(service(), user.id)).primaryEmailId
    }
    assert.equal(await primaryAfterDeleting(user.primaryEmailId), newer.id)
    assert.equal(await primaryAfterDeleting(newer.id), older.id)
    const another = await addEmail(service(), user)
    assert.equal(await primaryAfterDeleting(another.id), older.id)
    assert.equal(await primaryAfterDeleting(older.id), null)
    await service().refused('deleteEmailAddress', 'not_found', { query: { id: older.id } })
    assert.equal(await storedCounter(service(), tenant.id, 'email_addresses'), 0)
  })

  it('DELETE without an id deletes nothing', async () => {
    const { tenant } = await createTenant(service())
    await createUser(service(), tenant.id)
    await assertWritesNothing(service().deps.db, async () => {
      await service().refused('deleteEmailAddress', 'validation_failed')
      await service().refused('deletePhoneNumber', 'validation_failed', { body: { id: 'cx' } })
    })
  })

  it('are made primary again without an event', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const second = await addEmail(service(), user)
    assert.deepEqual(await service().ok('makePrimaryEmailAddress', { body: { id: second.id } }), second)
    await service().ok('makePrimaryEmailAddress', { body: { id: second.id } })
    assert.equal((await readUser(service(), user.id)).primaryEmailId, second.id)
    const events = await storedEvents(service(), tenant.id, 'email.made_primary')
    assert.deepEqual(
      events.map((event) => event.data),
      [{ userId: user.id, before: user.primaryEmailId }],
    )
  })

  it('have an existing primary one after simultaneous deletions', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const others = [await addEmail(service(), user), await addEmail(service(), user), await addEmail(service(), user)]
    const doomed = [user.primaryEmailId ?? '', ...others.slice(0, 2).map((each) => each.id)]
    await Promise.all(doomed.map((id) => service().ok('deleteEmailAddress', { query: { id } })))
    const read = await readUser(service(), user.id)
    assert.deepEqual(
      [read.emailAddresses.map((each) => each.id), read.primaryEmailId],
      [[others[2]?.id], others[2]?.id],
    )
  })
})

describeService('phone numbers', (service) => {
  it('are stored as + and digits, and are made primary, verified and deleted like addresses', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const first = await addPhone(service(), user, '+49 (30) 12-34.56 7')
    const second = await addPhone(service(), user)
    assert.equal(first.phone, '+49301234567')
    const verified = await service().ok<PhoneNumber>('verifyPhoneNumber', { body: { id: second.id } })
    assert.ok(verified.verifiedAt !== null)
    assert.deepEqual(await service().ok('verifyPhoneNumber', { body: { id: second.id } }), verified)
    assert.equal((await readUser(service(), user.id)).primaryPhoneId, first.id)
    await service().ok('deletePhoneNumber', { query: { id: first.id } })
    const read = await readUser(service(), user.id)
    assert.deepEqual([read.primaryPhoneId, read.phoneNumbers], [second.id, [verified]])
    const types = (await storedEvents(service(), tenant.id)).map((event) => event.type)
    assert.deepEqual(types.slice(-4), [
      'phone.created',
      'phone.created',
      'phone.verification_completed',
      'phone.deleted',
    ])
  })

  it('are unique in the tenant', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id, { phone: '+49301234567' })
    await service().refused('createPhoneNumber', 'phone_taken', {
      body: { tenantId: tenant.id, userId: user.id, phone: '+49 30 1234567' },
    })
  })
})
