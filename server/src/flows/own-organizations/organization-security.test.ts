// What an organization requires of the sessions that act for it, beside what its tenant requires.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type {
  OrganizationSecurity,
  OrganizationSecurityPreview,
  OwnOrganization,
  SignInAnswer,
  SignInExplanation,
} from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import type { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createRole, createTenant } from '../../../test/harness/factories.ts'
import { type Person, signedInPerson } from '../../../test/harness/people/people.ts'
import { openSession, startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { browserOf } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'

const minute = 60_000

describeOnEachEngine('the security of an organization', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  async function world() {
    const { tenant } = await createTenant(service)
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { organizationsEnabled: true } })
    const person = await signedInPerson(service, tenant)
    const body = { name: 'Research' }
    const { organization } = await person.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body,
    })
    return { tenant, person, id: organization.id, params: { id: organization.id } }
  }

  const require = (id: string, body: object) =>
    service.ok<OrganizationSecurity>('updateOrganizationSecurity', { params: { id }, body })

  async function prove(person: Person, secret: string) {
    // Each code is accepted once.
    advance(30_000)
    const { browser } = person
    const { signInAttempt } = await browser.ok<SignInAnswer>('createVerification', { body: { level: 'second_factor' } })
    const code = person.codeOf(secret)
    const body = { strategy: 'authenticator_code', code }
    await browser.ok('attemptSecondFactor', { params: { id: signInAttempt.id }, body })
  }

  async function organizationIn(browser: Browser) {
    const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
    return (decodeJwt(jwt)['claims'] as { orgId: string | null }).orgId
  }

  // Guards: second-factors
  it('lets no session without a second factor act for it: not switch to it, get a token for it or manage it', async () => {
    const { person, id, params } = await world()
    const { browser } = person
    const { secret } = await person.addApp()
    await browser.ok('setActiveOrganization', { body: { organizationId: id } })
    assert.equal(await organizationIn(browser), id)
    const stored = await require(id, { secondFactorRequired: true })
    assert.deepEqual(
      [
        stored.secondFactorRequired,
        stored.allowedStrategies,
        stored.sessionMaximumLifetime,
        stored.membersWithoutFactor,
      ],
      [true, [], null, 0],
    )
    assert.equal(await organizationIn(browser), null, 'the session itself continues')
    const refused = 'second_factor_required'
    await browser.refused('createOwnToken', refused, { body: { orgId: id } })
    await browser.refused('listFellowMembers', refused, { params })
    await browser.refused('updateOwnOrganization', refused, { params, body: { name: 'Other' } })
    await browser.refused('sendInvitation', refused, { params, body: { email: 'eve@example.com' } })
    await browser.ok('setActiveOrganization', { body: { organizationId: null } })
    await browser.refused('setActiveOrganization', refused, { body: { organizationId: id } })
    await browser.ok('getOwnOrganization', { params })
    await prove(person, secret)
    await browser.ok('setActiveOrganization', { body: { organizationId: id } })
    assert.equal(await organizationIn(browser), id)
    await browser.ok('listFellowMembers', { params })
  })

  // Guards: second-factors
  it('does not let somebody who knows only the password set up the factor that it asks for', async () => {
    const { person, id } = await world()
    await require(id, { secondFactorRequired: true })
    const thief = person.elsewhere()
    await person.begin(thief)
    const refused = 'second_factor_required'
    await thief.refused('createAuthenticatorCode', refused)
    await thief.refused('createPasskeyOptions', refused)
    const { signInAttempt } = await thief.ok<SignInAnswer>('createVerification', { body: { level: 'second_factor' } })
    assert.deepEqual(signInAttempt.supportedSecondFactors, ['email_code'])
  })

  it('asks for one by the role of a member as well, and is named by the explanation of a sign-in', async () => {
    const { tenant, person, id, params } = await world()
    const { members } = await person.browser.ok<{ members: { id: string }[] }>('listFellowMembers', { params })
    const role = await createRole(service, tenant.id, { requiresSecondFactor: true, permissions: ['org:manage'] })
    const member = { params: { id: members[0]?.id ?? '' }, body: { roleId: role.id } }
    await service.ok('updateOrganizationMember', member)
    const body = { organizationId: id }
    await person.browser.refused('setActiveOrganization', 'second_factor_required', { body })
    const explained = await service.ok<SignInExplanation>('explainSignIn', {
      params: { id: tenant.id },
      body: { identifier: person.email },
    })
    assert.deepEqual(explained.secondFactorRules, [{ by: 'organization', id, name: 'Research' }])
    assert.deepEqual(explained.secondFactors, [], 'the sign-in itself asks for none')
    assert.equal((await person.begin(person.elsewhere())).signInAttempt.status, 'complete')
  })

  it('is named by the explanation of a sign-in, with whether the user can sign in so', async () => {
    const { tenant, person, id } = await world()
    const explain = async () => {
      const request = { params: { id: tenant.id }, body: { identifier: person.email } }
      return (await service.ok<SignInExplanation>('explainSignIn', request)).organizationRules
    }
    assert.deepEqual(await explain(), [])
    await require(id, { allowedStrategies: ['email_password'], sessionMaximumLifetime: 600 })
    const rule = { organizationId: id, name: 'Research', allowedStrategies: ['email_password'] }
    assert.deepEqual(await explain(), [{ ...rule, usable: true, sessionMaximumLifetime: 600 }])
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { passwordsEnabled: false } })
    assert.deepEqual(await explain(), [{ ...rule, usable: false, sessionMaximumLifetime: 600 }])
  })

  it('limits how long after a sign-in a session acts for it, until its user proves again who it is', async () => {
    const { person, id, params } = await world()
    const { browser } = person
    await require(id, { sessionMaximumLifetime: 600 })
    await browser.ok('listFellowMembers', { params })
    advance(11 * minute)
    await browser.refused('listFellowMembers', 'reauthentication_required', { params })
    await person.begin()
    await browser.ok('listFellowMembers', { params })
  })

  it('allows only the ways of signing in that it names', async () => {
    const { tenant, person, id, params } = await world()
    await require(id, { allowedStrategies: ['email_code'] })
    await person.browser.refused('listFellowMembers', 'reauthentication_required', { params })
    const proof = { factors: ['email_code'], isTwoFactors: false } as const
    const { token } = await openSession(service, tenant.id, person.user.id, { proof })
    await person.elsewhere().ok('listFellowMembers', { params, headers: { authorization: `Bearer ${token}` } })
  })

  // Guards: second-factors
  it('holds for every way in: each strategy, with one factor or two, against each rule', async () => {
    const { tenant, person, id, params } = await world()
    const ways = ['username_password', 'email_password', 'email_link', 'email_code', 'phone_code', 'oauth'] as const
    const rules = [
      { allowedStrategies: [], secondFactorRequired: false },
      { allowedStrategies: ['email_code'], secondFactorRequired: false },
      { allowedStrategies: ['email_password', 'oauth'], secondFactorRequired: false },
      { allowedStrategies: ['email_code'], secondFactorRequired: true },
    ] as const
    const sessions = await Promise.all(
      [...ways, 'enterprise' as const, 'security_key' as const].flatMap((way) =>
        [false, true].map(async (isTwoFactors) => {
          const proof = { factors: [way], isTwoFactors }
          return { way, isTwoFactors, token: (await openSession(service, tenant.id, person.user.id, { proof })).token }
        }),
      ),
    )
    for (const rule of rules) {
      await require(id, rule)
      for (const { way, isTwoFactors, token } of sessions) {
        const call = { params, headers: { authorization: `Bearer ${token}` } }
        const isAllowed = rule.allowedStrategies.length === 0 || rule.allowedStrategies.some((each) => each === way)
        if (rule.secondFactorRequired && !isTwoFactors) {
          await person.elsewhere().refused('listFellowMembers', 'second_factor_required', call)
        } else if (isAllowed) {
          await person.elsewhere().ok('listFellowMembers', call)
        } else {
          await person.elsewhere().refused('listFellowMembers', 'reauthentication_required', call)
        }
      }
    }
  })

  it('counts whom rules would lock out before they are saved, and refuses to lock out everybody who manages it', async () => {
    const { tenant, person, id, params } = await world()
    const other = await signedInPerson(service, tenant)
    await person.browser.ok('addFellowMember', { params, body: { userId: other.user.id } })
    const body = { allowedStrategies: ['security_key'] }
    const preview = await service.ok<OrganizationSecurityPreview>('previewOrganizationSecurity', { params, body })
    assert.deepEqual(new Set(preview.lockedOutUserIds), new Set([person.user.id, other.user.id]))
    const { lockedOut, managers, managersLockedOut, members } = preview
    assert.deepEqual([members, lockedOut, managers, managersLockedOut], [2, 2, 1, 1])
    const { allowedStrategies } = await service.ok<OrganizationSecurity>('getOrganizationSecurity', { params })
    assert.deepEqual(allowedStrategies, [], 'a preview changes nothing')
    await service.refused('updateOrganizationSecurity', 'last_manager', { params, body })
    const codes = { allowedStrategies: ['email_code', 'security_key'] }
    const harmless = await service.ok<OrganizationSecurityPreview>('previewOrganizationSecurity', {
      params,
      body: codes,
    })
    assert.equal(harmless.lockedOut, 0)
    const sso = { params, body: { allowedStrategies: ['enterprise'] } }
    const { issues } = await service.refused('updateOrganizationSecurity', 'validation_failed', sso)
    assert.match(issues?.[0]?.message ?? '', /no live connection/)
    await require(id, codes)
  })

  it('refuses a rule that is weaker than the tenant’s, or that nobody could follow, and says why', async () => {
    const { tenant, id } = await world()
    await service.ok('putAuthTenant', {
      params: { id: tenant.id },
      body: { secondFactorRequired: true, sessionMaximumLifetimeEnabled: true, sessionMaximumLifetime: 3600 },
    })
    const body = { secondFactorRequired: false, sessionMaximumLifetime: 7200, allowedStrategies: ['phone_code'] }
    const { issues } = await service.refused('updateOrganizationSecurity', 'validation_failed', {
      params: { id },
      body,
    })
    assert.deepEqual(
      issues?.map(({ path, code }) => [path, code]),
      [
        ['/secondFactorRequired', 'weaker_than_tenant'],
        ['/allowedStrategies/0', 'weaker_than_tenant'],
        ['/sessionMaximumLifetime', 'weaker_than_tenant'],
      ],
    )
  })

  it('is changed by members with org:manage whose own session fulfils it, with an event', async () => {
    const { tenant, person, params } = await world()
    const { browser } = person
    const rule = { params, body: { secondFactorRequired: true } }
    await browser.refused('updateOwnOrganizationSecurity', 'second_factor_required', rule)
    const { secret } = await person.addApp()
    await prove(person, secret)
    const { security } = await browser.ok<{ security: OrganizationSecurity }>('updateOwnOrganizationSecurity', rule)
    assert.equal(security.secondFactorRequired, true)
    const read = await browser.ok<{ security: OrganizationSecurity }>('getOwnOrganizationSecurity', { params })
    assert.deepEqual(read.security, security)
    const [event] = await storedEvents(service, tenant.id, 'organization.security_updated')
    assert.deepEqual(event?.data, {
      before: { secondFactorRequired: false, allowedStrategies: [], sessionMaximumLifetime: null },
      after: { secondFactorRequired: true, allowedStrategies: [], sessionMaximumLifetime: null },
    })
  })

  it('lets members leave, and the tenant act in the place of one, without a second factor', async () => {
    const { tenant, person, id, params } = await world()
    const other = await signedInPerson(service, tenant)
    await person.browser.ok('addFellowMember', { params, body: { userId: other.user.id } })
    await require(id, { secondFactorRequired: true })
    const { sessionToken } = await service.ok<{ sessionToken: string }>('impersonateUser', {
      params: { id: other.user.id },
      body: { reason: 'support' },
    })
    const { browser } = await browserOf(service, tenant, other.user.id)
    await browser.refused('listFellowMembers', 'second_factor_required', { params })
    const place = { authorization: `Bearer ${sessionToken}` }
    await person.elsewhere().ok('listFellowMembers', { params, headers: place })
    await browser.ok('leaveOrganization', { params })
  })
})
