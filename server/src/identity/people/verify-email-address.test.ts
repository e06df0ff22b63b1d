import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { EmailAddress } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { rowCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { newId } from '../../platform/ids.ts'

const verify = (service: TestService, id: string) => service.ok<EmailAddress>('verifyEmailAddress', { body: { id } })

async function newAddress(service: TestService): Promise<EmailAddress> {
  const { tenant } = await createTenant(service)
  const user = await createUser(service, tenant.id)
  const [address] = user.emailAddresses
  assert.ok(address)
  return address
}

describeService('POST /auth/email-addresses/verify', (service) => {
  it('sets verifiedAt and changes nothing else', async () => {
    const address = await newAddress(service())
    const verified = await verify(service(), address.id)
    assert.ok(verified.verifiedAt !== null && verified.verifiedAt > address.createdAt)
    assert.deepEqual({ ...verified, verifiedAt: null, updatedAt: address.updatedAt }, address)
  })

  it('keeps the first verifiedAt when it is verified again, and appends no second event', async () => {
    const address = await newAddress(service())
    const first = await verify(service(), address.id)
    const before = await rowCounts(service())
    assert.deepEqual(await verify(service(), address.id), first)
    assert.deepEqual(await rowCounts(service()), before)
  })

  it('appends one event without the address, also when fifty verify at once', async () => {
    const address = await newAddress(service())
    const answers = await atOnce(50, () =>
      service().call<EmailAddress>('verifyEmailAddress', { body: { id: address.id } }),
    )
    assert.equal(new Set(answers.map(({ body }) => body.verifiedAt)).size, 1)
    const events = await storedEvents(service(), address.tenantId, 'email.verification_completed')
    assert.deepEqual(
      events.map(({ subject_type, subject_id, data }) => [subject_type, subject_id, data]),
      [['email_address', address.id, { userId: address.userId, verifiedAt: answers[0]?.body.verifiedAt }]],
    )
    assert.ok(!JSON.stringify(events).includes(address.email))
  })

  it('answers 404 for an address that does not exist', async () => {
    for (const id of [newId(), 'x', '%', "' OR 1=1"]) {
      await service().refused('verifyEmailAddress', 'not_found', { body: { id } })
    }
  })

  it('refuses a body that is not exactly an id', async () => {
    const { id } = await newAddress(service())
    for (const body of [
      {},
      { id: '' },
      { id: 5 },
      { id: null },
      { id: 'x'.repeat(257) },
      { id, verifiedAt: null },
      [id],
    ]) {
      await service().refused('verifyEmailAddress', 'validation_failed', { body })
    }
  })
})
