// A tenant chooses the ids of the users that it imports, including ids that users of other tenants have. Whatever such a user does or
// whatever happens to it, the user of the other tenant must not be affected.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type FrontendEndpoint, type FrontendEndpointId, frontendEndpoints } from '@bailiwick/contract'
import { createSessionDirectory } from '../../src/identity/sessions/session-directory.ts'
import { createClock } from '../../src/platform/clock.ts'
import { hashToken } from '../../src/platform/crypto/tokens.ts'
import { createTenantDirectory } from '../../src/tenancy/directory/tenant-directory.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { openSession } from '../harness/people/sessions.ts'
import { type TestService, productionEnv, startTestService } from '../harness/service.ts'

const password = 'correct horse battery staple'
const host = 'id.example.com'
const origin = 'https://app.acme.example'

const signedInOnes: readonly FrontendEndpoint[] = Object.values(frontendEndpoints).filter(
  ({ session }: FrontendEndpoint) => session === 'required',
)
/** These operations end the session in which the others are called. */
const endings = new Set<string>(['deleteOwnUser', 'endOwnSessions', 'deleteOwnSession'])

describeOnEachEngine('a user whose id another tenant has imported', (open) => {
  let service: TestService
  before(async () => {
    const startedAt = Date.now()
    // The clock stands still, so that no limit is refilled meanwhile.
    const clock = createClock(() => startedAt)
    const { database } = await open()
    const started = await startTestService(database, productionEnv, ({ log }) => {
      const tenants = createTenantDirectory(database, clock)
      return { clock, tenants, sessions: createSessionDirectory(database, tenants, clock, log) }
    })
    const call: TestService['call'] = (id, options) =>
      started.call(id, { ...options, headers: { ...options?.headers, host } })
    service = Object.assign(Object.create(started) as TestService, { call })
  })
  after(() => service.app.close())

  async function newTenant() {
    const { tenant } = await createTenant(service)
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { homeUri: `${origin}/` } })
    return tenant
  }

  async function importedInto(tenant: { id: string; publicKey: string }, id?: string) {
    const email = `${unique()}@example.com`
    const line = { ...(id === undefined ? {} : { id }), email, emailVerified: true, password }
    const [answer] = await service.ok<{ status: string; id: string }[]>('importUsers', {
      query: { tenantId: tenant.id },
      body: [line],
    })
    assert.equal(answer?.status, 'created')
    const opened = await openSession(service, tenant.id, answer.id)
    const browser = new Browser(service, tenant.publicKey, { host, origin, authorization: `Bearer ${opened.token}` })
    return { id: answer.id, tenant, email, token: opened.token, sessionId: opened.row.id, browser }
  }

  const signIn = (user: { tenant: { publicKey: string }; email: string }, proof: string) =>
    new Browser(service, user.tenant.publicKey, { host, origin }).call('createSignIn', {
      body: { identifier: user.email, strategy: 'email_password', password: proof },
    })

  // Guards: limits-of-users
  it('has limits of its own, however often its namesake has reached each of them', async () => {
    const victim = await importedInto(await newTenant())
    const namesake = await importedInto(await newTenant(), victim.id)
    // One limit of each kind that a user has, before the limit across all kinds.
    for (const [operation, max] of [
      ['prepareOwnEmail', 20],
      ['verifyOwnEmail', 10],
      ['getProfile', 600],
    ] as const) {
      for (let n = 0, status = 0; status !== 429; n++) {
        assert.ok(n <= max, operation)
        ;({ status } = await namesake.browser.call(operation))
      }
    }
    for (let n = 0, status = 0; status !== 429; n++) {
      assert.ok(n <= 20)
      ;({ status } = await signIn(namesake, `not the ${password}`))
    }

    for (const { id } of signedInOnes.filter((each) => !endings.has(each.id))) {
      const { status, text } = await victim.browser.call(id as FrontendEndpointId)
      assert.notEqual(status, 429, `${id}: ${text}`)
    }
    assert.equal((await signIn(victim, password)).status, 200)
    const change = { body: { oldPassword: password, password: `another ${password}` } }
    await victim.browser.ok('updateOwnPassword', change)
  })

  // Guards: limits-of-users
  it('keeps its remembered sessions if its namesake changes, and loses them if it changes itself', async () => {
    const { sessions } = service.deps
    const victim = await importedInto(await newTenant())
    const namesake = await importedInto(await newTenant(), victim.id)
    const [ours, theirs] = [hashToken(victim.token), hashToken(namesake.token)]
    const isInMemory = (hash: string) => !(sessions.find(hash) instanceof Promise)
    for (const hash of [ours, theirs]) assert.ok(await sessions.find(hash))
    assert.deepEqual([ours, theirs].map(isInMemory), [true, true])
    await service.ok('deleteSession', { params: { id: namesake.sessionId } })
    assert.equal(isInMemory(ours), true)
    assert.equal(await sessions.find(theirs), undefined)
  })
})
