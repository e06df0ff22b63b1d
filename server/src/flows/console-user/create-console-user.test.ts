import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAnswer, User } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { newRows, rowCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createApiKey, createTenant, unique } from '../../../test/harness/factories.ts'
import { signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { describeService } from '../../../test/harness/service.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'

const newEmail = () => `${unique()}@console.example`
const password = 'correct horse battery staple'

describeService('POST /console-users', (service) => {
  it('creates an account that signs in at the console and creates a tenant, while sign-up there is closed', async () => {
    const email = newEmail()
    const before = await rowCounts(service())
    const user = await service().ok<User>('createConsoleUser', { body: { email, name: 'Ada', password } })
    assert.deepEqual(await newRows(service(), before), { users: 1, email_addresses: 1, passwords: 1, events: 1 })
    const consoleTenantId = await getConsoleTenantId(service().deps.db)
    assert.deepEqual([user.tenantId, user.name], [consoleTenantId, 'Ada'])
    assert.notEqual(user.emailAddresses[0]?.verifiedAt, null)
    const events = await storedEvents(service(), consoleTenantId, 'user.created')
    assert.equal(events.at(-1)?.actor_type, 'operator')

    const { consolePublicKey } = await service().ok<{ consolePublicKey: string }>('getMeta', { token: null })
    const browser = new Browser(service(), consolePublicKey)
    await browser.refused('createSignUp', 'sign_up_disabled', { body: { email: newEmail(), password } })
    const { jwt } = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_password', password },
    })
    assert.ok(jwt !== undefined)
    await service().ok('createTenant', { body: { name: 'Acme', environment: 'production' }, token: jwt })
  })

  it('refuses a taken e-mail with 409 email_taken, in upper or lower case, and a password of fewer than 12 characters', async () => {
    const email = newEmail()
    await service().ok('createConsoleUser', { body: { email } })
    await service().refused('createConsoleUser', 'email_taken', { body: { email: email.toUpperCase() } })
    const short = { email: newEmail(), password: 'elevenchars' }
    await service().refused('createConsoleUser', 'validation_failed', { body: short })
  })

  it('makes an account whose new password at sign-in has 12 characters too, or is refused under /newPassword', async () => {
    const email = newEmail()
    const { id } = await service().ok<User>('createConsoleUser', { body: { email, password } })
    await service().ok('changeUserPassword', { params: { id }, body: { password: 'chosen by the helpdesk' } })
    const { consolePublicKey } = await service().ok<{ consolePublicKey: string }>('getMeta', { token: null })
    const body = { identifier: email, strategy: 'email_password', password: 'chosen by the helpdesk' }
    const refused = await new Browser(service(), consolePublicKey).refused('createSignIn', 'validation_failed', {
      body: { ...body, newPassword: 'elevenchars' },
    })
    const { issues = [] } = refused.body as { issues?: { path: string; code: string }[] }
    assert.deepEqual(
      issues.map(({ path, code }) => [path, code]),
      [['/newPassword', 'too_short']],
    )
  })

  // Guards: console-accounts
  it('is only for the operator: all other callers are told to send an invitation', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const { key } = await createApiKey(service(), tenant.id, ['admin'])
    const { token } = await signInConsoleUser(service())
    for (const credential of [secretKey, key, token]) {
      const body = { email: newEmail() }
      const { message } = await service().refused('createConsoleUser', 'forbidden', { body, token: credential })
      assert.match(message, /POST \/tenants\/members\/invite/)
    }
  })
})
