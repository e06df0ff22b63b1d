// The waiting list: who gets on it, whom an approval lets in, and that it lets in nobody else.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignUpAnswer, WaitlistEntry, WaitlistOutcome } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { hrefOf } from '../../../test/harness/browser/page-visitors.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, tokenOf } from '../../../test/harness/messages.ts'
import { answered } from '../../../test/harness/people/puzzles.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const password = 'correct horse battery staple'
const dayMs = 24 * 60 * 60_000
const newEmail = () => `${unique()}@example.com`

describeOnEachEngine('the waiting list', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  async function world(auth: object = {}) {
    const tenant = await tenantWith(service, { signUpEnabled: false, waitlistEnabled: true, ...auth })
    return { tenant, tenantId: tenant.id, browser: new Browser(service, tenant.publicKey) }
  }
  const list = async (tenantId: string, query: object = {}) =>
    (await service.ok<{ data: WaitlistEntry[] }>('listWaitlist', { query: { tenantId, ...query } })).data
  const join = async (browser: Browser, tenantId: string, email = newEmail()) => {
    await browser.ok('joinWaitlist', { body: { email } })
    const entry = (await list(tenantId)).find((each) => each.email === email)
    assert.ok(entry !== undefined)
    return entry
  }
  const decide = (id: 'approveWaitlist' | 'declineWaitlist', tenantId: string, ...ids: string[]) =>
    service.ok<WaitlistOutcome>(id, { body: { tenantId, ids } })
  const invitationTo = async (email: string) => tokenOf(await latestMessageTo(service.deps, email))
  const eventsOn = async (tenantId: string, id: string) => {
    const { data } = await service.ok<{ data: { type: string; subject: { id: string } }[] }>('listEvents', {
      params: { tenantId },
    })
    return data.filter(({ subject }) => subject.id === id).map(({ type }) => type)
  }

  it('takes an address once, sends nothing, and answers alike for known and unknown ones', async () => {
    const { tenantId, browser } = await world()
    const [email, taken] = [newEmail(), newEmail()]
    await createUser(service, tenantId, { email: taken })
    const answers = []
    for (const each of [email, email.toUpperCase(), taken]) {
      answers.push(await browser.ok('joinWaitlist', { body: { email: each } }))
    }
    assert.deepEqual(answers, [{ joined: true }, { joined: true }, { joined: true }])
    assert.deepEqual(
      (await list(tenantId)).map((entry) => [entry.email, entry.status]),
      [
        [taken, 'waiting'],
        [email, 'waiting'],
      ],
    )
    assert.deepEqual([await messagesTo(service.deps, email), await messagesTo(service.deps, taken)], [[], []])
  })

  // Guards: waiting-lists
  it('lets an approved address sign up, that one alone, once, and without a code', async () => {
    const { tenantId, browser } = await world()
    const email = newEmail()
    const { id } = await join(browser, tenantId, email)
    await browser.refused('createSignUp', 'sign_up_disabled', { body: { email, password } })
    const { entries, skipped } = await decide('approveWaitlist', tenantId, id)
    assert.deepEqual([entries.map((entry) => entry.status), skipped], [['approved'], []])
    await browser.refused('createSignUp', 'sign_up_disabled', { body: { email, password } })
    const invitationToken = await invitationTo(email)
    const other = await browser.call('createSignUp', { body: { invitationToken, email: newEmail(), password } })
    assert.equal(other.status, 400)
    const { signUpAttempt, sessionUser } = await browser.ok<SignUpAnswer>('createSignUp', {
      body: { invitationToken, password },
    })
    assert.equal(signUpAttempt.status, 'complete')
    assert.deepEqual(
      sessionUser?.emails.map((each) => [each.email, each.verifiedAt !== null]),
      [[email, true]],
    )
    await browser.refused('createSignUp', 'invitation_invalid', { body: { invitationToken, password } })
    assert.deepEqual(await list(tenantId), [])
    assert.deepEqual(await eventsOn(tenantId, id), [
      'waitlist_entry.signed_up',
      'waitlist_entry.approved',
      'waitlist_entry.created',
    ])
  })

  // Guards: waiting-lists
  it('lets nobody in by an invitation that is over: replaced, declined, removed, expired, or of another tenant', async () => {
    const endings: Readonly<Record<string, (tenantId: string, id: string) => Promise<unknown>>> = {
      replaced: (tenantId, id) => decide('approveWaitlist', tenantId, id),
      declined: (tenantId, id) => decide('declineWaitlist', tenantId, id),
      removed: (_tenantId, id) => service.ok('deleteWaitlistEntry', { params: { id } }),
      expired: async () => advance(14 * dayMs),
      'of a tenant without a list': (id) =>
        service.ok('putAuthTenant', { params: { id }, body: { waitlistEnabled: false } }),
    }
    const { browser: elsewhere } = await world()
    for (const [ending, end] of Object.entries(endings)) {
      const { tenantId, browser } = await world()
      const email = newEmail()
      const { id } = await join(browser, tenantId, email)
      await decide('approveWaitlist', tenantId, id)
      const body = { invitationToken: await invitationTo(email), password }
      await elsewhere.refused('createSignUp', 'invitation_invalid', { body })
      await end(tenantId, id)
      const { status } = await browser.call('createSignUp', { body })
      assert.notEqual(status, 200, ending)
    }
  })

  it('lets an address wait again whose invitation has expired, and no other one', async () => {
    const { tenantId, browser } = await world()
    const { id, email } = await join(browser, tenantId)
    await decide('approveWaitlist', tenantId, id)
    assert.equal((await join(browser, tenantId, email)).status, 'approved')
    advance(14 * dayMs)
    const { status, approvedAt, expiresAt } = await join(browser, tenantId, email)
    assert.deepEqual([status, approvedAt, expiresAt], ['waiting', null, null])
    await decide('approveWaitlist', tenantId, id)
    const invitationToken = await invitationTo(email)
    await browser.ok('createSignUp', { body: { invitationToken, password } })
  })

  it('skips addresses of users and of other tenants, and declines without a message', async () => {
    const { tenantId, browser } = await world()
    const { tenantId: other, browser: otherBrowser } = await world()
    const [one, two, three] = [
      await join(browser, tenantId),
      await join(browser, tenantId),
      await join(otherBrowser, other),
    ]
    await createUser(service, tenantId, { email: one.email })
    const outcome = await decide('approveWaitlist', tenantId, one.id, two.id, three.id)
    assert.deepEqual(
      [outcome.entries.map(({ id }) => id), outcome.skipped.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))],
      [
        [two.id],
        [
          { id: three.id, reason: 'not_found' },
          { id: one.id, reason: 'user_exists' },
        ],
      ],
    )
    await decide('declineWaitlist', other, three.id)
    assert.deepEqual(await messagesTo(service.deps, three.email), [])
    assert.deepEqual(
      (await list(other, { status: 'declined' })).map(({ id }) => id),
      [three.id],
    )
    // Joining again changes nothing that was decided.
    await otherBrowser.ok('joinWaitlist', { body: { email: three.email } })
    assert.equal((await list(other))[0]?.status, 'declined')
  })

  // Guards: switched-off
  it('is closed where it is off or sign-up is open, and keeps to the rules for addresses, puzzles and limits', async () => {
    const { tenantId, browser } = await world({ signUpBlockedDomains: ['blocked.example'] })
    const body = { email: newEmail() }
    const put = (settings: object) => service.ok('putAuthTenant', { params: { id: tenantId }, body: settings })
    await browser.refused('joinWaitlist', 'email_not_allowed', { body: { email: 'ada@blocked.example' } })
    await put({ challengeOnSignUp: 'always', challengeDifficulty: 1000 })
    await browser.refused('joinWaitlist', 'challenge_required', { body })
    await browser.ok('joinWaitlist', { body, headers: await answered(browser, 'sign_up') })
    await put({ challengeOnSignUp: 'off' })
    await service.deps.db.write(() => [
      sql`UPDATE quotas SET used = 2000 WHERE tenant_id = ${tenantId} AND name = 'waitlist:day'`,
    ])
    await browser.refused('joinWaitlist', 'too_many_attempts', { body })
    const params = { id: tenantId }
    for (const settings of [{ waitlistEnabled: false }, { signUpEnabled: true }]) {
      // Both together would close the list without a word.
      const both = { waitlistEnabled: true, signUpEnabled: true }
      const { issues } = await service.refused('putAuthTenant', 'validation_failed', { params, body: both })
      const preview = await service.ok<{ issues: object[] }>('previewAuthTenant', { params, body: both })
      assert.deepEqual([issues?.map(({ path }) => path), preview.issues], [['/waitlistEnabled'], issues])
      await put(settings)
      await browser.refused('joinWaitlist', 'waitlist_closed', { body })
    }
  })

  it('approves nobody while the tenant cannot send the invitation', async () => {
    const { tenantId, browser } = await world()
    const { id } = await join(browser, tenantId)
    const mail = { name: 'Mail', key: 'mail', type: 'email', provider: 'webhook', enabled: false }
    const channel = await service.ok<{ id: string }>('createChannel', {
      body: { tenantId, ...mail, providerSettings: { url: 'http://127.0.0.1:9/' } },
    })
    const params = { id: tenantId }
    await service.ok('putAuthTenant', { params, body: { emailChannelId: channel.id } })
    const approval = { body: { tenantId, ids: [id] } }
    const { issues } = await service.refused('approveWaitlist', 'validation_failed', approval)
    assert.deepEqual(
      issues?.map(({ code }) => code),
      ['no_channel'],
    )
    assert.deepEqual(
      [(await list(tenantId))[0]?.status, await eventsOn(tenantId, id)],
      ['waiting', ['waitlist_entry.created']],
    )
    await service.ok('putAuthTenant', { params, body: { emailChannelId: null } })
    assert.equal((await service.ok<WaitlistOutcome>('approveWaitlist', approval)).entries.length, 1)
  })

  it('is exported with the user of an address, and erased with that user', async () => {
    const { tenantId, browser } = await world()
    const entry = await join(browser, tenantId)
    const user = await createUser(service, tenantId, { email: entry.email })
    const data = await service.ok<{ waitlist: WaitlistEntry[] }>('exportUserData', { params: { id: user.id } })
    assert.deepEqual(
      data.waitlist.map(({ id }) => id),
      [entry.id],
    )
    await service.ok('deleteUser', { params: { id: user.id } })
    assert.deepEqual(await list(tenantId), [])
  })

  it('is a page without scripts, to which sign-in and the closed sign-up lead', async () => {
    const { tenant, tenantId } = await world()
    const browser = new PageBrowser(service)
    const signIn = await browser.open(`/t/${tenant.slug}/sign-in`)
    const linked = await browser.open(hrefOf(signIn, 'Join the waiting list'))
    const form = await browser.open(`/t/${tenant.slug}/sign-up`)
    assert.deepEqual([linked.title, form.title], ['Join the waiting list', 'Join the waiting list'])
    assert.deepEqual(Object.keys((await browser.send(form, { email: 'ada' })).errors), ['email'])
    const email = newEmail()
    assert.equal((await browser.send(form, { email })).title, 'Thank you')
    assert.deepEqual(
      (await list(tenantId)).map((entry) => entry.email),
      [email],
    )
  })
})
