import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Profile, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo } from '../../../test/harness/messages.ts'
import { openSession, startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const another = 'staple of another colour'
const minuteMs = 60_000
const system = { type: 'system', id: null, ip: null, ua: null } as const

describeOnEachEngine('the own password', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  let atOneMoment: (work: () => Promise<void>) => Promise<void>
  before(async () => {
    ;({ service, advance, atOneMoment } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  async function someone(auth: object = {}) {
    const tenant = await tenantWith(service, auth)
    return { tenant, ...(await signedInUser(service, tenant, { password })) }
  }
  const signIn = (publicKey: string, identifier: string, word: string) =>
    new Browser(service, publicKey).call<SignInAnswer>('createSignIn', {
      body: { identifier, strategy: 'email_password', password: word },
    })
  const change = { oldPassword: password, password: another }

  it('is changed with the right old one, which keeps this session, ends the others and tells the user', async () => {
    const { tenant, user, email, browser } = await someone()
    const elsewhere = await browserOf(service, tenant, user.id)
    advance(20 * minuteMs)
    await browser.ok('updateOwnPassword', { body: change })
    await browser.ok('getProfile')
    await elsewhere.browser.refused('getProfile', 'unauthenticated')
    const [notice] = await messagesTo(service.deps, email)
    assert.equal(notice?.template_type, 'password-changed')
    assert.equal((await signIn(tenant.publicKey, email, password)).body.code, 'factor_refused')
    assert.equal((await signIn(tenant.publicKey, email, another)).status, 200)
  })

  // Guards: every-guess
  it('is not changed with a wrong old one or none, and each try costs a guess of the same budget', async () => {
    const { tenant, email, browser } = await someone()
    await browser.refused('updateOwnPassword', 'factor_refused', { body: { password: another } })
    const wrong = { oldPassword: 'not the right one at all', password: another }
    // Otherwise the wait for further guesses could be over.
    await atOneMoment(async () => {
      const answers = await atOnce(20, () => browser.call('updateOwnPassword', { body: wrong }))
      const judged = answers.filter(({ body }) => body.code === 'factor_refused').length
      assert.ok(judged > 0 && judged <= 5, `${judged} guesses were judged`)
      assert.equal((await signIn(tenant.publicKey, email, password)).body.code, 'too_many_attempts')
    })
  })

  it('is set, by a user who has none, in a session of at most ten minutes', async () => {
    const tenant = await tenantWith(service)
    const { user, email, browser } = await signedInUser(service, tenant)
    advance(11 * minuteMs)
    await browser.refused('updateOwnPassword', 'reauthentication_required', { body: { password: another } })
    const { browser: fresh } = await browserOf(service, tenant, user.id)
    const { user: profile } = await fresh.ok<{ user: Profile }>('updateOwnPassword', { body: { password: another } })
    assert.equal(profile.hasPassword, true)
    assert.equal((await signIn(tenant.publicKey, email, another)).status, 200)
  })

  it('cannot be changed in a session that impersonates the user', async () => {
    const { tenant, user } = await someone()
    const { token } = await openSession(service, tenant.id, user.id, { actor: system, reason: 'to help' })
    const browser = new Browser(service, tenant.publicKey, { authorization: `Bearer ${token}` })
    await browser.refused('updateOwnPassword', 'reauthentication_required', { body: change })
    await browser.refused('deleteOwnUser', 'reauthentication_required')
  })

  it('is refused if the tenant has passwords off', async () => {
    const { browser } = await someone({
      passwordsEnabled: false,
      passwordRequired: false,
      strategyEmailPasswordEnabled: false,
    })
    await browser.refused('updateOwnPassword', 'strategy_unavailable', { body: change })
  })

  it('stays as unproven as the one before: proving the address later removes it', async () => {
    const tenant = await tenantWith(service, { emailVerificationRequired: false })
    const email = `${unique()}@example.com`
    const early = new Browser(service, tenant.publicKey)
    const { signUpAttempt } = await early.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    assert.equal(signUpAttempt.status, 'complete')
    await early.ok('updateOwnPassword', { body: change })
    const owner = new Browser(service, tenant.publicKey)
    const begun = await owner.ok<SignInAnswer>('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
    const { code } = await latestMessageTo(service.deps, email)
    await owner.ok('attemptFirstFactor', {
      params: { id: begun.signInAttempt.id },
      body: { strategy: 'email_code', code },
    })
    const { user } = await owner.ok<{ user: Profile }>('getProfile')
    assert.equal(user.hasPassword, false)
    await early.refused('getProfile', 'unauthenticated')
  })

  it('is removed in a fresh session, which ends the others and tells the user', async () => {
    const { tenant, user, email, browser } = await someone({ passwordRequired: false })
    const elsewhere = await browserOf(service, tenant, user.id)
    const answer = await browser.ok<{ user: Profile }>('deleteOwnPassword')
    assert.equal(answer.user.hasPassword, false)
    await browser.ok('getProfile')
    await elsewhere.browser.refused('getProfile', 'unauthenticated')
    const [notice] = await messagesTo(service.deps, email)
    assert.equal(notice?.template_type, 'password-changed')
    assert.equal((await signIn(tenant.publicKey, email, password)).body.code, 'factor_refused')
    await browser.refused('deleteOwnPassword', 'not_found')
    const late = await someone({ passwordRequired: false })
    advance(11 * minuteMs)
    await late.browser.refused('deleteOwnPassword', 'reauthentication_required')
    assert.equal((await late.browser.ok<{ user: Profile }>('getProfile')).user.hasPassword, true)
  })

  it('is not removed if the tenant requires one, or nothing else signs the user in', async () => {
    const onlyPassword = { strategyEmailCodeEnabled: false, strategyEmailLinkEnabled: false }
    for (const auth of [{ passwordRequired: true }, { passwordRequired: false, ...onlyPassword }]) {
      const { tenant, email, browser } = await someone(auth)
      await browser.refused('deleteOwnPassword', 'last_way_in')
      assert.equal((await signIn(tenant.publicKey, email, password)).status, 200)
    }
  })

  it('lets the user delete the account in a fresh session only', async () => {
    const { tenant, user, browser } = await someone()
    const other = await createUser(service, tenant.id)
    advance(11 * minuteMs)
    await browser.refused('deleteOwnUser', 'reauthentication_required')
    const { browser: fresh } = await browserOf(service, tenant, user.id)
    assert.deepEqual(await fresh.ok('deleteOwnUser'), { deleted: user.id })
    await browser.refused('getProfile', 'unauthenticated')
    await service.refused('getUser', 'not_found', { params: { id: user.id } })
    await service.ok('getUser', { params: { id: other.id } })
  })
})
