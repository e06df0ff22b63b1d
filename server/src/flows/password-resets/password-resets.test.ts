import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { User } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo } from '../../../test/harness/messages.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const replacement = 'another horse battery staple'

interface Reset {
  readonly passwordReset: { readonly id: string }
}

describeOnEachEngine('the code that resets a password', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  async function someone(body: object = {}) {
    const tenant = await tenantWith(service)
    const { user, email, ...signedIn } = await signedInUser(service, tenant, { password, ...body })
    const browser = new Browser(service, tenant.publicKey)
    return { tenant, user, email, browser, signedIn: signedIn.browser }
  }
  type Someone = Awaited<ReturnType<typeof someone>>
  async function begin({ browser, email }: Someone, identifier = email) {
    const { passwordReset } = await browser.ok<Reset>('createPasswordReset', { body: { identifier } })
    const { code } = await latestMessageTo(service.deps, email)
    return { params: { id: passwordReset.id }, body: { code, password: replacement } }
  }
  const refusedWith = (code: 'attempt_not_open' | 'factor_refused') => async (owner: Someone, step: object) =>
    owner.browser.refused('attemptPasswordReset', code, step)
  const refused = refusedWith('factor_refused')

  // Guards: reset-codes
  it('is used up by its success', async () => {
    const owner = await someone()
    const step = await begin(owner)
    await owner.browser.ok('attemptPasswordReset', step)
    await refusedWith('attempt_not_open')(owner, { ...step, body: { ...step.body, password } })
  })

  // Guards: reset-codes, asvs-lifetimes
  it('is valid for ten minutes', async () => {
    const owner = await someone()
    const [early, late] = [await begin(owner), await someone()]
    // The clock continues meanwhile.
    advance(9 * 60_000)
    await owner.browser.ok('attemptPasswordReset', early)
    const step = await begin(late)
    advance(10 * 60_000)
    await refused(late, step)
  })

  // Guards: reset-codes
  it('is invalid once a newer one was sent', async () => {
    const owner = await someone()
    const older = await begin(owner)
    const newer = await begin(owner)
    await refused(owner, older)
    await owner.browser.ok('attemptPasswordReset', newer)
  })

  // Guards: reset-codes
  it('is invalid once the password has changed', async () => {
    const byThemselves = await someone()
    const ownStep = await begin(byThemselves)
    await byThemselves.signedIn.ok('updateOwnPassword', { body: { oldPassword: password, password: `${password} 2` } })
    await refused(byThemselves, ownStep)
    const byHelpdesk = await someone()
    const step = await begin(byHelpdesk)
    await service.ok('changeUserPassword', { params: { id: byHelpdesk.user.id }, body: { password: `${password} 2` } })
    await refused(byHelpdesk, step)
  })

  // Other products kept it for the user and not for the address: Keycloak CVE-2025-7365, CVE-2026-9087.
  // Guards: bound-proofs
  it('is invalid once the address that it was sent to is changed, removed or no longer primary', async () => {
    const changed = await someone()
    const step = await begin(changed)
    const other = `${unique()}@example.com`
    await service.ok('updateEmailAddress', { body: { id: changed.user.primaryEmailId, email: other } })
    await refused(changed, step)
    const { data } = await service.ok<{ data: User }>('getUser', { params: { id: changed.user.id } })
    assert.equal(data.emailAddresses[0]?.verifiedAt, null, 'a code to one address verifies no other')

    const removed = await someone()
    const lost = await begin(removed)
    await service.ok('deleteEmailAddress', { query: { id: removed.user.primaryEmailId ?? '' } })
    await refused(removed, lost)

    const moved = await someone()
    const stale = await begin(moved)
    const added = await service.ok<{ id: string }>('createEmailAddress', {
      body: { tenantId: moved.tenant.id, userId: moved.user.id, email: `${unique()}@example.com` },
    })
    await service.ok('verifyEmailAddress', { body: { id: added.id } })
    await service.ok('makePrimaryEmailAddress', { body: { id: added.id } })
    await refused(moved, stale)
  })

  // Guards: asvs-notices
  it('is sent to the primary address of a username, like the notice of the change', async () => {
    const username = unique()
    const owner = await someone({ username })
    const email = `${unique()}@example.com`
    const added = await service.ok<{ id: string }>('createEmailAddress', {
      body: { tenantId: owner.tenant.id, userId: owner.user.id, email },
    })
    await service.ok('verifyEmailAddress', { body: { id: added.id } })
    await service.ok('makePrimaryEmailAddress', { body: { id: added.id } })
    const step = await begin({ ...owner, email }, username)
    await owner.browser.ok('attemptPasswordReset', step)
    assert.equal((await latestMessageTo(service.deps, email)).code, null)
    const types = (await messagesTo(service.deps, email)).map((message) => message.template_type)
    assert.deepEqual(types.slice(0, 2), ['password-changed', 'password-reset'])
  })

  // Guards: switched-off
  it('is not sent to numbers if users cannot sign in with them, and is invalid once they no longer can', async () => {
    const phone = `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
    const owner = await someone({ phone })
    const { browser, tenant } = owner
    await browser.refused('createPasswordReset', 'strategy_unavailable', { body: { identifier: phone } })
    assert.deepEqual(await messagesTo(service.deps, phone), [])
    const set = (phoneSignInEnabled: boolean) =>
      service.ok('putAuthTenant', { params: { id: tenant.id }, body: { phoneSignInEnabled } })
    await set(true)
    const { passwordReset } = await browser.ok<Reset>('createPasswordReset', { body: { identifier: phone } })
    const { code } = await latestMessageTo(service.deps, phone)
    const step = { params: { id: passwordReset.id }, body: { code, password: replacement } }
    await set(false)
    await browser.refused('attemptPasswordReset', 'strategy_unavailable', step)
    await set(true)
    await browser.ok('attemptPasswordReset', step)
  })

  it('is invalid for another user, whatever the address', async () => {
    const [one, two] = [await someone(), await someone()]
    const mine = await begin(one)
    const theirs = await begin(two)
    await refused(two, { ...theirs, body: mine.body })
    const stranger = await createUser(service, one.tenant.id)
    const { browser } = await browserOf(service, one.tenant, stranger.id)
    await browser.refused('attemptPasswordReset', 'attempt_not_open', theirs)
  })
})
