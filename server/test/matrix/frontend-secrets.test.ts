// Everything that proves who an end user is appears only in the answer that exists to show it: in no other answer, no event, no column and
// no line of the log. Regression: the answer to the request for a code contained the code (Zitadel CVE-2026-105211).
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnOrganization, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { createLog } from '../../src/platform/log.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { dumpTables } from '../harness/databases/table-dump.ts'
import { unique } from '../harness/factories.ts'
import { messagesTo, sendMessages, tokenOf } from '../harness/messages.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { Person, signedInPerson } from '../harness/people/people.ts'
import { begin, createSocialWorld, person as identityOf } from '../harness/people/social-sign-in.ts'
import { type Answer, TestService, startTestService, testEnv } from '../harness/service.ts'

const page = 'http://localhost:3000/in'
const secretPassword = () => `canary ${unique()} ${unique()}`

/** A text in the form in which it could leak. Short ones include their surroundings, because six digits occur in many numbers. */
function listSpellings(secret: string): string[] {
  if (secret.length < 16) return [`"${secret}"`, `"code":${secret},`, `>${secret}<`, ` ${secret}.`, `=${secret}&`]
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}

describeOnEachEngine("end users' secrets", (open) => {
  const idp = new FakeIdentityProvider()
  const logged: string[] = []
  const answered: { readonly url: string; readonly text: string }[] = []
  /** Each secret with the addresses of the answers that exist to show it. */
  const secrets: { readonly what: string; readonly secret: string; readonly shownAt: RegExp }[] = []
  const nowhere = /^$/
  let service: TestService

  before(async () => {
    await idp.start()
    const { database } = await open()
    const log = createLog({ logLevel: 'trace' }, { write: (line: string) => void logged.push(line) })
    const started = await startTestService(database, testEnv, () => ({ log }))
    service = Object.assign(Object.create(started) as TestService, {
      request: async (options: Parameters<TestService['request']>[0]): Promise<Answer> => {
        const answer = await started.request(options)
        const { 'set-cookie': _cookie, location: _location, ...headers } = answer.headers
        const url = typeof options.url === 'string' ? options.url : ''
        if (url.startsWith('/frontend/')) answered.push({ url, text: JSON.stringify(headers) + answer.text })
        return answer
      },
    })
    await useEverything()
  })
  after(async () => {
    await service.app.close()
    await idp.stop()
  })

  const keep = (what: string, secret: string | null | undefined, shownAt = nowhere) => {
    assert.ok(secret !== undefined && secret !== null && secret.length > 5, what)
    secrets.push({ what, secret, shownAt })
    return secret
  }
  const sentTo = async (address: string) => {
    await sendMessages(service.deps)
    const [latest] = await messagesTo(service.deps, address)
    const { link, code } = latest?.content ?? {}
    if (link === null || link === undefined) return keep('a code that was sent', code)
    // A page of the tenant gets the token in the fragment, a hosted page in the query.
    return keep('a token that was sent', new URL(link).hash.replace('#token=', '') || tokenOf({ link }))
  }

  async function useEverything() {
    const clientSecret = keep('a client secret', `canary-${unique()}-${unique()}`)
    const { tenant } = await createSocialWorld(service, idp, {
      auth: { strategyEmailLinkEnabled: true, strategyPhoneCodeEnabled: true, phoneSignInEnabled: true },
      provider: { clientSecret },
    })
    const app = () => new Browser(service, tenant.publicKey, { 'x-session-transport': 'body' })
    const browser = new Browser(service, tenant.publicKey)
    const email = `${unique()}@example.com`
    const password = keep('a password', secretPassword())
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    await browser.ok('attemptVerification', { params, body: { strategy: 'email_code', code: await sentTo(email) } })

    for (const strategy of ['email_code', 'email_link']) {
      const other = new Browser(service, tenant.publicKey)
      const begun = await other.ok<SignInAnswer>('createSignIn', {
        body: { identifier: email, strategy, redirectUri: page },
      })
      const step = { params: { id: begun.signInAttempt.id }, body: { strategy, code: await sentTo(email) } }
      await other.call('attemptFirstFactor', { ...step, body: { strategy, code: '99999x' } })
      await other.ok('attemptFirstFactor', step)
      await other.call('attemptFirstFactor', step)
    }
    const asApp = await app().ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_password', password },
    })
    keep('a session of an app', asApp.sessionToken, /sign-ins$/)
    keep('a device of an app', asApp.deviceToken, /sign-ins$/)
    keep('a flow of an app', asApp.flowToken, /sign-ins$/)
    await browser.call('createSignIn', {
      body: { identifier: email, strategy: 'email_password', password: keep('a wrong password', secretPassword()) },
    })
    const person = await signedInPerson(service, tenant)
    const factors = await person.addApp()
    keep('the secret of an app', factors.secret, /user\/totp$/)
    for (const code of factors.recoveryCodes) keep('a recovery code', code, /user\/totp\/confirm$/)
    await person.addPasskey()
    const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
    keep('a JWT', jwt, /user\/sessions\/token$/)
    for (const [name, value] of [...browser.cookies, ...person.browser.cookies]) keep(`the cookie ${name}`, value)

    const { passwordReset } = await browser.ok<{ passwordReset: { id: string } }>('createPasswordReset', {
      body: { identifier: email },
    })
    await browser.ok('attemptPasswordReset', {
      params: { id: passwordReset.id },
      body: { code: await sentTo(email), password: keep('a new password', secretPassword()) },
    })
    const further = `${unique()}@example.com`
    const made = await person.browser.ok<{ email: { id: string } }>('createOwnEmail', { body: { email: further } })
    await person.browser.ok('prepareOwnEmail', { params: { id: made.email.id } })
    await person.browser.ok('verifyOwnEmail', { params: { id: made.email.id }, body: { code: await sentTo(further) } })
    const { organization } = await person.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: 'Research' },
    })
    const guest = await signedInPerson(service, tenant)
    await person.browser.ok('sendInvitation', { params: { id: organization.id }, body: { email: guest.email } })
    await guest.browser.ok('acceptInvitation', { params: { token: await sentTo(guest.email) } })
    await social(person)
    for (const list of [
      'listOwnEmails',
      'listOwnSessions',
      'listOwnConnections',
      'listPasskeys',
      'getProfile',
    ] as const) {
      await person.browser.ok(list)
    }
  }

  async function social({ publicKey }: Person) {
    const traveller = new Browser(service, publicKey)
    const back = idp.agree((await begin(traveller)).authorizeUri, identityOf())
    keep('a state', back.searchParams.get('state'), /sign-ins$/)
    keep('a code of a provider', back.searchParams.get('code'))
    await traveller.visit(back)
  }

  const assertAbsent = (places: readonly { readonly url: string; readonly text: string }[], where: string) => {
    for (const { what, secret, shownAt } of secrets) {
      for (const spelling of listSpellings(secret)) {
        const found = places.find(({ url, text }) => !shownAt.test(url.split('?')[0] ?? '') && text.includes(spelling))
        assert.equal(
          found && `${found.url} ${found.text.replaceAll(spelling, '[HERE]')}`,
          undefined,
          `${what} in ${where}`,
        )
      }
    }
  }

  it('existed and could have leaked', () => {
    assert.ok(secrets.length > 30, String(secrets.length))
    assert.ok(answered.length > 30)
    const shown = secrets.filter(({ shownAt }) => shownAt !== nowhere)
    for (const { what, secret, shownAt } of shown) {
      assert.ok(
        answered.some(({ url, text }) => shownAt.test(url) && text.includes(secret)),
        `${what}: the search would find it`,
      )
    }
  })

  // Guards: codes-unanswered, secrets-unseen
  it('are in no answer but the one that exists to show them', () => {
    assertAbsent(answered, 'an answer')
  })

  // Guards: secrets-unseen
  it('are in no event, in no column in the clear and in no line of the log', async () => {
    const tables = Object.entries(await dumpTables(service.deps.db))
    const rows = tables.flatMap(([table, all]) => all.map((text) => ({ url: `table ${table}`, text })))
    assert.ok(rows.some(({ url }) => url === 'table events'))
    assertAbsent(rows, 'the database')
    assert.ok(logged.length > 30)
    assertAbsent(
      logged.map((text) => ({ url: 'log', text })),
      'the log',
    )
  })
})
