// Users who remove parts of their accounts keep a way to sign in, as their tenant offers it: the last one cannot be removed.
import { it } from 'node:test'
import type { FrontendEndpointId, User } from '@bailiwick/contract'
import type { Browser } from '../../../test/harness/browser/frontend.ts'
import { storePasskey } from '../../../test/harness/browser/passkeys.ts'
import { unique } from '../../../test/harness/factories.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'
const off = { strategyEmailPasswordEnabled: false, strategyEmailCodeEnabled: false, strategySecurityKeyEnabled: false }
const byKey = { ...off, strategySecurityKeyEnabled: true }
const byPhone = { ...off, strategyPhonePasswordEnabled: true, phoneSignInEnabled: true, phoneRequired: false }
const byUsername = { ...off, strategyUsernamePasswordEnabled: true, usernameSignInEnabled: true }
const byEmail = { ...off, strategyEmailPasswordEnabled: true, emailRequired: false }

interface Owner {
  readonly user: User
  readonly browser: Browser
  readonly passkeys: readonly string[]
}
interface Removal {
  readonly what: string
  readonly error: string
  readonly ask: (
    owner: Owner,
  ) => [FrontendEndpointId, { readonly params?: Record<string, string>; readonly body?: object }]
}

const passkey: Removal = {
  what: 'the passkey',
  error: 'last_way_in',
  ask: ({ passkeys }) => ['deletePasskey', { params: { id: passkeys[0] ?? '' } }],
}
const phone: Removal = {
  what: 'the number',
  error: 'last_contact',
  ask: ({ user }) => ['deleteOwnPhone', { params: { id: user.primaryPhoneId ?? '' } }],
}
const email: Removal = {
  what: 'the address',
  error: 'last_contact',
  ask: ({ user }) => ['deleteOwnEmail', { params: { id: user.primaryEmailId ?? '' } }],
}
const username: Removal = {
  what: 'the username',
  error: 'last_contact',
  ask: () => ['updateProfile', { body: { username: null } }],
}

describeService('an account', (service) => {
  async function owner(
    auth: object,
    { passkeys = 0, ...body }: { passkeys?: number; password?: string; email?: null },
  ) {
    const tenant = await tenantWith(service(), { emailRequired: false, ...auth })
    const number = `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
    const { user, browser } = await signedInUser(service(), tenant, { phone: number, username: unique(), ...body })
    const ids: string[] = []
    for (let n = 0; n < passkeys; n++) ids.push(await storePasskey(service(), tenant.id, user.id))
    return { user, browser, passkeys: ids, tenant }
  }

  const kept: readonly [string, object, Removal, { passkeys?: number; password?: string }][] = [
    ['passkeys alone', byKey, passkey, { passkeys: 1, password }],
    ['numbers with a password alone', byPhone, phone, { password }],
    ['addresses with a password alone', byEmail, email, { password }],
    ['usernames with a password alone', byUsername, username, { password }],
  ]
  for (const [by, auth, removal, made] of kept) {
    it(`keeps ${removal.what} if users sign in with ${by}`, async () => {
      const one = await owner(auth, made)
      await one.browser.refused(removal.ask(one)[0], removal.error, removal.ask(one)[1])
      // With another way of signing in it may be removed.
      const params = { id: one.tenant.id }
      await service().ok('putAuthTenant', {
        params,
        body: { strategyPhoneCodeEnabled: true, phoneSignInEnabled: true },
      })
      if (removal === phone) await service().ok('putAuthTenant', { params, body: byEmail })
      await one.browser.ok(removal.ask(one)[0], removal.ask(one)[1])
    })
  }

  it('allows removing one of two passkeys, and what was no way of signing in', async () => {
    const two = await owner(byKey, { passkeys: 2 })
    await two.browser.ok(passkey.ask(two)[0], passkey.ask(two)[1])
    const without = await owner(byUsername, {})
    await without.browser.ok(phone.ask(without)[0], phone.ask(without)[1])
    await without.browser.ok(username.ask(without)[0], username.ask(without)[1])
  })

  it('keeps the name and the username that the tenant requires of everybody', async () => {
    const { browser } = await owner({ nameRequired: true, usernameRequired: true }, { password })
    await browser.refused('updateProfile', 'validation_failed', { body: { name: null } })
    await browser.refused('updateProfile', 'last_contact', { body: { username: null } })
    await browser.ok('updateProfile', { body: { name: 'Ada', username: unique() } })
  })
})
