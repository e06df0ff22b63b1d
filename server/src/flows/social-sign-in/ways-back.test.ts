// Callbacks of a provider that do not lead straight to a session: over the tenant's own domain, and into a sign-up.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { unique } from '../../../test/harness/factories.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import {
  begin,
  createSocialWorld,
  errorOf,
  locationOf,
  page,
  person,
  whoIs,
} from '../../../test/harness/people/social-sign-in.ts'
import { describeService } from '../../../test/harness/service.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

describeService('the way back', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  const callbackAt = (host: string) => `https://${host}/frontend/api/v0/oauth/callback/google`

  /** A browser on the tenant's own domain, whose address at the provider is the deployment's. */
  async function onOwnDomain() {
    const world = await createSocialWorld(service(), idp, { provider: { redirectUri: callbackAt('id.test') } })
    const { tenant } = world
    const name = `${unique()}.example`
    const { id } = await service().ok<{ id: string }>('createDomain', { body: { tenantId: tenant.id, name } })
    const { db, clock, tenants } = service().deps
    await db.transaction(async (tx) => {
      await tx.run(sql`UPDATE domains SET verified_at = ${clock.now()} WHERE id = ${id}`)
      await invalidateTenant(tx, tenants, tenant.id as TenantId)
    })
    return { tenant, name, browser: new Browser(service(), tenant.publicKey, { host: name }) }
  }

  it('leads from the deployment’s address to the own domain, where the cookies are', async () => {
    const { tenant, name, browser } = await onOwnDomain()
    const { authorizeUri } = await begin(browser)
    const back = idp.agree(authorizeUri, person())
    assert.equal(new URL(back).host, 'id.test')

    // The browser's cookies at the deployment's address contain none of this sign-in.
    const there = new Browser(service(), tenant.publicKey)
    const hop = locationOf(await there.visit(back))
    assert.equal(hop.origin + hop.pathname, callbackAt(name))
    assert.equal(hop.searchParams.get('state'), new URL(back).searchParams.get('state'))
    assert.equal(there.cookies.size, 0)
    await browser.refused('getProfile', 'unauthenticated')

    const end = locationOf(await browser.visit(hop))
    assert.deepEqual([end.origin + end.pathname, errorOf(end)], [page, null])
    assert.ok(browser.cookies.has('__Host-sid'))
    assert.equal((await whoIs(browser)).name, 'Ada Lovelace')
  })

  it('over the own domain can be used only by the browser that left', async () => {
    const { tenant, name, browser } = await onOwnDomain()
    const { authorizeUri } = await begin(browser)
    const hop = locationOf(await new Browser(service(), tenant.publicKey).visit(idp.agree(authorizeUri, person())))
    const thief = new Browser(service(), tenant.publicKey, { host: name })
    const { status, body } = await thief.visit(hop)
    assert.deepEqual([status, (body as { code?: string }).code], [400, 'oauth_state_invalid'])
    await thief.refused('getProfile', 'unauthenticated')
  })

  it('leads to the sign-up that began with the provider, which asks for what is missing', async () => {
    const { tenant, browser } = await createSocialWorld(service(), idp, { auth: { usernameRequired: true } })
    const { signUpAttempt, authorizeUri } = await browser.ok<SignUpAnswer>('createSignUp', {
      body: { providerKey: 'google', redirectUri: page },
    })
    const ada = person()
    const back = locationOf(await browser.visit(idp.agree(authorizeUri ?? '', ada)))
    assert.deepEqual(
      ['flow', 'purpose', 'error'].map((name) => back.searchParams.get(name)),
      [signUpAttempt.id, 'sign_up', null],
    )
    const params = { id: signUpAttempt.id }
    const waiting = await browser.ok<SignUpAnswer>('getSignUp', { params })
    assert.deepEqual(
      [waiting.signUpAttempt.status, waiting.signUpAttempt.missingFields, waiting.signUpAttempt.missingVerifications],
      ['missing_requirements', ['username'], []],
    )
    await browser.refused('getProfile', 'unauthenticated')
    const username = unique()
    const done = await browser.ok<SignUpAnswer>('updateSignUp', { params, body: { username } })
    assert.equal(done.signUpAttempt.status, 'complete')
    const { user } = await browser.ok<{ user: { username: string; emails: { email: string; verifiedAt: string }[] } }>(
      'getProfile',
    )
    assert.equal(user.username, username)
    assert.deepEqual([user.emails[0]?.email, typeof user.emails[0]?.verifiedAt], [ada['email'], 'string'])

    const again = new Browser(service(), tenant.publicKey)
    const { authorizeUri: second } = await begin(again)
    await again.visit(idp.agree(second, ada))
    assert.equal((await whoIs(again)).id, (await whoIs(browser)).id)
  })
})
