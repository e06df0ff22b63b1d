// An account that the owner of a claimed address takes over: what its earlier holder is told, what is shown of it at once, and that nothing
// that the holder does at the same moment keeps a way of signing in (docs/security-tests.md 2.2).
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Authenticator, OwnEmail, Profile, SignInAnswer, SignUpAnswer, User } from '@bailiwick/contract'
import { Browser, profileIn } from '../../../test/harness/browser/frontend.ts'
import { SoftwareAuthenticator } from '../../../test/harness/browser/software-authenticator.ts'
import { unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, sendMessages } from '../../../test/harness/messages.ts'
import { Person } from '../../../test/harness/people/people.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService, type TestService } from '../../../test/harness/service.ts'
import { browserAt, describeOnTwoNodes } from '../../../test/nodes/two-nodes.ts'

const password = 'correct horse battery staple'
const another = 'staple of another colour'
const newEmail = () => `${unique()}@example.com`
const newPhone = () => `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
const codeTo = async ({ deps }: TestService, to: string) => (await latestMessageTo(deps, to)).code ?? ''
type Verified = 'email' | 'phone'

/** Signs up with an address and a number, one of which the holder verifies. */
async function signedUp(service: TestService, verified: Verified) {
  const tenant = await tenantWith(service, {
    emailVerificationRequired: verified === 'email',
    phoneVerificationRequired: verified === 'phone',
    phoneVerificationCodeEnabled: true,
    phoneSignInEnabled: true,
    strategyPhoneCodeEnabled: true,
  })
  const [email, phone] = [newEmail(), newPhone()]
  const holder = new Browser(service, tenant.publicKey)
  const body = { email, phone, password, name: 'Mallory' }
  const { signUpAttempt } = await holder.ok<SignUpAnswer>('createSignUp', { body })
  const params = { id: signUpAttempt.id }
  const strategy = `${verified}_code`
  await holder.ok('prepareVerification', { params, body: { strategy } })
  const code = await codeTo(service, verified === 'email' ? email : phone)
  await holder.ok('attemptVerification', { params, body: { strategy, code } })
  const { user } = await holder.ok<{ user: Profile }>('getProfile')
  return { tenant, holder, email, phone, userId: user.id }
}

/** Another, verified address of the holder. */
async function addEmail(service: TestService, holder: Browser) {
  const address = newEmail()
  const { email } = await holder.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email: address } })
  const params = { id: email.id }
  await holder.ok('prepareOwnEmail', { params })
  const verified = await holder.ok<{ email: OwnEmail }>('verifyOwnEmail', {
    params,
    body: { code: await codeTo(service, address) },
  })
  return { address, id: verified.email.id }
}

/** What the owner has to send to be signed in. */
async function ownersProof(service: TestService, publicKey: string, identifier: string, strategy: string) {
  const owner = new Browser(service, publicKey, { 'accept-language': 'de' })
  const { signInAttempt } = await owner.ok<SignInAnswer>('createSignIn', { body: { identifier, strategy } })
  const code = await codeTo(service, identifier)
  return { owner, step: { params: { id: signInAttempt.id }, body: { strategy, code } } }
}

describeService('an account that is taken over', (service) => {
  const noticesTo = async (address: string) => {
    await sendMessages(service().deps)
    const messages = await messagesTo(service().deps, address)
    return messages.filter(({ template_type: type }) => type === 'email-changed').map(({ content }) => content)
  }

  it('has the owner’s address as its primary one from the first answer on', async () => {
    const { tenant, holder, email, userId } = await signedUp(service(), 'phone')
    const other = await addEmail(service(), holder)
    await holder.ok('makeOwnEmailPrimary', { params: { id: other.id } })
    const { owner, step } = await ownersProof(service(), tenant.publicKey, email, 'email_code')
    const { sessionUser } = await owner.ok<SignInAnswer>('attemptFirstFactor', step)
    const { data } = await service().ok<{ data: User }>('getUser', { params: { id: userId } })
    assert.deepEqual(
      data.emailAddresses.map((address) => address.email),
      [email],
    )
    assert.equal(data.primaryEmailId, data.emailAddresses[0]?.id)
    assert.equal(data.primaryPhoneId, null)
    const { user } = await owner.ok<{ user: Profile }>('getProfile')
    assert.deepEqual(
      user.emails.map((own) => [own.email, own.primary]),
      [[email, true]],
    )
    assert.deepEqual(profileIn(sessionUser), user)
  })

  it('has no primary address if none is left', async () => {
    const { tenant, holder, phone, userId } = await signedUp(service(), 'email')
    await addEmail(service(), holder)
    await addEmail(service(), holder)
    const { owner, step } = await ownersProof(service(), tenant.publicKey, phone, 'phone_code')
    const { sessionUser } = await owner.ok<SignInAnswer>('attemptFirstFactor', step)
    const { data } = await service().ok<{ data: User }>('getUser', { params: { id: userId } })
    assert.deepEqual([data.primaryEmailId, data.emailAddresses], [null, []])
    assert.equal(data.primaryPhoneId, data.phoneNumbers[0]?.id)
    assert.deepEqual(
      sessionUser?.phones.map(({ primary }) => primary),
      [true],
    )
  })

  it('tells each verified address that it no longer belongs to the account, and nothing about the new owner', async () => {
    const { tenant, holder, email, phone } = await signedUp(service(), 'email')
    const added = await addEmail(service(), holder)
    const body = {
      tenantId: tenant.id,
      type: 'email',
      name: 'email-changed.de',
      subject: 'Deutsch',
      body: '<p>Hallo</p>',
    }
    await service().ok('createTemplate', { body })
    const before = [await noticesTo(email), await noticesTo(added.address)].map(({ length }) => length)
    const { owner, step } = await ownersProof(service(), tenant.publicKey, phone, 'phone_code')
    await owner.ok('attemptFirstFactor', step)
    for (const [n, address] of [email, added.address].entries()) {
      const notices = await noticesTo(address)
      assert.equal(notices.length, (before[n] ?? 0) + 1, address)
      const [{ subject, text, html } = { subject: null, text: '', html: '' }] = notices
      assert.match(subject ?? '', /^Your e-mail addresses at .* were changed$/)
      for (const secret of [phone, 'Mallory', 'Deutsch', added.address, email]) {
        assert.ok(!`${subject} ${text} ${html}`.includes(secret), `the notice says ${secret}`)
      }
    }
  })

  it('tells each verified number too, by text message, and nothing about the new owner', async () => {
    const { tenant, email, phone } = await signedUp(service(), 'phone')
    const { owner, step } = await ownersProof(service(), tenant.publicKey, email, 'email_code')
    await owner.ok('attemptFirstFactor', step)
    await sendMessages(service().deps)
    const messages = await messagesTo(service().deps, phone)
    const notices = messages.filter(({ template_type: type }) => type === 'phone-changed')
    assert.equal(notices.length, 1)
    const [{ text } = { text: '' }] = notices.map(({ content }) => content)
    assert.match(text, /^Your phone numbers at .* were changed$/m)
    for (const secret of [phone, email, 'Mallory']) assert.ok(!text.includes(secret), `the notice says ${secret}`)
  })

  it('tells nothing to a number that was only claimed', async () => {
    const tenant = await tenantWith(service(), { emailVerificationRequired: false })
    const [email, phone] = [newEmail(), newPhone()]
    await new Browser(service(), tenant.publicKey).ok('createSignUp', { body: { email, phone, password } })
    const { owner, step } = await ownersProof(service(), tenant.publicKey, email, 'email_code')
    await owner.ok('attemptFirstFactor', step)
    await sendMessages(service().deps)
    assert.deepEqual(await messagesTo(service().deps, phone), [])
  })

  it('tells nothing to an address that was only claimed', async () => {
    const tenant = await tenantWith(service(), {
      emailVerificationRequired: false,
      phoneVerificationRequired: false,
      phoneSignInEnabled: true,
      strategyPhoneCodeEnabled: true,
    })
    const [email, phone] = [newEmail(), newPhone()]
    await new Browser(service(), tenant.publicKey).ok('createSignUp', { body: { email, phone, password } })
    const { owner, step } = await ownersProof(service(), tenant.publicKey, phone, 'phone_code')
    await owner.ok('attemptFirstFactor', step)
    await sendMessages(service().deps)
    assert.deepEqual(await messagesTo(service().deps, email), [])
  })
})

describeOnTwoNodes('an account that is taken over at two nodes', (nodes) => {
  // Guards: claimed-addresses
  it('leaves its earlier holder no way of signing in, whatever the holder does at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { tenant, holder, email, phone, userId } = await signedUp(nodes().one, 'phone')
      const person = new Person(nodes().one, tenant, { id: userId } as User, phone)
      Object.assign(person, { browser: holder })
      const key = new SoftwareAuthenticator()
      const credential = key.create(await person.passkeyOptions())
      const { secret } = await holder.ok<{ secret: string }>('createAuthenticatorCode')
      const { owner, step } = await ownersProof(nodes().other, tenant.publicKey, email, 'email_code')
      const intruders = Array.from({ length: 4 }, () => new Browser(nodes().other, tenant.publicKey))
      const added = newEmail()
      const candidate = await holder.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email: added } })
      await holder.ok('prepareOwnEmail', { params: { id: candidate.email.id } })
      const code = await codeTo(nodes().one, added)

      const at = (n: number) => browserAt(nodes().inTurn(n), holder)
      const signIn = { body: { identifier: email, strategy: 'email_password', password } }
      const taken = owner.call('attemptFirstFactor', step)
      await Promise.all([
        taken,
        ...intruders.map((browser) => browser.call('createSignIn', signIn)),
        at(round).call('createPasskey', { body: { credential } }),
        at(round + 1).call('confirmAuthenticatorCode', { body: { code: person.codeOf(secret) } }),
        at(round).call('verifyOwnEmail', { params: { id: candidate.email.id }, body: { code } }),
        at(round + 1).call('updateOwnPassword', { body: { oldPassword: password, password: another } }),
      ])
      assert.ok([200, 401, 403].includes((await taken).status), (await taken).text)
      if ((await taken).status !== 200) {
        // The holder's change of password ended the code. With a new code the account changes hands. It is sent after the time of the other
        // node, whose clock is ahead, because otherwise its code could be the newest.
        nodes().advance(1000)
        const again = await ownersProof(nodes().one, tenant.publicKey, email, 'email_code')
        await again.owner.ok('attemptFirstFactor', again.step)
      }
      for (const browser of [holder, ...intruders]) {
        await browserAt(nodes().one, browser).refused('getProfile', 'unauthenticated')
      }
      const { data } = await nodes().one.ok<{ data: User }>('getUser', { params: { id: userId } })
      assert.deepEqual(
        [data.emailAddresses.map((address) => address.email), data.phoneNumbers.map((number) => number.phone)],
        [[email], []],
      )
      const params = { id: userId }
      assert.deepEqual(await nodes().other.ok<Authenticator[]>('listUserAuthenticators', { params }), [])
      for (const given of [password, another]) {
        const body = { ...signIn.body, password: given }
        // After the waits for the wrong guesses above: their number depends on which request came first.
        nodes().advance(60_000)
        await new Browser(nodes().other, tenant.publicKey).refused('createSignIn', 'factor_refused', { body })
      }
    }
  })
})
