import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Profile, SignInAnswer } from '@bailiwick/contract'
import { createJwtVerifier } from '../../../../sdk/src/jwt.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'

describeService('GET /user/profile', (service) => {
  async function signedIn() {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id, { permissions: ['articles:read'] })
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, {
      email,
      password,
      roleId: role.id,
      privateMeta: { note: 'canary' },
    })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const browser = new Browser(service(), tenant.publicKey)
    const answer = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_password', password },
    })
    const profile = async () => (await browser.ok<{ user: Profile }>('getProfile')).user
    return { tenant, role, user, browser, answer, profile }
  }

  it('shows each change at once, though it is kept in memory', async () => {
    const { user, role, browser, profile } = await signedIn()
    assert.equal((await profile()).name, null)
    await service().ok('updateUser', { params: { id: user.id }, body: { name: 'Ada' } })
    assert.equal((await profile()).name, 'Ada')
    await browser.ok('updateProfile', { body: { name: 'Ada L.' } })
    assert.equal((await profile()).name, 'Ada L.')
    await service().ok('createEmailAddress', {
      body: { tenantId: user.tenantId, userId: user.id, email: `${unique()}@example.com` },
    })
    assert.equal((await profile()).emails.length, 2)
    await service().ok('updateRole', { params: { id: role.id }, body: { permissions: ['articles:write'] } })
    assert.deepEqual((await profile()).role?.permissions, ['articles:write'])
    await service().ok('suspendUser', { params: { id: user.id } })
    await browser.refused('getProfile', 'unauthenticated')
  })

  it('never shows what the tenant keeps for itself', async () => {
    const { browser, answer } = await signedIn()
    const { text } = await browser.call('getProfile')
    assert.doesNotMatch(text + JSON.stringify(answer), /canary|privateMeta/)
  })

  it('is refused with a cookie if the request does not come from a page of the tenant', async () => {
    const { browser, tenant } = await signedIn()
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { host: 'id.test', 'x-public-key': tenant.publicKey, cookie, 'content-type': 'application/json' }
    const answer = await service().request({
      method: 'PATCH',
      url: '/frontend/api/v0/user/profile',
      headers,
      payload: { name: 'Eve' },
    })
    assert.deepEqual([answer.status, (answer.body as { code: string }).code], [403, 'origin_refused'])
  })
})

describeService('POST /user/sessions/token', (service) => {
  it('offers a JWT that resource servers verify with the published keys', async () => {
    const { tenant } = await createTenant(service())
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password, name: 'Ada' })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const browser = new Browser(service(), tenant.publicKey)
    const { session } = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_password', password },
    })
    const env = await service().ok<Record<string, string>>('getTenantEnv', { params: { id: tenant.id } })
    const fetchKeys = async (address: string | URL | Request) => {
      const { pathname, search } = new URL(address instanceof Request ? address.url : address)
      const answer = await service().request({
        method: 'GET',
        url: `${pathname}${search}`,
        headers: { host: 'id.test' },
      })
      return new Response(answer.text, { status: answer.status, headers: { 'content-type': 'application/json' } })
    }
    const verify = createJwtVerifier({
      issuer: env['BAILIWICK_FRONTEND_API_URL'] ?? '',
      audience: tenant.publicKey,
      jwksUrl: env['BAILIWICK_JWKS_URL'] ?? '',
      fetch: fetchKeys,
    })
    const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
    const { sub, exp, iat, claims } = await verify(jwt)
    assert.deepEqual([sub, claims?.sessionId, claims?.email, claims?.name], [user.id, session?.id, email, 'Ada'])
    assert.equal(exp - (iat ?? 0), 60)
    await service().ok('rotateJwkCertificates', { body: { tenantId: tenant.id } })
    assert.equal((await verify(jwt)).sub, user.id)
    await browser.refused('createOwnToken', 'not_found', { body: { orgId: 'c00000000000000000000000a' } })
    await browser.refused('createOwnToken', 'validation_failed', { body: { ttl: 901 } })
  })

  it('says whether address and number are verified, and names no organization if those are off', async () => {
    const tenant = await tenantWith(service(), { emailVerificationRequired: false })
    const { browser, user } = await signedInUser(service(), tenant, { phone: '+4930123456' })
    const claims = async (body: object = {}) => {
      const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body })
      const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()
      return (JSON.parse(payload) as { claims: Record<string, unknown> }).claims
    }
    const verified = async () => {
      const { emailVerified, phoneVerified } = await claims()
      return [emailVerified, phoneVerified]
    }
    assert.deepEqual(await verified(), [true, false])
    await service().ok('verifyPhoneNumber', { body: { id: user.primaryPhoneId } })
    assert.deepEqual(await verified(), [true, true])
    const { organization } = await browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
      body: { name: 'Research' },
    })
    assert.equal((await claims({ orgId: organization.id }))['orgRole'], 'admin')
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { organizationsEnabled: false } })
    await browser.refused('createOwnToken', 'not_found', { body: { orgId: organization.id } })
    assert.equal((await claims())['orgId'], null)
  })
})
