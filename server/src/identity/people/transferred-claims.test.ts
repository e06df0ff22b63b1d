// What an export must contain, and an import accept, so that users are not trusted more elsewhere than here: an address that was only
// claimed stays claimed, and a suspended user stays suspended.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ExportedUser, SignInAnswer, User } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { statusCounter } from '../users/user-counters.ts'

const password = 'correct horse battery staple'
const auth = {
  emailVerificationRequired: false,
  phoneVerificationRequired: false,
  phoneSignInEnabled: true,
  strategyPhoneCodeEnabled: true,
  strategyPhonePasswordEnabled: true,
}

describeService('users who are exported and imported elsewhere', (service) => {
  const exported = (tenantId: string) => service().ok<ExportedUser[]>('exportUsers', { query: { tenantId } })

  /** Makes the line of an import from the line of an export; a password comes from the database. */
  function lineOf({ emailAddresses, phoneNumbers, claimed, ...user }: ExportedUser) {
    const [email, phone] = [emailAddresses[0], phoneNumbers[0]]
    const ofEmail = email && {
      email: email.email,
      emailVerified: email.verifiedAt !== null,
      emailClaimed: claimed.includes(email.id),
    }
    const ofPhone = phone && {
      phone: phone.phone,
      phoneVerified: phone.verifiedAt !== null,
      phoneClaimed: claimed.includes(phone.id),
    }
    return { id: user.id, status: user.status ?? 'active', password, ...ofEmail, ...ofPhone }
  }

  async function moved(tenantId: string) {
    const lines = (await exported(tenantId)).map(lineOf)
    const there = await tenantWith(service(), auth)
    const answers = await service().ok<{ status?: string }[]>('importUsers', {
      query: { tenantId: there.id },
      body: lines,
    })
    assert.deepEqual(
      answers.slice(0, -1).map(({ status }) => status),
      lines.map(() => 'created'),
    )
    return there
  }

  it('are taken over by the owner of an address that was only claimed, as they are here', async () => {
    const here = await tenantWith(service(), auth)
    const [email, phone] = [`${unique()}@example.com`, `+49151${String(Date.now()).slice(-8)}`]
    await new Browser(service(), here.publicKey).ok('createSignUp', { body: { email, phone, password } })
    await createUser(service(), here.id, { email: `${unique()}@example.com` })
    const [made, claimant] = await exported(here.id)
    assert.deepEqual(made?.claimed, [])
    assert.deepEqual(claimant?.claimed, [claimant?.primaryEmailId, claimant?.primaryPhoneId])

    const there = await moved(here.id)
    const holder = new Browser(service(), there.publicKey)
    await holder.ok('createSignIn', { body: { identifier: phone, strategy: 'phone_password', password } })
    const owner = new Browser(service(), there.publicKey)
    const body = { identifier: email, strategy: 'email_code' }
    const { signInAttempt } = await owner.ok<SignInAnswer>('createSignIn', { body })
    const { code } = await latestMessageTo(service().deps, email)
    await owner.ok('attemptFirstFactor', { params: { id: signInAttempt.id }, body: { strategy: 'email_code', code } })
    await holder.refused('getProfile', 'unauthenticated')
    const again = { identifier: email, strategy: 'email_password', password }
    await new Browser(service(), there.publicKey).refused('createSignIn', 'factor_refused', { body: again })
    const left = (await exported(there.id)).find(({ id }) => id === claimant?.id)
    assert.deepEqual([left?.phoneNumbers, left?.claimed], [[], []])
  })

  it('stay suspended, and are counted so', async () => {
    const here = await tenantWith(service())
    const { id } = await createUser(service(), here.id)
    await service().ok('suspendUser', { params: { id } })
    const there = await moved(here.id)
    const { data } = await service().ok<{ data: User[] }>('listUsers', { query: { tenantId: there.id } })
    assert.deepEqual(
      data.map((user) => [user.id, user.status]),
      [[id, 'suspended']],
    )
    assert.equal(await storedCounter(service(), there.id, statusCounter('suspended', null)), 1)
    const [event] = await storedEvents(service(), there.id, 'user.created')
    assert.equal(event?.data['status'], 'suspended')
    const identifier = data[0]?.emailAddresses[0]?.email ?? ''
    const body = { identifier, strategy: 'email_password', password }
    await new Browser(service(), there.publicKey).refused('createSignIn', 'factor_refused', { body })
  })

  it('are refused with a claim that contradicts the rest of the line', async () => {
    const { id: tenantId } = await tenantWith(service())
    const email = `${unique()}@example.com`
    const answers = await service().ok<{ issues?: { path: string; code: string }[] }[]>('importUsers', {
      query: { tenantId },
      body: [
        { email, emailClaimed: true, emailVerified: true },
        { username: unique(), emailClaimed: true, phoneClaimed: true },
        { phone: '+4915112345678', phoneClaimed: true, phoneVerified: true },
        { email, status: 'banned' },
      ],
    })
    const issues = answers
      .slice(0, -1)
      .map((answer) => (answer.issues ?? []).map(({ path, code }) => `${path} ${code}`))
    assert.deepEqual(issues.slice(0, 3), [
      ['/emailClaimed contradicts'],
      ['/emailClaimed contradicts', '/phoneClaimed contradicts'],
      ['/phoneClaimed contradicts'],
    ])
    assert.match(issues[3]?.join() ?? '', /^\/status /)
  })
})
