import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnEmail, OwnPhone, Profile, SignInAnswer, SignUpAnswer, User } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo } from '../../../test/harness/messages.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'

const minuteMs = 60_000
const newEmail = () => `${unique()}@example.com`
const newPhone = () => `+49151${Math.trunc(Math.random() * 1e8)}`

describeOnEachEngine('own addresses and numbers', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  async function someone(auth: object = {}, body: object = {}) {
    const tenant = await tenantWith(service, auth)
    return { tenant, ...(await signedInUser(service, tenant, body)) }
  }
  const add = async (browser: Browser, email: string) =>
    (await browser.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email } })).email
  async function sendCode(browser: Browser, { id, email }: { id: string; email: string }) {
    await browser.ok('prepareOwnEmail', { params: { id } })
    return (await latestMessageTo(service.deps, email)).code ?? ''
  }
  async function addVerified(browser: Browser, email: string) {
    const candidate = await add(browser, email)
    const code = await sendCode(browser, candidate)
    const data = await browser.ok<{ email: OwnEmail }>('verifyOwnEmail', {
      params: { id: candidate.id },
      body: { code },
    })
    return data.email
  }
  const listed = async (browser: Browser) => (await browser.ok<{ emails: OwnEmail[] }>('listOwnEmails')).emails
  const noticesTo = async (email: string, type: string) =>
    (await messagesTo(service.deps, email)).filter((message) => message.template_type === type).length

  it("become the user's once the code is right, and the user is notified", async () => {
    const { tenant, user, email, browser } = await someone()
    const added = newEmail()
    const candidate = await add(browser, added)
    assert.equal(candidate.verifiedAt, null)
    assert.deepEqual((await add(browser, added.toUpperCase())).id, candidate.id)
    const stored = () => service.ok<{ emailAddresses: { email: string }[] }>('getUser', { params: { id: user.id } })
    assert.ok(!JSON.stringify(await stored()).includes(added))
    const code = await sendCode(browser, candidate)
    const wrong = code === '000000' ? '000001' : '000000'
    const params = { id: candidate.id }
    await browser.refused('verifyOwnEmail', 'factor_refused', { params, body: { code: wrong } })
    const { email: verified } = await browser.ok<{ email: OwnEmail }>('verifyOwnEmail', { params, body: { code } })
    assert.ok(verified.verifiedAt !== null && !verified.primary)
    assert.deepEqual(
      (await listed(browser)).map((each) => each.email),
      [email, added],
    )
    assert.equal(await noticesTo(email, 'email-changed'), 1)
    await browser.refused('verifyOwnEmail', 'factor_refused', { params, body: { code } })
    const other = await signedInUser(service, tenant)
    await other.browser.refused('deleteOwnEmail', 'not_found', { params: { id: verified.id } })
  })

  it('keep their id when they are verified, so that the next request can name them', async () => {
    const { tenant, user, browser } = await someone()
    for (const [kind, added] of [
      ['Email', newEmail()],
      ['Phone', newPhone()],
    ] as const) {
      const name = kind === 'Email' ? 'email' : 'phone'
      type Own = { readonly id: string; readonly primary: boolean; readonly verifiedAt: string | null }
      const own = (data: Record<string, Own>) => data[name] ?? assert.fail()
      const { id } = own(await browser.ok(`createOwn${kind}`, { body: { [name]: added } }))
      const params = { id }
      await browser.ok(`prepareOwn${kind}`, { params })
      const { code } = await latestMessageTo(service.deps, added)
      const verified = own(await browser.ok(`verifyOwn${kind}`, { params, body: { code } }))
      assert.deepEqual([verified.id, verified.verifiedAt === null], [id, false])
      assert.equal(own(await browser.ok(`makeOwn${kind}Primary`, { params })).primary, true)
      const stored: User = (await service.ok<{ data: User }>('getUser', { params: { id: user.id } })).data
      assert.equal(kind === 'Email' ? stored.primaryEmailId : stored.primaryPhoneId, id)
      const { data: events } = await service.ok<{ data: { type: string }[] }>('listEvents', {
        params: { tenantId: tenant.id },
        query: { subject: id },
      })
      assert.deepEqual(
        events
          .map(({ type }) => type)
          .toReversed()
          .slice(0, 3),
        [`${name}.addition_requested`, `${name}.created`, `${name}.verification_completed`],
      )
      await browser.ok(`deleteOwn${kind}`, { params })
      await browser.refused(`prepareOwn${kind}`, 'not_found', { params })
    }
  })

  it('look the same if another user has them, until their reader enters the code', async () => {
    const { tenant, browser } = await someone()
    const taken = newEmail()
    await createUser(service, tenant.id, { email: taken })
    const shapeOf = ({ verifiedAt, primary, ...rest }: OwnEmail) => [verifiedAt, primary, Object.keys(rest)]
    const [one, other] = [await add(browser, taken), await add(browser, newEmail())]
    assert.deepEqual(shapeOf(one), shapeOf(other))
    const code = await sendCode(browser, one)
    const [prepared, ofOther] = [
      await browser.ok<{ email: OwnEmail }>('prepareOwnEmail', { params: { id: one.id } }),
      await browser.ok<{ email: OwnEmail }>('prepareOwnEmail', { params: { id: other.id } }),
    ]
    assert.deepEqual(shapeOf(prepared.email), shapeOf(ofOther.email))
    const { code: newest } = await latestMessageTo(service.deps, taken)
    const params = { id: one.id }
    if (code !== newest) await browser.refused('verifyOwnEmail', 'factor_refused', { params, body: { code } })
    await browser.refused('verifyOwnEmail', 'email_taken', { params, body: { code: newest } })
  })

  // Guards: bound-proofs
  it("belong to one user: no operation finds another user's", async () => {
    const { tenant, browser, user } = await someone()
    const other = await signedInUser(service, tenant)
    const candidate = await add(browser, newEmail())
    const code = await sendCode(browser, candidate)
    for (const id of [candidate.id, user.primaryEmailId ?? '']) {
      const params = { id }
      await other.browser.refused('prepareOwnEmail', 'not_found', { params })
      await other.browser.refused('verifyOwnEmail', 'not_found', { params, body: { code } })
      await other.browser.refused('makeOwnEmailPrimary', 'not_found', { params })
      await other.browser.refused('deleteOwnEmail', 'not_found', { params })
      await browser.refused('deleteOwnPhone', 'not_found', { params })
    }
    await browser.ok('verifyOwnEmail', { params: { id: candidate.id }, body: { code } })
  })

  it('become primary only if verified, and both addresses are notified', async () => {
    const { email, browser } = await someone()
    const candidate = await add(browser, newEmail())
    await browser.refused('makeOwnEmailPrimary', 'contact_unverified', { params: { id: candidate.id } })
    const second = newEmail()
    const { id } = await addVerified(browser, second)
    const data = await browser.ok<{ email: OwnEmail }>('makeOwnEmailPrimary', { params: { id } })
    assert.equal(data.email.primary, true)
    assert.equal(await noticesTo(email, 'email-changed'), 2)
    assert.equal(await noticesTo(second, 'email-changed'), 1)
    const primary = (await listed(browser)).filter((each) => each.primary)
    assert.deepEqual(
      primary.map((each) => each.email),
      [second],
    )
  })

  it('can be changed only in a session of at most ten minutes', async () => {
    const { tenant, user, browser } = await someone()
    const candidate = await add(browser, newEmail())
    const { id } = await addVerified(browser, newEmail())
    advance(11 * minuteMs)
    await browser.refused('createOwnEmail', 'reauthentication_required', { body: { email: newEmail() } })
    await browser.refused('createOwnPhone', 'reauthentication_required', { body: { phone: newPhone() } })
    for (const params of [{ id }, { id: candidate.id }]) {
      await browser.refused('deleteOwnEmail', 'reauthentication_required', { params })
      await browser.refused('makeOwnEmailPrimary', 'reauthentication_required', { params })
    }
    const { browser: fresh } = await browserOf(service, tenant, user.id)
    await fresh.ok('deleteOwnEmail', { params: { id } })
    await fresh.ok('deleteOwnEmail', { params: { id: candidate.id } })
    assert.equal((await listed(fresh)).length, 1)
  })

  it('are kept if the tenant requires one, or nothing else is left to sign in with', async () => {
    const { browser, user } = await someone()
    const params = { id: user.primaryEmailId ?? '' }
    await browser.refused('deleteOwnEmail', 'last_contact', { params })
    const usernames = { usernameSignInEnabled: true, strategyUsernamePasswordEnabled: true }
    const free = await someone({ emailRequired: false, ...usernames }, { password: 'correct horse battery staple' })
    const first = { id: free.user.primaryEmailId ?? '' }
    await free.browser.refused('deleteOwnEmail', 'last_contact', { params: first })
    await free.browser.ok('updateProfile', { body: { username: unique() } })
    await free.browser.ok('deleteOwnEmail', { params: first })
    assert.deepEqual(await listed(free.browser), [])
  })

  it('are forgotten after a day, and at most ten can be open at once', async () => {
    const { tenant, user, browser } = await someone()
    for (let count = 0; count < 10; count++) await add(browser, newEmail())
    await browser.refused('createOwnEmail', 'contact_limit_reached', { body: { email: newEmail() } })
    advance(24 * 60 * minuteMs)
    const { browser: later } = await browserOf(service, tenant, user.id)
    assert.equal((await listed(later)).length, 1)
    await add(later, newEmail())
  })

  it('are not added to an account whose own address is not verified', async () => {
    const tenant = await tenantWith(service, { emailVerificationRequired: false })
    const email = newEmail()
    const browser = new Browser(service, tenant.publicKey)
    await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password: 'correct horse battery staple' } })
    await browser.refused('createOwnEmail', 'contact_unverified', { body: { email: newEmail() } })
    await browser.refused('createOwnPhone', 'contact_unverified', { body: { phone: newPhone() } })
    const [own] = await listed(browser)
    assert.ok(own !== undefined && own.verifiedAt === null)
    const code = await sendCode(browser, own)
    await browser.ok('verifyOwnEmail', { params: { id: own.id }, body: { code } })
    // Verified in a session that began with the password, so that the password stays.
    const { user } = await browser.ok<{ user: Profile }>('getProfile')
    assert.deepEqual([user.hasPassword, user.emails[0]?.verifiedAt === null], [true, false])
    await add(browser, newEmail())
  })

  it('include phone numbers, of which the first becomes primary when it is verified', async () => {
    const { tenant, browser } = await someone({ strategyPhoneCodeEnabled: true, phoneSignInEnabled: true })
    const phone = newPhone()
    const { phone: candidate } = await browser.ok<{ phone: OwnPhone }>('createOwnPhone', { body: { phone } })
    const params = { id: candidate.id }
    await browser.ok('prepareOwnPhone', { params })
    const { code } = await latestMessageTo(service.deps, phone)
    const data = await browser.ok<{ phone: OwnPhone }>('verifyOwnPhone', { params, body: { code } })
    assert.deepEqual([data.phone.phone, data.phone.primary], [phone, true])
    const { phones } = await browser.ok<{ phones: OwnPhone[] }>('listOwnPhones')
    assert.equal(phones.length, 1)
    const app = new Browser(service, tenant.publicKey)
    await app.ok<SignInAnswer>('createSignIn', { body: { identifier: phone, strategy: 'phone_code' } })
  })
})
