import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnDataExport } from '@bailiwick/contract'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'

const longMs = 11 * 60_000

describeOnEachEngine('POST /user/data-export', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  it('returns everything about the user, but nothing that only the tenant may see', async () => {
    const tenant = await tenantWith(service)
    const me = await signedInUser(service, tenant, { privateMeta: { note: 'canary of the tenant' } })
    const other = await signedInUser(service, tenant)
    const params = { id: me.user.id }
    const headers = { 'user-agent': 'canary of an administrator' }
    await service.ok('updateUser', { params, body: { name: 'Renamed by the tenant' }, headers })
    await me.browser.ok('updateProfile', { body: { username: `u${me.user.id}` } })
    const data = await me.browser.ok<OwnDataExport>('exportOwnData')
    assert.equal(data.user.emails[0]?.email, me.email)
    assert.deepEqual(
      data.sessions.map(({ id }) => id),
      [me.sessionId],
    )
    const own = data.events.filter(({ type, byUser }) => type === 'user.updated' && byUser)
    const foreign = data.events.filter(({ type, byUser }) => type === 'user.updated' && !byUser)
    assert.ok(own.length === 1 && own[0]?.data !== null && own[0]?.ip !== null)
    assert.deepEqual(
      foreign.map((event) => [event.data, event.ip, event.ua]),
      [[null, null, null]],
    )
    const text = JSON.stringify(data)
    for (const hidden of ['canary', 'privateMeta', 'argon2', other.user.id, other.email]) {
      assert.ok(!text.includes(hidden), hidden)
    }
  })

  it('requires a fresh session, and accepts no JWT', async () => {
    const tenant = await tenantWith(service)
    const { browser } = await signedInUser(service, tenant)
    const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
    await browser.refused('exportOwnData', 'session_token_required', { headers: { authorization: `Bearer ${jwt}` } })
    advance(longMs)
    await browser.refused('exportOwnData', 'reauthentication_required')
  })
})

describeOnEachEngine('POST /user/sessions/end-others', (open) => {
  let service: TestService
  before(async () => {
    ;({ service } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  it('ends every other session of the user, and no session of others', async () => {
    const tenant = await tenantWith(service)
    const me = await signedInUser(service, tenant)
    const neighbour = await signedInUser(service, tenant)
    const others = [await browserOf(service, tenant, me.user.id), await browserOf(service, tenant, me.user.id)]
    assert.deepEqual(await me.browser.ok('endOtherOwnSessions'), { ended: 2 })
    for (const { browser } of others) await browser.refused('getProfile', 'unauthenticated')
    await me.browser.ok('getProfile')
    await neighbour.browser.ok('getProfile')
    assert.deepEqual(await me.browser.ok('endOtherOwnSessions'), { ended: 0 })
  })
})
