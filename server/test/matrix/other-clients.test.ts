// Clients that were written for another server of this interface: their headers, paths, fields and missing operations.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ErrorBody, Profile, SentInvitation, SignInAnswer, User, UserDetails } from '@bailiwick/contract'
import { sql } from '../../src/platform/db/sql.ts'
import { createOrganization, createRole, createTenant, createUser, unique } from '../harness/factories.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { describeService } from '../harness/service.ts'

type Json = Record<string, unknown>
const host = 'id.test'

describeService('clients of another server', (service) => {
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: object, payload?: object) =>
    service().request({
      method,
      url,
      headers: { host, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })

  it('send keys as x-protocol-public-key and x-protocol-secret-key, under the same rules', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const other = await createTenant(service())
    const keys = { 'x-protocol-public-key': tenant.publicKey, 'x-protocol-secret-key': secretKey }
    const url = `/api/v0/tenants/${tenant.id}`
    assert.equal((await send('GET', url, keys)).status, 200)
    assert.equal((await send('GET', `/api/v0/tenants/${other.tenant.id}`, keys)).status, 404)
    for (const wrong of [
      { ...keys, 'x-protocol-public-key': other.tenant.publicKey },
      { ...keys, 'x-protocol-secret-key': `${secretKey}x` },
      { 'x-protocol-secret-key': secretKey },
      { ...keys, 'x-secret-key': other.secretKey },
      { ...keys, 'x-public-key': other.tenant.publicKey },
      { ...keys, authorization: `Bearer ${secretKey}` },
    ]) {
      assert.equal((await send('GET', url, wrong)).status, 401, JSON.stringify(Object.keys(wrong)))
    }
  })

  it('name the tenant of a frontend call with x-protocol-public-key', async () => {
    const { tenant } = await createTenant(service())
    const headers = { 'x-protocol-public-key': tenant.publicKey, origin: 'http://localhost:3000' }
    const { status, body } = await send('POST', '/frontend/api/v0/sign-ins', headers, { identifier: 'a@example.com' })
    assert.equal(status, 200, JSON.stringify(body))
  })

  it('find claims of the JWT in sessionUser, at sign-in and with each token', async () => {
    const { tenant } = await createTenant(service())
    const password = 'correct horse battery staple'
    const email = `${unique()}@example.com`
    const user = await createUser(service(), tenant.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const { browser } = await signedInUser(service(), tenant)
    const token = await browser.ok<{ jwt: string; sessionUser: Json }>('createOwnToken', { body: {} })
    const signIn = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_password', password },
    })
    for (const { jwt = '', sessionUser } of [token, signIn]) {
      const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Json
      const { sub, iss, aud, exp, id } = sessionUser as Json
      assert.deepEqual(
        { sub, iss, aud, exp },
        { sub: claims['sub'], iss: claims['iss'], aud: claims['aud'], exp: claims['exp'] },
      )
      assert.equal(sub, id)
      assert.equal(aud, tenant.publicKey)
    }
  })

  it('read an own address as emailAddress and an own number as phoneNumber', async () => {
    const { browser } = await signedInUser(service(), (await createTenant(service())).tenant)
    const { email, emailAddress } = await browser.ok('createOwnEmail', { body: { email: `${unique()}@example.com` } })
    assert.deepEqual(emailAddress, email)
    const { phone, phoneNumber } = await browser.ok('createOwnPhone', { body: { phone: '+4915112345678' } })
    assert.deepEqual(phoneNumber, phone)
  })

  it('find keys and configuration by a verified domain, and by no other', async () => {
    const { tenant } = await createTenant(service())
    const name = `${unique()}.example`
    const { id } = await service().ok<{ id: string }>('createDomain', { body: { tenantId: tenant.id, name } })
    const jwks = `/frontend/api/v0/.well-known/jwks/${name}`
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE domains SET verified_at = created_at WHERE id = ${id}`),
    )
    const own = await send('GET', `/frontend/api/v0/.well-known/jwks.json?publicKey=${tenant.publicKey}`, {})
    const found = (await send('GET', jwks, {})).body as { keys: unknown; data: { keys: unknown; jwks: unknown } }
    assert.deepEqual(found.keys, (own.body as typeof found).keys)
    assert.deepEqual([found.data.keys, found.data.jwks], [found.keys, own.body])
    const { body } = await send('GET', `/frontend/api/v0/.well-known/openid-configuration/${name.toUpperCase()}`, {})
    assert.equal((body as { data: Json }).data['issuer'], (body as Json)['issuer'])
    const claimed = `${unique()}.example`
    await service().ok('createDomain', { body: { tenantId: tenant.id, name: claimed } })
    for (const other of [claimed, 'other.example'])
      assert.equal((await send('GET', `/frontend/api/v0/.well-known/jwks/${other}`, {})).status, 404)
  })

  it('read deleted: true in the record that a DELETE answers with, and true where the answer is one', async () => {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id)
    const deleted = await service().ok('deleteRole', { params: { id: role.id } })
    assert.deepEqual(deleted, { ...role, deleted: true })
    const user = await createUser(service(), tenant.id)
    assert.deepEqual(await service().ok('deleteUser', { params: { id: user.id } }), { id: user.id, deleted: true })
    assert.equal(await service().ok<unknown>('deleteTenant', { params: { id: tenant.id } }), true)
  })

  it('read the secret of a provider as secret, also at tenant-social-providers', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const authorization = { authorization: `Bearer ${secretKey}` }
    const { body: provider } = await send('POST', '/api/v0/auth/tenant-social-providers', authorization, {
      tenantId: tenant.id,
      providerKey: 'github',
      enabled: true,
      clientId: 'id',
      clientSecret: 'hidden',
    })
    const { id } = provider as { id: string }
    const list = await send('GET', `/api/v0/auth/tenant-social-providers?tenantId=${tenant.id}`, authorization)
    assert.deepEqual(
      (list.body as { id: string }[]).map((each) => each.id),
      [id],
    )
    const secret = await send('GET', `/api/v0/auth/tenant-social-providers/${id}/secret`, authorization)
    assert.deepEqual(secret.body, { clientSecret: 'hidden', secret: 'hidden' })
    const other = await createTenant(service())
    const foreign = { authorization: `Bearer ${other.secretKey}` }
    assert.equal((await send('GET', `/api/v0/auth/tenant-social-providers/${id}`, foreign)).status, 404)
    assert.equal((await send('GET', '/api/v0/auth/tenant-social-providers-x', authorization)).status, 404)
  })

  it('reach files, statistics and codes by the paths that they know', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const authorization = { authorization: `Bearer ${secretKey}` }
    const ofTenant = `?tenantId=${tenant.id}`
    const days = async (path: string) => (await send('GET', `/api/v0${path}${ofTenant}`, authorization)).body as Json[]
    assert.deepEqual(Object.keys((await days('/media/stats/uploads-by-day'))[0] ?? {}), ['date', 'count'])
    assert.deepEqual(Object.keys((await days('/media/stats/upload-size-by-day'))[0] ?? {}), ['date', 'size'])
    assert.deepEqual(Object.keys((await days('/notifications/stats/day'))[0] ?? {}), ['day', 'count'])
    const missing = await send('DELETE', '/api/v0/files/cnothing00000', authorization)
    assert.deepEqual([missing.status, (missing.body as ErrorBody).code], [404, 'not_found'])
    const { browser } = await signedInUser(service(), tenant)
    const { phone } = await browser.ok<{ phone: { id: string } }>('createOwnPhone', {
      body: { phone: '+4915112345679' },
    })
    const headers = { ...browser.headers, 'x-public-key': tenant.publicKey }
    const resent = await send('POST', `/frontend/api/v0/user/phones/${phone.id}/resend`, headers)
    assert.notEqual(resent.status, 404, resent.text)
    const messages = async (kind: string) => {
      const url = `/api/v0/tenants/${tenant.id}/notifications/${kind}`
      const { status, body } = await send('GET', url, authorization)
      assert.equal(status, 200, JSON.stringify(body))
      return (body as { readonly data: readonly Json[] }).data.length
    }
    assert.equal(await messages('sms?perPage=1'), 1)
    for (const kind of ['inapp', 'push', 'webhooks', 'emails?perPage=5']) assert.equal(await messages(kind), 0, kind)
  })

  it('get an error that names the alternative to subscriptions and invoices', async () => {
    const { tenant } = await createTenant(service())
    for (const path of ['subscription', 'subscriptions/x', 'invoices', 'invoices/1/pdf']) {
      const { status, body } = await send('GET', `/api/v0/tenants/${tenant.id}/${path}`, {})
      assert.equal(status, 501, path)
      assert.match((body as ErrorBody).message, /\/billing keep orgId, plan, paymentMethodId/)
    }
  })

  it('read and change what a template says, copy all templates, and send variables as a text of JSON', async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const { data } = await service().ok<{ data: { id: string; name: string }[] }>('listTemplates', {
      params: { tenantId: one.tenant.id },
    })
    const params = { id: data[0]?.id ?? '' }
    const body = 'Your code is {{ code }}.'
    await service().ok('updateTemplateContent', { params, body: { body } })
    assert.equal((await service().ok<{ body: string }>('getTemplateContent', { params })).body, body)
    await service().refused('updateTemplateContent', 'validation_failed', { params, body: { pages: [] } })

    const cloned = await service().ok<{ successes: string[]; failures: string[] }>('cloneAllTemplates', {
      body: { fromTenantId: one.tenant.id, toTenantId: other.tenant.id },
    })
    assert.deepEqual([cloned.successes.length, cloned.failures], [data.length, []])
    const copies = await Promise.all(
      cloned.successes.map((id) => service().ok<{ body: string }>('getTemplateContent', { params: { id } })),
    )
    assert.equal(copies.filter((copy) => copy.body === body).length, 1)
    await service().refused('cloneAllTemplates', 'not_found', {
      body: { fromTenantId: one.tenant.id, toTenantId: other.tenant.id },
      token: other.secretKey,
    })

    const test = (variables: unknown) => ({
      body: { templateId: params.id, channelId: 'none', variables, input: { to: 'a@example.com' } },
    })
    const broken = await service().refused('testMessage', 'validation_failed', test('[1]'))
    assert.deepEqual(
      broken.issues?.map(({ path }) => path),
      ['/variables'],
    )
    const named = await service().refused('testMessage', 'validation_failed', test('{"code":"1"}'))
    assert.deepEqual(
      named.issues?.map(({ path }) => path),
      ['/channelId'],
    )
  })

  it('keep the parts of a name, time zone and language of a user, and refuse others', async () => {
    const { tenant } = await createTenant(service())
    const details = { firstName: 'Ada', lastName: 'Lovelace', timezone: 'Europe/London', locale: 'en-gb' }
    const user = await service().ok<User>('createUser', { body: { tenantId: tenant.id, ...details } })
    assert.equal(user.name, 'Ada Lovelace')
    assert.ok(!('timezone' in user), 'the answer of the core operation stays as it is')
    const params = { id: user.id }
    const read = async () => (await service().ok<{ data: UserDetails }>('getUser', { params })).data
    const { firstName, lastName, timezone, locale } = await read()
    assert.deepEqual({ firstName, lastName, timezone, locale }, { ...details, locale: 'en-GB' })
    await service().ok('updateUser', { params, body: { timezone: null, lastName: 'King' } })
    const after = await read()
    assert.deepEqual([after.timezone, after.lastName, after.locale], [null, 'King', 'en-GB'])
    for (const [name, value] of [
      ['timezone', '+01:00'],
      ['locale', 'tlh'],
      ['firstName', 'x'.repeat(257)],
    ] as const) {
      const { issues } = await service().refused('updateUser', 'validation_failed', { params, body: { [name]: value } })
      assert.deepEqual(
        issues?.map(({ path }) => path),
        [`/${name}`],
      )
    }
    const { browser } = await signedInUser(service(), tenant)
    const { user: profile } = await browser.ok<{ user: Profile }>('updateProfile', {
      body: { timezone: 'Asia/Tokyo', locale: 'de' },
    })
    assert.deepEqual([profile.timezone, profile.locale, profile.firstName], ['Asia/Tokyo', 'de', null])
  })

  it('describe an organization', async () => {
    const { tenant } = await createTenant(service())
    const organization = await createOrganization(service(), tenant.id, { description: 'Finds out' })
    assert.equal(organization.description, 'Finds out')
    const { browser } = await signedInUser(service(), tenant)
    const { organization: own } = await browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
      body: { name: 'Lab' },
    })
    const changed = await browser.ok<{ organization: Json }>('updateOwnOrganization', {
      params: { id: own.id },
      body: { description: 'Tests' },
    })
    assert.equal(changed.organization['description'], 'Tests')
  })

  it('manage roles, members and invitations of an organization', async () => {
    const tenant = await tenantWith(service())
    const admin = await signedInUser(service(), tenant)
    const guest = await signedInUser(service(), tenant)
    const { organization } = await admin.browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
      body: { name: 'Lab' },
    })
    const params = { id: organization.id }
    const headers = { ...admin.browser.headers, 'x-public-key': tenant.publicKey }
    const { body: listed } = await send('GET', `/frontend/api/v0/organizations/${organization.id}/roles`, headers)
    assert.deepEqual(
      (listed as { data: { roles: { name: string }[] } }).data.roles.map(({ name }) => name).toSorted(),
      ['admin', 'member'],
    )

    const { invitation } = await admin.browser.ok<{ invitation: SentInvitation }>('sendInvitation', {
      params,
      body: { email: guest.email },
    })
    const named = { params: { ...params, invitationId: invitation.id } }
    assert.deepEqual(
      (await admin.browser.ok<{ invitation: SentInvitation }>('getSentInvitation', named)).invitation,
      invitation,
    )
    const stranger = await signedInUser(service(), tenant)
    await stranger.browser.refused('getSentInvitation', 'not_found', named)
    await stranger.browser.refused('acceptReceivedInvitation', 'invitation_invalid', { ...named, body: {} })
    await stranger.browser.refused('declineReceivedInvitation', 'invitation_invalid', { ...named, body: {} })
    const claimed = await signedInUser(service(), await tenantWith(service()))
    await claimed.browser.refused('acceptReceivedInvitation', 'invitation_invalid', { ...named, body: {} })
    await guest.browser.ok('acceptReceivedInvitation', { ...named, body: {} })
    await guest.browser.refused('acceptReceivedInvitation', 'invitation_invalid', { ...named, body: {} })

    const { members } = await admin.browser.ok<{ members: { id: string; userId: string }[] }>('listFellowMembers', {
      params,
    })
    const member = members.find(({ userId }) => userId === guest.user.id)
    const ofMember = { params: { ...params, memberId: member?.id ?? '' } }
    assert.deepEqual((await guest.browser.ok<{ member: unknown }>('getFellowMember', ofMember)).member, member)
    await stranger.browser.refused('getFellowMember', 'not_found', ofMember)
    await admin.browser.ok('updateFellowMember', { ...ofMember, body: { publicMeta: {} } })
    const meta = { ...ofMember, body: { publicMeta: { desk: 4 } } }
    await admin.browser.refused('updateFellowMember', 'validation_failed', {
      ...ofMember,
      body: { privateMeta: { salary: 1 } },
    })
    await admin.browser.refused('updateFellowMember', 'forbidden', meta)
    const { role } = (
      await admin.browser.ok<{ organization: { role: { id: string; permissions: string[] } } }>('getOwnOrganization', {
        params,
      })
    ).organization
    await service().ok('updateRole', {
      params: { id: role.id },
      body: { permissions: [...role.permissions, 'org:members:meta'] },
    })
    const updated = await admin.browser.ok<{ member: Json }>('updateFellowMember', meta)
    assert.deepEqual(updated.member['publicMeta'], { desk: 4 })
    assert.ok(!('privateMeta' in updated.member))
    const stored = await service().ok<Json>('getOrganizationMember', { params: { id: member?.id ?? '' } })
    assert.deepEqual(stored['privateMeta'], {})

    const second = await admin.browser.ok<{ invitation: SentInvitation }>('sendInvitation', {
      params,
      body: { email: stranger.email },
    })
    const ofSecond = { params: { ...params, invitationId: second.invitation.id } }
    await admin.browser.ok('updateSentInvitation', { ...ofSecond, body: { roleId: role.id } })
    await stranger.browser.ok('declineReceivedInvitation', { ...ofSecond, body: {} })
    await admin.browser.refused('updateSentInvitation', 'invitation_invalid', { ...ofSecond, body: { roleId: null } })
  })
})
