// A user who has set up a second factor is asked for it on every path to a session. Regression: paths that forgot to ask (Zitadel
// CVE-2025-64103, Logto CVE-2026-15616, Ory Kratos GHSA-wc43-73w7-x2f5).
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type SignInAnswer, type SignInStrategy, signInStrategies } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { flag } from '../../../test/harness/browser/software-authenticator.ts'
import { unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { connectedOrganization, leave } from '../../../test/harness/people/enterprise.ts'
import { type Person, password, preparePasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import {
  begin,
  createSocialWorld,
  locationOf,
  person as identityOf,
} from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const page = 'http://localhost:3000/in'
const sources = fileURLToPath(new URL('../..', import.meta.url))

/** The places where a session begins; each of them asks for the second factor first, or begins one for a user who has none yet. */
const mints: Readonly<Record<string, string>> = {
  'flows/sign-in/complete.ts': 'every way of signing in',
  'flows/sign-up/create-signed-up-user.ts': 'a user who was made in the same transaction',
  'identity/sessions/sessions.ts': 'the tenant itself, in the place of a user',
}

describeService('the second factor', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  // Guards: second-factors
  it('is required before every place where a session begins', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const calling = files.filter((file) => {
      const source = readFileSync(join(sources, file), 'utf8')
      return /[=:] await (?:create|prepare)Session\(|=>\s+createSession\(/.test(source)
    })
    assert.deepEqual(calling.toSorted(), Object.keys(mints).toSorted())
  })

  // Guards: second-factors
  it('is required whichever first factor was proven, and nothing is accessible before', async () => {
    const { tenant } = await createSocialWorld(service(), idp, {
      auth: {
        strategyEmailLinkEnabled: true,
        strategyPhoneCodeEnabled: true,
        strategyPhonePasswordEnabled: true,
        strategyUsernamePasswordEnabled: true,
        phoneSignInEnabled: true,
        usernameSignInEnabled: true,
      },
    })
    const person = await signedInPerson(service(), tenant)
    const [phone, username] = [`+4930777${String(Date.now()).slice(-6)}`, unique()]
    const { id: phoneId } = await service().ok<{ id: string }>('createPhoneNumber', {
      body: { tenantId: tenant.id, userId: person.user.id, phone },
    })
    await service().ok('verifyPhoneNumber', { body: { id: phoneId } })
    await service().ok('updateUser', { params: { id: person.user.id }, body: { username } })
    const identity = identityOf({ email: person.email })
    await person.browser.visit(idp.agree((await begin(person.browser)).authorizeUri, identity))
    // With an address of the organization's own, by which its provider knows the same person.
    const { domain } = await connectedOrganization(service(), tenant.id, idp)
    const work = `${unique()}@${domain}`
    const { id: workId } = await service().ok<{ id: string }>('createEmailAddress', {
      body: { tenantId: tenant.id, userId: person.user.id, email: work },
    })
    await service().ok('verifyEmailAddress', { body: { id: workId } })
    const { key } = await person.addPasskey()
    await person.addApp()
    const prove = provers(person, { phone, username, work }, identity)

    for (const strategy of signInStrategies) {
      if (strategy === 'authenticator_code') continue
      const browser = person.elsewhere()
      // Each first factor without the second counts as a guess.
      await service().deps.db.transaction((tx) => tx.run(sql`DELETE FROM guesses`))
      const { status } = await prove[strategy](browser, key)
      // A key that has not verified its user can be the second factor, but never the first.
      if (strategy === 'security_key') {
        assert.equal(status, 'refused')
        continue
      }
      assert.equal(status, 'needs_factor_two', strategy)
      await browser.refused('getProfile', 'unauthenticated')
      await browser.refused('createOwnToken', 'unauthenticated', { body: {} })
      const flow = [...browser.cookies].find(([name]) => name.startsWith('__Host-flow'))?.[1] ?? ''
      await person
        .elsewhere()
        .refused('getProfile', 'unauthenticated', { headers: { authorization: `Bearer ${flow}` } })
    }
  })

  type Key = Awaited<ReturnType<Person['addPasskey']>>['key']
  type Prove = (browser: Browser, key: Key) => Promise<{ status: string }>

  function provers(
    { email }: Person,
    { phone, username, work }: { phone: string; username: string; work: string },
    identity: ReturnType<typeof identityOf>,
  ): Record<Exclude<SignInStrategy, 'authenticator_code'>, Prove> {
    const byPassword = (strategy: SignInStrategy, identifier: string) => async (browser: Browser) =>
      (await browser.ok<SignInAnswer>('createSignIn', { body: { identifier, strategy, password } })).signInAttempt
    const bySecret = (strategy: SignInStrategy, identifier: string) => async (browser: Browser) => {
      const body = { identifier, strategy, redirectUri: page }
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
      const { code, link } = await latestMessageTo(service().deps, identifier)
      const proof = link === null ? code : new URL(link).hash.replace('#token=', '')
      const step = { params: { id: signInAttempt.id }, body: { strategy, code: proof } }
      return (await browser.ok<SignInAnswer>('attemptFirstFactor', step)).signInAttempt
    }
    return {
      email_password: byPassword('email_password', email),
      phone_password: byPassword('phone_password', phone),
      username_password: byPassword('username_password', username),
      email_code: bySecret('email_code', email),
      email_link: bySecret('email_link', email),
      phone_code: bySecret('phone_code', phone),
      oauth: async (browser) => {
        const { authorizeUri, signInAttempt } = await begin(browser)
        locationOf(await browser.visit(idp.agree(authorizeUri, identity)))
        const params = { id: signInAttempt.id }
        return (await browser.ok<SignInAnswer>('getSignIn', { params })).signInAttempt
      },
      enterprise: async (browser) => {
        const { authorizeUri, signInAttempt } = await leave(browser, work)
        locationOf(await browser.visit(idp.agree(authorizeUri, { sub: 'ada', email: work })))
        const params = { id: signInAttempt.id }
        return (await browser.ok<SignInAnswer>('getSignIn', { params })).signInAttempt
      },
      security_key: async (browser, key) => {
        const { id, options } = await preparePasskey(browser)
        const credential = key.get(options, { flip: flag.verified })
        const answer = await browser.call('attemptFirstFactor', {
          params: { id },
          body: { strategy: 'security_key', credential },
        })
        return { status: answer.status === 401 ? 'refused' : answer.text }
      },
    }
  }
})
