import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Authenticator, Profile } from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { messagesTo } from '../../../test/harness/messages.ts'
import { type Person, signedInPerson } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('GET|DELETE /auth/users/{id}/authenticators', (service) => {
  const list = ({ user }: Person) =>
    service().ok<Authenticator[]>('listUserAuthenticators', { params: { id: user.id } })
  const typesOf = async (person: Person) => (await list(person)).map(({ type }) => type)
  const remove = (person: Person, id: string) =>
    service().ok<Authenticator>('deleteUserAuthenticator', { params: { userId: person.user.id, id } })
  const idOf = async (person: Person, wanted: string) =>
    (await list(person)).find(({ type }) => type === wanted)?.id ?? ''

  it('shows what the user has set up, without a secret', async () => {
    const person = await signedInPerson(service())
    assert.deepEqual(await list(person), [])
    const { secret, recoveryCodes } = await person.addApp()
    const { passkey, key } = await person.addPasskey()
    assert.deepEqual(await typesOf(person), ['totp', 'passkey', 'recovery_codes'])
    const [, shown] = await list(person)
    assert.deepEqual([shown?.id, shown?.name, shown?.lastUsedAt], [passkey.id, 'Laptop', null])
    const text = JSON.stringify(await list(person))
    for (const kept of [secret, key.credentialId, ...recoveryCodes]) assert.ok(!text.includes(kept))
  })

  it('says when a recovery code was last used, until the codes are replaced', async () => {
    const person = await signedInPerson(service())
    const { recoveryCodes } = await person.addApp()
    const usedAt = async () => (await list(person)).find(({ type }) => type === 'recovery_codes')?.lastUsedAt
    assert.equal(await usedAt(), null)
    const started = service().deps.clock.now()
    const browser = person.elsewhere()
    const { signInAttempt } = await person.begin(browser)
    const body = { strategy: 'authenticator_code', code: recoveryCodes[0] }
    await browser.ok('attemptSecondFactor', { params: { id: signInAttempt.id }, body })
    const at = (await usedAt()) ?? ''
    assert.ok(at >= started && at <= service().deps.clock.now(), at)
    await browser.ok('createRecoveryCodes')
    assert.equal(await usedAt(), null)
  })

  // Guards: asvs-revocation
  it('removes one for good, ends the sessions, records an event and tells the user', async () => {
    const person = await signedInPerson(service())
    await person.addApp()
    const id = await idOf(person, 'totp')
    assert.equal((await remove(person, id)).id, id)
    assert.deepEqual(await list(person), [], 'the recovery codes are removed with the last one')
    await person.browser.refused('getProfile', 'unauthenticated')
    const [event] = await storedEvents(service(), person.tenantId, 'authenticator.deleted')
    assert.deepEqual(event?.data, { userId: person.user.id, kind: 'authenticator_code' })
    const [notice] = await messagesTo(service().deps, person.email)
    assert.equal(notice?.template_type, 'factor-removed')
    const { signInAttempt } = await person.begin()
    assert.equal(signInAttempt.status, 'complete', 'no further factor is required')
    await service().refused('deleteUserAuthenticator', 'not_found', { params: { userId: person.user.id, id } })
  })

  it('leaves the others, which are still required', async () => {
    const person = await signedInPerson(service())
    await person.addApp()
    const { passkey } = await person.addPasskey()
    await remove(person, passkey.id)
    assert.deepEqual(await typesOf(person), ['totp', 'recovery_codes'])
    assert.equal((await person.begin()).signInAttempt.status, 'needs_factor_two')
  })

  it('can remove the recovery codes alone', async () => {
    const person = await signedInPerson(service())
    const { recoveryCodes } = await person.addApp()
    await remove(person, await idOf(person, 'recovery_codes'))
    assert.deepEqual(await typesOf(person), ['totp'])
    const [event] = await storedEvents(service(), person.tenantId, 'recovery_codes.deleted')
    assert.equal(event?.subject_id, person.user.id)
    const [notice] = await messagesTo(service().deps, person.email)
    assert.equal(notice?.template_type, 'factor-removed')
    const browser = person.elsewhere()
    const { signInAttempt } = await person.begin(browser)
    const body = { strategy: 'authenticator_code', code: recoveryCodes[0] }
    await browser.refused('attemptSecondFactor', 'factor_refused', { params: { id: signInAttempt.id }, body })
  })

  it('does not find those of another user, even of the same tenant', async () => {
    const { tenant } = await createTenant(service())
    const [ada, ben] = [await signedInPerson(service(), tenant), await signedInPerson(service(), tenant)]
    const { passkey } = await ada.addPasskey()
    const params = { userId: ben.user.id, id: passkey.id }
    await service().refused('deleteUserAuthenticator', 'not_found', { params })
    const { user } = await ada.browser.ok<{ user: Profile }>('getProfile')
    assert.deepEqual(user.secondFactors, ['security_key'])
    await ben.browser.ok('getProfile')
  })
})
