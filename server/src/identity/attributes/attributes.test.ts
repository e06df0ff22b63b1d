// The attributes that a tenant gives its users, on every way in which a value can be written.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { AttributesPreview, Profile, SignUpAnswer, Tenant, TenantAttributes, User } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createUser, createOrganization, createSocialProvider, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { password } from '../../../test/harness/people/people.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { person, signInAs } from '../../../test/harness/people/social-sign-in.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const own = { writableBy: 'user', shownAt: 'both' } as const
const company = {
  ...own,
  key: 'company',
  type: 'text',
  label: { en: 'Company', de: 'Firma' },
  required: true,
  maxLength: 20,
}
const seats = { ...own, key: 'seats', type: 'number', label: { en: 'Seats' }, minimum: 1, maximum: 9 }
const size = { ...own, key: 'size', type: 'choice', label: { en: 'Size' }, choices: [{ value: 's' }, { value: 'l' }] }
const founded = { ...own, key: 'founded', type: 'date', label: { en: 'Founded' } }
const terms = { ...own, key: 'terms', type: 'boolean', label: { en: 'I accept' } }
const plan = { ...own, key: 'plan', type: 'text', label: { en: 'Plan' }, writableBy: 'server', shownAt: 'nowhere' }
const all = [company, seats, size, founded, terms, plan]

const put = (service: TestService, id: string, attributes: readonly object[]) =>
  service.ok<TenantAttributes>('putAttributes', { params: { id }, body: { attributes } })

async function tenantAsking(service: TestService, attributes: readonly object[] = all): Promise<Tenant> {
  const tenant = await tenantWith(service, { emailVerificationRequired: false })
  await put(service, tenant.id, attributes)
  return tenant
}

const readUser = async (service: TestService, id: string) =>
  (await service.ok<{ data: User }>('getUser', { params: { id } })).data

const firstIssue = (body: unknown) => {
  const [issue] = (body as { issues?: readonly { path: string; code: string }[] }).issues ?? []
  return [issue?.path, issue?.code]
}

const newEmail = () => `${unique()}@example.com`

/** Values of the wrong type, by attribute, and the code of the issue. */
const wrong: readonly (readonly [key: string, value: unknown, code: string])[] = [
  ['company', 7, 'invalid_type'],
  ['company', 'x'.repeat(21), 'too_long'],
  ['company', 'a\u202Eb', 'invalid_format'],
  ['seats', '7', 'invalid_type'],
  ['seats', 0, 'too_small'],
  ['seats', 10, 'too_large'],
  ['size', 'm', 'invalid_value'],
  ['founded', '2026-02-30', 'invalid_format'],
  ['terms', 'true', 'invalid_type'],
]

describeService('PUT /auth/tenants/{id}/attributes', (service) => {
  it('stores a version of each change, and goes back to one', async () => {
    const tenant = await tenantWith(service())
    const params = { id: tenant.id }
    assert.deepEqual(await put(service(), tenant.id, [company]), { attributes: [company], version: 1 })
    await put(service(), tenant.id, [{ ...company, required: false }, seats])
    const difference = await service().ok<{ setting: string }[]>('diffAttributesVersions', {
      params: { ...params, from: '1', to: '2' },
    })
    assert.deepEqual(
      difference.map(({ setting }) => setting),
      ['attributes.company', 'order', 'attributes.seats'],
    )
    const restored = await service().ok<TenantAttributes>('restoreAttributesVersion', {
      params: { ...params, version: '1' },
    })
    assert.deepEqual(restored, { attributes: [company], version: 3 })
    assert.equal((await storedEvents(service(), tenant.id, 'tenant.attributes_updated')).length, 3)
    const query = { ifVersion: '1' }
    await service().refused('putAttributes', 'changed_meanwhile', { params, query, body: { attributes: [] } })
  })

  it('names every rule that a definition breaks', async () => {
    const { id } = await tenantWith(service())
    const cases: readonly (readonly [object, string])[] = [
      [{ ...seats, maxLength: 5 }, 'maxLength'],
      [{ ...size, choices: undefined }, 'choices'],
      [{ ...size, choices: [{ value: 's' }, { value: 's' }] }, 'choices/1/value'],
      [{ ...seats, minimum: 10 }, 'minimum'],
      [{ ...company, minLength: 30 }, 'minLength'],
      [{ ...plan, required: true }, 'required'],
      [{ ...company, shownAt: 'profile' }, 'required'],
      [{ ...company, key: 'constructor' }, 'key'],
      [{ ...company, label: {} }, 'label'],
    ]
    for (const [attribute, field] of cases) {
      const refused = await service().refused('putAttributes', 'validation_failed', {
        params: { id },
        body: { attributes: [attribute] },
      })
      assert.deepEqual(
        refused.issues?.map(({ path }) => path),
        [`/attributes/0/${field}`],
      )
    }
  })

  it('counts the users who lack a value or have one of another type, and never changes a value', async () => {
    const tenant = await tenantWith(service())
    for (const publicMeta of [{ company: 'Acme' }, { company: 7 }, {}, ['a list']])
      await createUser(service(), tenant.id, { publicMeta })
    const preview = await service().ok<AttributesPreview>('previewAttributes', {
      params: { id: tenant.id },
      body: { attributes: [company] },
    })
    const counted = [{ key: 'company', lacking: 2, breaking: 1 }]
    assert.deepEqual(preview, { users: 4, isWhole: true, attributes: counted })
    const { id } = await createUser(service(), tenant.id, { publicMeta: { company: 7, other: 1 } })
    await put(service(), tenant.id, [company])
    // What was there before stays, until somebody changes it.
    const body = { publicMeta: { company: 7, other: 2 } }
    await service().ok('updateUser', { params: { id }, body })
    assert.deepEqual((await readUser(service(), id)).publicMeta, { company: 7, other: 2 })
    await put(service(), tenant.id, [])
    assert.deepEqual((await readUser(service(), id)).publicMeta, { company: 7, other: 2 })
  })
})

