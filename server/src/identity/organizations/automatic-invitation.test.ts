import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Event, OwnEmail, SentInvitation, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, sendMessages, tokenOf } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { startNameServer } from '../../../test/harness/outside/name-server.ts'
import {
  type TestOrganization,
  anotherOrganization,
  claim,
  domainSettings,
  provenDomain,
  someOrganization,
} from '../../../test/harness/people/organization-domains.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { type SignedInUser, browserOf, signedInUser } from '../../../test/harness/people/signed-in-user.ts'
import { createSocialWorld, person, signInAs } from '../../../test/harness/people/social-sign-in.ts'
import { type Answer, type TestService, testEnv } from '../../../test/harness/service.ts'
import type { OpenDatabase } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { invite } from './invitations.ts'
import { selectOrganization } from './queries.ts'

const names = await startNameServer()
after(() => names.close())

const password = 'correct horse battery staple'
const dayMs = 24 * 60 * 60_000

describeOnEachEngine('verified domains of organizations', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  let database: OpenDatabase
  const idp = new FakeIdentityProvider()
  before(async () => {
    const env = { ...testEnv, BAILIWICK_DNS_SERVERS: names.address }
    ;({ database } = await open())
    ;({ service, advance } = await startServiceWithClock(database, env))
    await idp.start()
  })
  after(async () => {
    await service.app.close()
    await idp.stop()
  })

  async function withDomain(auth: object = {}) {
    const owner = await someOrganization(service, auth)
    const domain = await provenDomain(names, owner)
    return { ...owner, domain, address: () => `${unique()}@${domain.name}` }
  }
  const invitationsOf = async ({ admin, organization }: Pick<TestOrganization, 'admin' | 'organization'>) => {
    const params = { id: organization.id }
    return (await admin.browser.ok<{ invitations: SentInvitation[] }>('listSentInvitations', { params })).invitations
  }
  const invited = async (owner: Pick<TestOrganization, 'admin' | 'organization'>) =>
    (await invitationsOf(owner)).map(({ email }) => email)
  /** The token in the newest invitation to an address. */
  async function tokenTo(email: string) {
    await sendMessages(service.deps)
    const message = (await messagesTo(service.deps, email)).find(({ purpose }) => purpose === 'organization_invitation')
    return message?.content === undefined ? '' : tokenOf(message.content)
  }
  const membersTotal = async (organizationId: string) => {
    const params = { organizationId }
    return (await service.ok<{ meta: { total: number } }>('listOrganizationMembers', { params })).meta.total
  }
  /** On SQLite a writer waits for the only writer anyway. */
  async function untilSomebodyWaits() {
    const waiting = sql`SELECT 1 AS one FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`
    while (database.engine === 'postgresql' && (await database.first(waiting)) === undefined) await nextTurn()
  }
  const set = (tenant: { id: string }, auth: object) =>
    service.ok('putAuthTenant', { params: { id: tenant.id }, body: auth })
  const guestOf = ({ tenant }: TestOrganization, email: string) => signedInUser(service, tenant, { email })
  const verify = (id: string | null | undefined) => service.ok('verifyEmailAddress', { body: { id } })
  async function addVerified({ browser }: SignedInUser, email: string) {
    const added = await browser.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email } })
    const params = { id: added.email.id }
    await browser.ok('prepareOwnEmail', { params })
    const { code } = await latestMessageTo(service.deps, email)
    return (await browser.ok<{ email: OwnEmail }>('verifyOwnEmail', { params, body: { code } })).email
  }
  async function signUp(publicKey: string, email: string) {
    const browser = new Browser(service, publicKey)
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password, name: 'Ada' } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service.deps, email)
    await browser.ok('attemptVerification', { params, body: { strategy: 'email_code', code } })
    return browser
  }
  async function signInByCode(publicKey: string, email: string) {
    const browser = new Browser(service, publicKey)
    const body = { identifier: email, strategy: 'email_code' }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    const { code } = await latestMessageTo(service.deps, email)
    const params = { id: signInAttempt.id }
    await browser.ok('attemptFirstFactor', { params, body: { strategy: 'email_code', code } })
  }

  it('invite users who sign up with an address there; they become members only by accepting', async () => {
    const owner = await withDomain()
    const email = owner.address()
    const browser = await signUp(owner.tenant.publicKey, email)
    assert.equal(await membersTotal(owner.organization.id), 1)
    const [invitation, ...more] = await invitationsOf(owner)
    assert.deepEqual([invitation?.email, invitation?.roleId, more.length], [email, null, 0])
    const { data } = await service.ok<{ data: Event[] }>('listEvents', {
      params: { tenantId: owner.tenant.id },
      query: { subject: invitation?.id ?? '' },
    })
    assert.deepEqual(
      data.map(({ type, data: said }) => [type, (said as { domainId?: string }).domainId]),
      [['organization_invitation.created', owner.domain.id]],
    )
    const params = { token: await tokenTo(email) }
    await browser.ok('acceptInvitation', { params })
    assert.equal(await membersTotal(owner.organization.id), 2)
    await browser.refused('acceptInvitation', 'invitation_invalid', { params })
  })

  it('invite on every way in which an address becomes verified', async () => {
    const owner = await withDomain({ emailVerificationRequired: false })
    const { tenant } = owner
    const late = await signedInUser(service, tenant)
    const added = owner.address()
    await addVerified(late, added)
    const byCode = owner.address()
    await createUser(service, tenant.id, { email: byCode })
    await signInByCode(tenant.publicKey, byCode)
    const managed = owner.address()
    await verify((await createUser(service, tenant.id, { email: managed })).primaryEmailId)
    const created = owner.address()
    await createUser(service, tenant.id, { email: created, emailVerified: true })
    assert.deepEqual(await invited(owner), [created, managed, byCode, added])
  })

  it('invite users whose address a social provider has verified, and no others', async () => {
    const world = await createSocialWorld(service, idp, {
      auth: { ...domainSettings, emailVerificationRequired: false },
    })
    const owner = await anotherOrganization(service, world.tenant)
    const { name } = await provenDomain(names, owner)
    const [known, unknown] = [person({ email: `${unique()}@${name}` }), person({ email: `${unique()}@${name}` })]
    await signInAs(world.browser, idp, { ...unknown, email_verified: false })
    assert.deepEqual(await invited(owner), [])
    await signInAs(new Browser(service, world.tenant.publicKey), idp, known)
    assert.deepEqual(await invited(owner), [known['email']])
  })

  it('do not invite by an address that is unverified, or on a domain below, above or beside the verified one', async () => {
    const owner = await withDomain({ emailVerificationRequired: false })
    const { tenant, domain } = owner
    await createUser(service, tenant.id, { email: owner.address() })
    const browser = new Browser(service, tenant.publicKey)
    await browser.ok('createSignUp', { body: { email: owner.address(), password, name: 'Ada' } })
    const others = [`mail.${domain.name}`, `x${domain.name}`, domain.name.slice(1), `${domain.name}.example`, 'example']
    for (const other of others.filter((name) => name.includes('.'))) {
      await verify((await createUser(service, tenant.id, { email: `${unique()}@${other}` })).primaryEmailId)
    }
    assert.deepEqual(await invited(owner), [])
  })

  it('invite to the organization of the same tenant, even if one of another tenant has proved the same domain', async () => {
    const owner = await withDomain()
    const elsewhere = await someOrganization(service)
    const [here, there] = [owner.address(), owner.address()]
    await guestOf(elsewhere, owner.address())
    await provenDomain(names, elsewhere, owner.domain.name)
    await guestOf(owner, here)
    await guestOf(elsewhere, there)
    assert.deepEqual([await invited(owner), await invited(elsewhere)], [[here], [there]])
  })

  it('do not invite users while they are not verified', async () => {
    const owner = await someOrganization(service)
    const { name } = await claim(owner.admin.browser, owner.organization.id)
    const { browser } = await signedInUser(service, owner.tenant, { email: `${unique()}@${name}` })
    assert.deepEqual(await invited(owner), [])
    assert.deepEqual((await browser.ok<{ suggestions: unknown[] }>('listOrganizationSuggestions')).suggestions, [])
  })

  it('do nothing once they are removed: no further invitations are sent, and those already sent are invalid', async () => {
    const owner = await withDomain()
    const email = owner.address()
    const guest = await guestOf(owner, email)
    const token = await tokenTo(email)
    await owner.admin.browser.ok('deleteOrganizationDomain', {
      params: { id: owner.organization.id, domainId: owner.domain.id },
    })
    const late = await guestOf(owner, owner.address())
    assert.deepEqual(await invited(owner), [email])
    assert.deepEqual((await late.browser.ok<{ suggestions: unknown[] }>('listOrganizationSuggestions')).suggestions, [])
    await guest.browser.refused('acceptInvitation', 'invitation_invalid', { params: { token } })
    // A person has sent it now, like any other invitation.
    const [invitation] = await invitationsOf(owner)
    const params = { id: owner.organization.id, invitationId: invitation?.id ?? '' }
    await owner.admin.browser.ok('resendInvitation', { params })
    await guest.browser.ok('acceptInvitation', { params: { token: await tokenTo(email) } })
  })

  it('invite a user once: no member, and no user who has an open invitation or declined one for any address', async () => {
    const owner = await withDomain()
    const { browser } = owner.admin
    await addVerified(owner.admin, owner.address())
    assert.deepEqual(await invited(owner), [], 'a member')
    const asked = owner.address()
    const options = { params: { id: owner.organization.id }, body: { email: asked } }
    await browser.ok('sendInvitation', options)
    const guest = await guestOf(owner, asked)
    assert.deepEqual(await invited(owner), [asked], 'asked already')
    await guest.browser.ok('declineInvitation', { params: { token: await tokenTo(asked) } })
    await addVerified(guest, owner.address())
    assert.deepEqual(await invited(owner), [asked], 'said no')
  })

  it('invite again a user whose first invitation has expired', async () => {
    const owner = await withDomain()
    const email = owner.address()
    const user = await createUser(service, owner.tenant.id, { email })
    await owner.admin.browser.ok('sendInvitation', { params: { id: owner.organization.id }, body: { email } })
    const first = await tokenTo(email)
    advance(8 * dayMs)
    await verify(user.primaryEmailId)
    const { browser } = await browserOf(service, owner.tenant, user.id)
    await browser.refused('acceptInvitation', 'invitation_invalid', { params: { token: first } })
    await browser.ok('acceptInvitation', { params: { token: await tokenTo(email) } })
    const params = { organizationId: owner.organization.id }
    const { meta } = await service.ok<{ meta: { total: number } }>('listOrganizationInvitations', { params })
    assert.equal(meta.total, 1)
  })

  it('invite once if many requests verify an address at once', async () => {
    const owner = await withDomain()
    const users = await Promise.all(
      Array.from({ length: 10 }, () => createUser(service, owner.tenant.id, { email: owner.address() })),
    )
    await atOnce(40, (n) => service.call('verifyEmailAddress', { body: { id: users[n % 10]?.primaryEmailId } }))
    assert.equal(new Set(await invited(owner)).size, 10)
    assert.equal((await invitationsOf(owner)).length, 10)
  })

  it('verify an address that is being invited at that moment, and leave one invitation', async () => {
    const owner = await withDomain()
    const email = owner.address()
    const { primaryEmailId } = await createUser(service, owner.tenant.id, { email })
    const { auth } = await getTenant(service.deps, owner.tenant.id as TenantId)
    const organization = await selectOrganization(database, owner.tenant.id as TenantId, owner.organization.id)
    assert.ok(organization !== undefined)
    const invitation = { auth, organization, email, user: undefined, roleId: null, domainId: null, isSent: false }
    let verifying: Promise<Answer> | undefined
    await database.transaction(async (tx) => {
      await invite(service.deps, tx, invitation, { type: 'operator', id: null, ip: null, ua: null })
      verifying ??= service.call('verifyEmailAddress', { body: { id: primaryEmailId } })
      await untilSomebodyWaits()
    })
    assert.equal((await verifying)?.status, 200)
    assert.deepEqual(await invited(owner), [email])
  })

  it('do not invite to a full organization, and let no more members join than it can have', async () => {
    const owner = await withDomain({ organizationMembershipLimit: 2 })
    const emails = [owner.address(), owner.address(), owner.address()]
    const [first, second, third] = emails as [string, string, string]
    const guests = [await guestOf(owner, first), await guestOf(owner, second)]
    const tokens = [await tokenTo(first), await tokenTo(second)]
    const answers = await atOnce(2, (n) => {
      const { browser } = guests[n] ?? owner.admin
      return browser.call('acceptInvitation', { params: { token: tokens[n] ?? '' } })
    })
    assert.deepEqual(answers.map(({ body }) => body.code ?? 'joined').toSorted(), [
      'joined',
      'membership_limit_reached',
    ])
    assert.equal(await membersTotal(owner.organization.id), 2)
    await guestOf(owner, third)
    assert.deepEqual(await invited(owner), [second, first])
  })

  it('do nothing if the tenant has organizations switched off', async () => {
    const owner = await withDomain()
    await set(owner.tenant, { organizationsEnabled: false })
    const guest = await guestOf(owner, owner.address())
    await guest.browser.refused('listOrganizationSuggestions', 'forbidden')
    await set(owner.tenant, { organizationsEnabled: true })
    assert.deepEqual(await invited(owner), [])
  })
})
