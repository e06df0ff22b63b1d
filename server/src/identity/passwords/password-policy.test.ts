import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { problemOf } from './password-policy.ts'

const context = {
  tenantName: 'Acme Rockets',
  name: 'Ada Lovelace',
  username: 'countess',
  emails: ['ada.byron@example.com'],
  phones: ['+4915112345678'],
}
/** Passwords that people write who have to think of something. */
const ownAddresses = [
  'ada.byron@example.com',
  'Ada.Byron@Example.com!1',
  '+4915112345678',
  '0151 12345678',
  '15112345678x',
]

const codeOf = async (password: string) => (await problemOf(password, context))?.code

describe('a chosen password', () => {
  const refused = {
    password_common: ['password1', 'PassWord1', 'iloveyou1', 'qwertyuiop', 'ｐａｓｓｗｏｒｄ1'],
    password_pattern: [
      'aaaaaaaa',
      'abababab',
      'abcabcabca',
      'abcdabcdabcd',
      '23456789',
      'hgfedcba',
      '🙂🙂🙂🙂🙂🙂🙂🙂',
    ],
    password_of_context: [
      'Lovelace1',
      'acmerockets!',
      'countess2026',
      'ada.byron1',
      'Bailiwick24',
      'byronlovelace!!',
      ...ownAddresses,
    ],
  }
  for (const [code, passwords] of Object.entries(refused)) {
    it(`is refused with ${code}`, async () => {
      for (const password of passwords) assert.equal(await codeOf(password), code, password)
    })
  }

  it('may be any other, whatever characters it contains', async () => {
    const good = [
      'aaaa bbbb cccc dddd',
      'correct horse battery staple',
      'lovelace walks in the rain',
      'zq7!mPv2',
      'ünïcödé wörds',
      'rocket 12345678 staple',
      '0151 87654321',
    ]
    for (const password of good) assert.equal(await codeOf(password), undefined, password)
  })
})

describeService('the rules of chosen passwords', (service) => {
  const issues = (code: string, path = '/password') => ({ path, code })
  const issueOf = (answer: { body: unknown }) => {
    const { issues: all } = answer.body as { issues: { path: string; code: string }[] }
    const [issue] = all
    return issue && issues(issue.code, issue.path)
  }

  it('apply wherever users choose one, but not to a server that creates users', async () => {
    const tenant = await tenantWith(service())
    const refusal = issues('password_common')
    const email = `${unique()}@example.com`
    await createUser(service(), tenant.id, { password: 'password1' })
    const browser = new Browser(service(), tenant.publicKey)
    const body = { email, password: 'password1' }
    assert.deepEqual(issueOf(await browser.refused('createSignUp', 'validation_failed', { body })), refusal)
    const own = { email, password: `${email.split('@')[0]}!` }
    const ofName = issueOf(await browser.refused('createSignUp', 'validation_failed', { body: own }))
    assert.deepEqual(ofName, issues('password_of_context'))

    const phone = '+4930123456789'
    for (const given of [
      { email, password: email },
      { email, phone, password: '030123456789' },
    ]) {
      const refused = await browser.refused('createSignUp', 'validation_failed', { body: given })
      assert.deepEqual(issueOf(refused), issues('password_of_context'))
    }

    const someone = await signedInUser(service(), tenant, { phone })
    for (const password of [someone.email, '030123456789']) {
      const refused = await someone.browser.refused('updateOwnPassword', 'validation_failed', { body: { password } })
      assert.deepEqual(issueOf(refused), issues('password_of_context'))
    }
    const change = { body: { password: 'password1' } }
    assert.deepEqual(issueOf(await someone.browser.refused('updateOwnPassword', 'validation_failed', change)), refusal)

    const { passwordReset } = await browser.ok<{ passwordReset: { id: string } }>('createPasswordReset', {
      body: { identifier: someone.email },
    })
    const { code } = await latestMessageTo(service().deps, someone.email)
    const reset = { params: { id: passwordReset.id }, body: { code, password: 'password1' } }
    assert.deepEqual(issueOf(await browser.refused('attemptPasswordReset', 'validation_failed', reset)), refusal)

    const params = { id: someone.user.id }
    await service().ok('changeUserPassword', { params, body: { password: 'password1' } })
    const identified = { body: { identifier: someone.email } }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', identified)
    const step = {
      params: { id: signInAttempt.id },
      body: { strategy: 'email_password', password: 'password1', newPassword: 'password2' },
    }
    const answer = await browser.refused('attemptFirstFactor', 'validation_failed', step)
    assert.deepEqual(issueOf(answer), issues('password_common', '/newPassword'))
  })
})