describeService('a value of an attribute', (service) => {
  // Guards: attribute-types
  it('is refused with its field on every way if it is not of its type', async () => {
    const tenant = await tenantAsking(service(), [{ ...company, required: false }, ...all.slice(1)])
    const { user, browser } = await signedInUser(service(), tenant)
    const { id: tenantId } = tenant
    for (const [key, value, code] of wrong) {
      const publicMeta = { [key]: value }
      const attributes = publicMeta
      const line = { email: newEmail(), publicMeta }
      const [imported] = await service().ok<{ issues?: { path: string; code: string }[] }[]>('importUsers', {
        query: { tenantId },
        body: [line],
      })
      const created = await service().refused('createUser', 'validation_failed', { body: { tenantId, publicMeta } })
      const updated = await service().refused('updateUser', 'validation_failed', {
        params: { id: user.id },
        body: { publicMeta },
      })
      const signedUp = await new Browser(service(), tenant.publicKey).refused('createSignUp', 'validation_failed', {
        body: { email: newEmail(), password, attributes },
      })
      const profile = await browser.refused('updateProfile', 'validation_failed', { body: { attributes } })
      for (const issues of [imported?.issues, created.issues, updated.issues])
        assert.deepEqual([issues?.[0]?.path, issues?.[0]?.code], [`/publicMeta/${key}`, code])
      for (const { body } of [signedUp, profile]) assert.deepEqual(firstIssue(body), [`/attributes/${key}`, code])
    }
    assert.deepEqual((await readUser(service(), user.id)).publicMeta, {})
  })

  // Guards: attributes-of-servers
  it('is written by the user only if the attribute says so', async () => {
    const tenant = await tenantAsking(service(), [seats, plan])
    const { user, browser } = await signedInUser(service(), tenant, { publicMeta: { plan: 'free', other: [1] } })
    for (const attributes of [{ plan: 'pro' }, { other: 2 }, { plan: null }, { unknown: true }]) {
      await browser.refused('updateProfile', 'validation_failed', { body: { attributes } })
      const body = { email: newEmail(), password, attributes }
      await new Browser(service(), tenant.publicKey).refused('createSignUp', 'validation_failed', { body })
    }
    const { user: changed } = await browser.ok<{ user: Profile }>('updateProfile', {
      body: { attributes: { seats: 3 } },
    })
    assert.deepEqual(changed.publicMeta, { plan: 'free', other: [1], seats: 3 })
    await browser.ok('updateProfile', { body: { attributes: { seats: null } } })
    assert.deepEqual((await readUser(service(), user.id)).publicMeta, { plan: 'free', other: [1] })
    await service().ok('updateUser', { params: { id: user.id }, body: { publicMeta: { plan: 'pro' } } })
  })

  it('cannot be removed by the user if it is required', async () => {
    const tenant = await tenantAsking(service(), [company, { ...terms, required: true }])
    const { browser } = await signedInUser(service(), tenant, { publicMeta: { company: 'Acme', terms: true } })
    for (const attributes of [{ company: null }, { company: '' }, { terms: false }]) {
      const refused = await browser.refused('updateProfile', 'validation_failed', { body: { attributes } })
      assert.equal(firstIssue(refused.body)[1], 'required')
    }
  })
})

