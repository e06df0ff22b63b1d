// How many anonymous users there can be, and for how long.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SessionUser, SignUpAnswer, Tenant } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createOrganization, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { password } from '../../../test/harness/people/people.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { createEraser } from './erase-unused.ts'

const dayMs = 24 * 60 * 60_000

describeOnEachEngine('anonymous users that nobody uses', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const createHome = (auth: object = {}) => tenantWith(service, { anonymousUsersEnabled: true, ...auth })
  async function visit(tenant: Tenant) {
    const browser = new Browser(service, tenant.publicKey)
    const { sessionUser } = await browser.ok<{ sessionUser: SessionUser }>('createAnonymousUser')
    return { browser, id: sessionUser.id }
  }
  async function listIds(tenant: Tenant, query: object = {}) {
    const { data } = await service.ok<{ data: { id: string }[] }>('listUsers', {
      query: { tenantId: tenant.id, ...query },
    })
    return data.map(({ id }) => id).toSorted()
  }
  async function signUp(browser: Browser) {
    const email = `${unique()}@example.com`
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service.deps, email)
    await browser.ok('attemptVerification', { params, body: { strategy: 'email_code', code } })
  }

  // Guards: anonymous-users
  it('are not made without end by one range of addresses, on whatever node', async () => {
    const tenant = await createHome()
    const { id } = await visit(tenant)
    await service.deps.db.write(() => [
      sql`UPDATE quotas SET used = 2000 WHERE tenant_id = ${tenant.id} AND name = 'anonymous_users:day'`,
    ])
    await new Browser(service, tenant.publicKey).refused('createAnonymousUser', 'too_many_attempts')
    assert.deepEqual(await listIds(tenant), [id])
  })

  it('are erased once they were not active for the days of their tenant, unless they signed up or are members', async () => {
    const [tenant, other] = [await createHome({ anonymousUserDays: 5 }), await createHome({ anonymousUserDays: 20 })]
    const [unused, elsewhere] = [await visit(tenant), await visit(other)]
    const [member, real, used] = [await visit(tenant), await visit(tenant), await visit(tenant)]
    const { id: organizationId } = await createOrganization(service, tenant.id)
    await service.ok('createOrganizationMember', { body: { organizationId, userId: member.id } })
    await signUp(real.browser)
    advance(4 * dayMs)
    await used.browser.ok('getProfile')
    await service.deps.sessions.settle()
    const active = await visit(tenant)
    const eraser = createEraser(service.deps)
    const eraseAll = async () => {
      while (await eraser());
    }
    await eraseAll()
    assert.equal((await listIds(tenant)).length, 5)
    advance(dayMs + 1000)
    await eraseAll()
    assert.deepEqual(await listIds(tenant), [member.id, real.id, used.id, active.id].toSorted())
    assert.deepEqual(await listIds(tenant, { isAnonymous: 'true' }), [member.id, used.id, active.id].toSorted())
    assert.deepEqual(await listIds(other), [elsewhere.id])
    const { data } = await service.ok<{ data: { subject: { id: string } }[] }>('listEvents', {
      params: { tenantId: tenant.id },
      query: { type: 'user.deleted' },
    })
    assert.ok(data.some(({ subject }) => subject.id === unused.id))
  })
})
