// Lists of sessions and attempts can be shown directly, because each record names its user.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { EndpointId, User, UserSummary } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { recordStatements } from '../../../test/harness/databases/recorded-statements.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { insertAttempts, openSession } from '../../../test/harness/people/sessions.ts'
import { type CallOptions, type TestService, startTestService } from '../../../test/harness/service.ts'

interface Listed {
  readonly id: string
  readonly userId: string | null
  readonly user: UserSummary | null
}

describeOnEachEngine('the user of a session or an attempt', (open) => {
  let service: TestService
  let recording: ReturnType<typeof recordStatements>
  before(async () => {
    recording = recordStatements((await open()).database)
    service = await startTestService(recording.database)
  })
  after(() => service.app.close())

  async function tenantWithUsers(count: number) {
    const { tenant } = await createTenant(service)
    const users = []
    for (let at = 0; at < count; at++) {
      const user = await createUser(service, tenant.id, { name: `User ${at}`, email: `${unique()}@example.com` })
      await openSession(service, tenant.id, user.id)
      await openSession(service, tenant.id, user.id)
      users.push({ user, ...(await insertAttempts(service, tenant.id, user.id)) })
    }
    return { tenant, users }
  }
  const lists = (tenantId: string, userId: string): [EndpointId, Pick<CallOptions, 'params' | 'query'>][] => [
    ['listTenantSessions', { params: { tenantId } }],
    ['listUserSessions', { params: { userId } }],
    ['listSignInAttempts', { query: { tenantId } }],
    ['listSignUpAttempts', { query: { tenantId } }],
  ]

  it('is included in every record of a list, and in each record that is read or removed', async () => {
    const { tenant, users } = await tenantWithUsers(3)
    const [first = assert.fail()] = users
    const summaries = new Map(
      users.map(({ user }) => [
        user.id,
        {
          id: user.id,
          name: user.name,
          primaryEmailId: user.primaryEmailId,
          emailAddresses: user.emailAddresses.map(({ id, email, verifiedAt }) => ({ id, email, verifiedAt })),
        },
      ]),
    )
    for (const [id, request] of lists(tenant.id, first.user.id)) {
      const { data } = await service.ok<{ data: Listed[] }>(id, request)
      assert.ok(data.length >= 2, id)
      for (const { userId, user } of data) assert.deepEqual(user, summaries.get(userId ?? ''), id)
    }
    const { data: sessions } = await service.ok<{ data: Listed[] }>('listUserSessions', {
      params: { userId: first.user.id },
    })
    const recent = await service.ok<Listed[]>('listRecentSignIns', { query: { tenantId: tenant.id } })
    for (const { userId, user } of recent) assert.deepEqual(user, summaries.get(userId ?? ''))
    for (const [ids, id] of [
      [['getSession', 'deleteSession'], sessions[0]?.id ?? ''],
      [['getSignInAttempt', 'deleteSignInAttempt'], first.signIn.id],
      [['getSignUpAttempt', 'deleteSignUpAttempt'], first.signUp.id],
    ] as const) {
      for (const operation of ids) {
        const { user } = await service.ok<Listed>(operation, { params: { id } })
        assert.deepEqual(user, summaries.get(first.user.id), operation)
      }
    }
  })

  it('is shown with every address, oldest first, and is called by the phone number if nothing else is known', async () => {
    const { tenant } = await createTenant(service)
    const summaryOf = async (user: User) => {
      await openSession(service, tenant.id, user.id)
      const { data } = await service.ok<{ data: Listed[] }>('listTenantSessions', { params: { tenantId: tenant.id } })
      return data.find(({ userId }) => userId === user.id)?.user
    }
    const [first, second] = [`${unique()}@example.com`, `${unique()}@example.com`]
    const addressed = await createUser(service, tenant.id, { email: first, username: unique() })
    await service.ok('createEmailAddress', { body: { tenantId: tenant.id, userId: addressed.id, email: second } })
    const shown = await summaryOf(addressed)
    assert.equal(shown?.name, addressed.username)
    assert.deepEqual(
      shown?.emailAddresses.map(({ email }) => email),
      [first, second],
    )
    const phone = '+49301234567'
    const nameless = await service.ok<User>('createUser', { body: { tenantId: tenant.id, phone } })
    assert.deepEqual(await summaryOf(nameless), {
      id: nameless.id,
      emailAddresses: [],
      primaryEmailId: null,
      name: phone,
    })
  })

  it('is null if there is none, and is never shown to the person who signs in', async () => {
    const { tenant } = await createTenant(service)
    const { signIn, signUp } = await insertAttempts(service, tenant.id, null)
    for (const [operation, { id }] of [
      ['getSignInAttempt', signIn],
      ['getSignUpAttempt', signUp],
    ] as const) {
      assert.equal((await service.ok<Listed>(operation, { params: { id } })).user, null)
    }
    const email = `${unique()}@example.com`
    await createUser(service, tenant.id, { email })
    for (const identifier of [email, `${unique()}@example.com`]) {
      const browser = new Browser(service, tenant.publicKey)
      const { signInAttempt } = await browser.ok<{ signInAttempt: object }>('createSignIn', { body: { identifier } })
      assert.ok(!('user' in signInAttempt))
    }
  })

  it('costs a list no more statements for fifty records than for two', async () => {
    const countsOf = async ({ tenant, users }: Awaited<ReturnType<typeof tenantWithUsers>>) => {
      const counts: Record<string, number> = {}
      for (const [id, { params = {}, query = {} }] of lists(tenant.id, users[0]?.user.id ?? '')) {
        const request = { params, query: { ...query, perPage: '100' } }
        counts[id] = (await recording.recorded(() => service.ok(id, request))).length
      }
      return counts
    }
    const [few, many] = [await tenantWithUsers(1), await tenantWithUsers(25)]
    const counts = await countsOf(few)
    assert.deepEqual(await countsOf(many), counts)
    assert.ok(
      Object.values(counts).every((count) => count <= 8),
      JSON.stringify(counts),
    )
  })
})