describeService('a required attribute', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  it('is a missing field of a sign-up until it has a value', async () => {
    const tenant = await tenantAsking(service(), [company, { ...terms, required: true }])
    const browser = new Browser(service(), tenant.publicKey)
    const body = { email: newEmail(), password }
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body })
    assert.deepEqual(signUpAttempt.missingFields, ['attributes/company', 'attributes/terms'])
    const params = { id: signUpAttempt.id }
    const attributes = { company: 'Acme', terms: true }
    const done = await browser.ok<SignUpAnswer>('updateSignUp', { params, body: { attributes } })
    assert.equal(done.signUpAttempt.status, 'complete')
    assert.deepEqual((await readUser(service(), done.signUpAttempt.userId ?? '')).publicMeta, attributes)
  })

  // Guards: required-attributes
  it('is asked of those who come by an invitation or a social provider, before a session begins', async () => {
    const tenant = await tenantAsking(service(), [company])
    const email = newEmail()
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    await service().ok('createOrganizationInvitation', { body: { organizationId, email } })
    const invitationToken = await invitationTokenTo(service().deps, email)
    const invited = new Browser(service(), tenant.publicKey)
    const answer = await invited.ok<SignUpAnswer>('createSignUp', { body: { invitationToken, password } })
    assert.deepEqual(answer.signUpAttempt.missingFields, ['attributes/company'])
    await invited.refused('getProfile', 'unauthenticated', {})
    await createSocialProvider(service(), tenant.id, {
      providerKey: 'google',
      useCustomCredentials: true,
      clientId: idp.clientId,
      clientSecret: 'a secret of this test',
      config: { issuer: idp.issuer, trustEmails: true },
    })
    const social = new Browser(service(), tenant.publicKey)
    const end = await signInAs(social, idp, person())
    assert.deepEqual(end.searchParams.get('purpose'), 'sign_up')
    await social.refused('getProfile', 'unauthenticated', {})
  })

  it('is asked for on hosted pages without JavaScript, in the language of the reader', async () => {
    const tenant = await tenantAsking(service(), [company, seats, size, founded, { ...terms, required: true }])
    const at = `/t/${tenant.slug}`
    const browser = new PageBrowser(service())
    const start = await browser.open(`${at}/sign-up?lang=de`)
    assert.match(start.text, /Firma/)
    const email = newEmail()
    const typed = { email, password, 'attributes/company': '', 'attributes/seats': '70' }
    const refused = await browser.send(start, typed)
    assert.deepEqual(Object.keys(refused.errors).toSorted(), ['attributes/company', 'attributes/terms'])
    assert.match(refused.text, /value="70"/)
    const again = { 'attributes/company': 'Ackermann & <Söhne>', 'attributes/terms': 'true', password }
    const outside = await browser.send(refused, again)
    assert.deepEqual(Object.keys(outside.errors), ['attributes/seats'])
    const end = await browser.send(outside, { ...again, 'attributes/seats': '7', 'attributes/founded': '1999-12-31' })
    assert.equal(new URL(end.url).pathname, `${at}/account`)
    // The browser of these tests does not tick boxes by itself.
    const ticked = { 'attributes/terms': 'true' }
    const profile = await browser.open(`${at}/account/profile`)
    assert.match(profile.text, /value="Ackermann &amp; &lt;Söhne&gt;"/)
    const wrongDate = await browser.send(profile, { 'attributes/founded': '1999-13-31', ...ticked })
    assert.deepEqual(Object.keys(wrongDate.errors), ['attributes/founded'])
    const saved = await browser.send(wrongDate, { 'attributes/founded': '', 'attributes/size': 'l', ...ticked })
    assert.match(saved.text, /value="l" selected/)
    const { data } = await service().ok<{ data: { publicMeta: object }[] }>('listUsers', {
      query: { tenantId: tenant.id },
    })
    const values = { company: 'Ackermann & <Söhne>', seats: 7, size: 'l', terms: true }
    assert.deepEqual(data[0]?.publicMeta, values)
  })
})
