import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAttempt, SignUpAttempt, UserDataExport } from '@bailiwick/contract'
import { storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { insertAttempts, openSession } from '../../../test/harness/people/sessions.ts'
import { describeService } from '../../../test/harness/service.ts'

interface AttemptPage {
  readonly data: { readonly id: string; readonly createdAt: string }[]
  readonly meta: { readonly total: number; readonly next: string | null }
}

const kinds = [
  {
    list: 'listSignInAttempts',
    remove: 'deleteSignInAttempt',
    get: 'getSignInAttempt',
    key: 'signIn',
    table: 'sign_in_attempts',
  },
  {
    list: 'listSignUpAttempts',
    remove: 'deleteSignUpAttempt',
    get: 'getSignUpAttempt',
    key: 'signUp',
    table: 'sign_up_attempts',
  },
] as const

describeService('attempts to sign in and up', (service) => {
  for (const { list, remove, get, key, table } of kinds) {
    it(`${list} pages through them, newest first, with their total`, async () => {
      const { tenant } = await createTenant(service())
      const ids: string[] = []
      for (let n = 0; n < 5; n++) ids.unshift((await insertAttempts(service(), tenant.id, null))[key].id)
      const found: string[] = []
      let cursor: string | null = null
      do {
        const query: Record<string, string> = {
          tenantId: tenant.id,
          perPage: '2',
          ...(cursor === null ? {} : { cursor }),
        }
        const page: AttemptPage = await service().ok<AttemptPage>(list, { query })
        assert.equal(page.meta.total, 5)
        found.push(...page.data.map(({ id }) => id))
        cursor = page.meta.next
      } while (cursor !== null)
      assert.deepEqual(found, ids)
    })

    it(`${remove} removes one, records an event and lowers the count`, async () => {
      const { tenant, secretKey } = await createTenant(service())
      const { id } = (await insertAttempts(service(), tenant.id, null))[key]
      const call = { params: { id }, token: secretKey }
      const shown = await service().ok(get, call)
      assert.deepEqual(await service().ok(remove, call), { ...shown, deleted: true })
      for (const operation of [get, remove]) await service().refused(operation, 'not_found', call)
      assert.equal(await storedCounter(service(), tenant.id, table), 0)
      const events = await storedEvents(service(), tenant.id)
      assert.equal(events.at(-1)?.type, `${table.slice(0, -1)}.deleted`)
    })
  }

  it('show their factors as lists', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { signIn, signUp } = await insertAttempts(service(), tenant.id, user.id)
    const shownIn = await service().ok<SignInAttempt>('getSignInAttempt', { params: { id: signIn.id } })
    assert.deepEqual(shownIn.supportedFirstFactors, ['email_password', 'email_code'])
    assert.deepEqual(
      [shownIn.status, shownIn.userId, shownIn.identifier],
      ['needs_factor_one', user.id, 'ada@acme.example'],
    )
    const shownUp = await service().ok<SignUpAttempt>('getSignUpAttempt', { params: { id: signUp.id } })
    assert.deepEqual([shownUp.requiredFields, shownUp.missingVerifications], [['email'], ['email']])
  })

  it('are in the export of a person, with the sessions, and are erased with the person', async () => {
    const { tenant } = await createTenant(service())
    const user = await createUser(service(), tenant.id)
    const { signIn, signUp } = await insertAttempts(service(), tenant.id, user.id)
    const { row } = await openSession(service(), tenant.id, user.id)
    await service().ok('deleteSession', { params: { id: row.id } })
    const held = await service().ok<UserDataExport>('exportUserData', { params: { id: user.id } })
    assert.deepEqual(
      [held.sessions, held.signInAttempts, held.signUpAttempts].map((each) => each.map(({ id }) => id)),
      [[row.id], [signIn.id], [signUp.id]],
    )
    assert.ok(held.events.some(({ type }) => type === 'session.created'))
    await service().ok('deleteUser', { params: { id: user.id } })
    await service().refused('getSignInAttempt', 'not_found', { params: { id: signIn.id } })
    await service().refused('getSignUpAttempt', 'not_found', { params: { id: signUp.id } })
    for (const { table } of kinds) assert.equal(await storedCounter(service(), tenant.id, table), 0)
  })
})
