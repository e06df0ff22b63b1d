import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnOrganization, Profile, ReceivedInvitation, SentInvitation } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { FailingDatabase } from '../../../test/harness/databases/failing-database.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { type SignedInUser, browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'

const dayMs = 24 * 60 * 60_000

describeOnEachEngine('invitations to organizations', (open) => {
  let failing: FailingDatabase
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    failing = new FailingDatabase((await open()).database)
    ;({ service, advance } = await startServiceWithClock(failing.database))
  })
  after(() => service.app.close())

  async function someOrganization(auth: object = {}) {
    const tenant = await tenantWith(service, auth)
    const admin = await signedInUser(service, tenant)
    const { organization } = await admin.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: 'Research' },
    })
    return { tenant, admin, id: organization.id }
  }
  const tokenFor = (email: string) => invitationTokenTo(service.deps, email)
  async function invite({ browser }: SignedInUser, id: string, email: string, body: object = {}) {
    const options = { params: { id }, body: { email, ...body } }
    const { invitation } = await browser.ok<{ invitation: SentInvitation }>('sendInvitation', options)
    return { invitation, token: await tokenFor(email) }
  }
  const membersTotal = async (organizationId: string) => {
    const { meta } = await service.ok<{ meta: { total: number } }>('listOrganizationMembers', {
      params: { organizationId },
    })
    return meta.total
  }

  // Guards: invitations
  it('are accepted once, by the user with the invited address, who gets the role that they name', async () => {
    const { tenant, admin, id } = await someOrganization()
    const guest = await signedInUser(service, tenant)
    const other = await signedInUser(service, tenant)
    const { organization } = await admin.browser.ok<{ organization: OwnOrganization }>('getOwnOrganization', {
      params: { id },
    })
    const { token, invitation } = await invite(admin, id, guest.email, { roleId: organization.role?.id })
    assert.ok(!('user' in invitation), 'the user who has the address is not shown')
    const params = { token }
    await other.browser.refused('acceptInvitation', 'invitation_invalid', { params })
    const last = token.at(-1) === 'a' ? 'b' : 'a'
    for (const wrong of [`${token.slice(0, -1)}${last}`, token.slice(0, -1), `${token}a`, 'oi_', 'x']) {
      await guest.browser.refused('acceptInvitation', 'invitation_invalid', { params: { token: wrong } })
    }
    const another = await tenantWith(service)
    const namesake = await signedInUser(service, another, { email: guest.email })
    await namesake.browser.refused('acceptInvitation', 'invitation_invalid', { params })
    await new Browser(service, another.publicKey).refused('declineInvitation', 'invitation_invalid', { params })
    const answers = await atOnce(50, () => guest.browser.call('acceptInvitation', { params }))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { status, body } of answers) assert.ok(status === 200 || body.code === 'invitation_invalid', body.code)
    assert.equal(await membersTotal(id), 2)
    const { organizations } = await guest.browser.ok<{ organizations: OwnOrganization[] }>('listOwnOrganizations')
    assert.equal(organizations[0]?.role?.name, 'admin')
  })

  // Guards: invitations
  it('are listed while they are open, for the user who has verified the invited address', async () => {
    const { tenant, admin, id } = await someOrganization()
    const guest = await signedInUser(service, tenant)
    const received = async ({ browser }: SignedInUser) => {
      const { invitations } = await browser.ok<{ invitations: ReceivedInvitation[] }>('listReceivedInvitations')
      return invitations.map(({ id: invitationId, organization }) => [invitationId, organization.name])
    }
    const { invitation } = await invite(admin, id, guest.email)
    assert.deepEqual(await received(guest), [[invitation.id, 'Research']])
    assert.deepEqual(await received(admin), [])
    const namesake = await signedInUser(service, await tenantWith(service), { email: guest.email })
    assert.deepEqual(await received(namesake), [])
    // An address of the user that nobody has verified.
    const typed = `${unique()}@example.com`
    await service.ok('createEmailAddress', { body: { tenantId: tenant.id, userId: guest.user.id, email: typed } })
    await invite(admin, id, typed)
    assert.deepEqual(await received(guest), [[invitation.id, 'Research']])
    await guest.browser.ok('acceptReceivedInvitation', { params: { id, invitationId: invitation.id }, body: {} })
    assert.deepEqual(await received(guest), [])

    const another = await signedInUser(service, tenant)
    const second = await invite(admin, id, another.email)
    const params = { id, invitationId: second.invitation.id }
    await another.browser.ok('declineReceivedInvitation', { params, body: {} })
    assert.deepEqual(await received(another), [])
    const late = await signedInUser(service, tenant)
    await invite(admin, id, late.email)
    await service.ok('createOrganizationMember', { body: { organizationId: id, userId: late.user.id } })
    assert.deepEqual(await received(late), [], 'nothing to accept for a member')
  })

  it('give the default role member, out of the box, when the creator of an organization sends them', async () => {
    const { tenant, admin, id } = await someOrganization()
    const { roles } = await admin.browser.ok<{ roles: { id: string; name: string }[] }>('getOwnOrganization', {
      params: { id },
    })
    const member = roles.find(({ name }) => name === 'member')
    assert.ok(member !== undefined, 'the role is among those that the creator may give')
    const guest = await signedInUser(service, tenant)
    const { token } = await invite(admin, id, guest.email, { roleId: member.id })
    await guest.browser.ok('acceptInvitation', { params: { token } })
    const { organizations } = await guest.browser.ok<{ organizations: OwnOrganization[] }>('listOwnOrganizations')
    assert.equal(organizations[0]?.role?.name, 'member')
  })

  // Guards: limits-in-database
  it('keep the limit of members exact if fifty users accept at once', async () => {
    const { tenant, admin, id } = await someOrganization()
    const guests: Awaited<ReturnType<typeof signedInUser>>[] = []
    for (let n = 0; n < 50; n++) guests.push(await signedInUser(service, tenant))
    const tokens: string[] = []
    for (const { email } of guests) tokens.push((await invite(admin, id, email)).token)
    const auth = { params: { id: tenant.id }, body: { organizationMembershipLimit: 11 } }
    await service.ok('putAuthTenant', auth)
    const answers = await atOnce(50, (n) => {
      const browser = guests[n]?.browser ?? admin.browser
      return browser.call('acceptInvitation', { params: { token: tokens[n] ?? '' } })
    })
    assert.equal(answers.filter(({ status }) => status === 200).length, 10)
    const refused = answers.filter(({ status }) => status !== 200)
    assert.ok(refused.every(({ body }) => body.code === 'membership_limit_reached'))
    assert.equal(await membersTotal(id), 11)
  })

  it('are still open after an answer of 503, at whichever statement the database went away', async () => {
    const { tenant, admin, id } = await someOrganization()
    const guest = await signedInUser(service, tenant)
    const { token } = await invite(admin, id, guest.email)
    const accept = () => guest.browser.call('acceptInvitation', { params: { token } })
    const statuses: number[] = []
    while (!statuses.includes(200) && statuses.length < 100) {
      await failing.goneFrom(statuses.length + 1, async () => statuses.push((await accept()).status))
    }
    assert.ok(statuses.length > 10)
    assert.deepEqual(new Set(statuses), new Set([503, 200]))
    assert.equal(await membersTotal(id), 2)
  })

  it('verify the address that they were sent to', async () => {
    const { tenant, admin, id } = await someOrganization()
    const email = `${unique()}@example.com`
    const user = await createUser(service, tenant.id, { email })
    const { browser } = await browserOf(service, tenant, user.id)
    const { token } = await invite(admin, id, email)
    await browser.ok('acceptInvitation', { params: { token } })
    const { user: profile } = await browser.ok<{ user: Profile }>('getProfile')
    assert.notEqual(profile.emails[0]?.verifiedAt, null)
  })

  // Guards: invitations
  it('expire after seven days, and not before', async () => {
    const { tenant, admin, id } = await someOrganization()
    const [early, late] = [await signedInUser(service, tenant), await signedInUser(service, tenant)]
    const tokens = [(await invite(admin, id, early.email)).token, (await invite(admin, id, late.email)).token]
    advance(7 * dayMs - 60_000)
    const again = async ({ user }: SignedInUser) => (await browserOf(service, tenant, user.id)).browser
    await (await again(early)).ok('acceptInvitation', { params: { token: tokens[0] ?? '' } })
    advance(61_000)
    const params = { token: tokens[1] ?? '' }
    await (await again(late)).refused('acceptInvitation', 'invitation_invalid', { params })
    await new Browser(service, tenant.publicKey).refused('declineInvitation', 'invitation_invalid', { params })
  })

  it('can be used with the newest link only once they are sent again, even after they expired', async () => {
    const { tenant, admin, id } = await someOrganization()
    const guest = await signedInUser(service, tenant)
    const { token, invitation } = await invite(admin, id, guest.email)
    advance(8 * dayMs)
    const sender = { ...admin, ...(await browserOf(service, tenant, admin.user.id)) }
    const receiver = await browserOf(service, tenant, guest.user.id)
    const named = { params: { id, invitationId: invitation.id } }
    await sender.browser.ok('resendInvitation', named)
    const newest = await tokenFor(guest.email)
    assert.notEqual(newest, token)
    await receiver.browser.refused('acceptInvitation', 'invitation_invalid', { params: { token } })
    await receiver.browser.ok('acceptInvitation', { params: { token: newest } })
    await sender.browser.refused('resendInvitation', 'invitation_invalid', named)
  })

  // Guards: invitations
  it('are invalid once revoked or declined, and declining takes no account', async () => {
    const { tenant, admin, id } = await someOrganization()
    const guest = await signedInUser(service, tenant)
    const first = await invite(admin, id, guest.email)
    await admin.browser.ok('revokeInvitation', { params: { id, invitationId: first.invitation.id } })
    await guest.browser.refused('acceptInvitation', 'invitation_invalid', { params: { token: first.token } })
    const { token, invitation } = await invite(admin, id, guest.email)
    const stranger = new Browser(service, tenant.publicKey)
    assert.deepEqual(await stranger.ok('declineInvitation', { params: { token } }), { declined: invitation.id })
    await stranger.refused('declineInvitation', 'invitation_invalid', { params: { token } })
    await guest.browser.refused('acceptInvitation', 'invitation_invalid', { params: { token } })
    const list = { params: { id } }
    const { invitations } = await admin.browser.ok<{ invitations: SentInvitation[] }>('listSentInvitations', list)
    assert.notEqual(invitations[0]?.declinedAt, null)
    assert.equal(await membersTotal(id), 1)
  })

  it('are not found through another organization', async () => {
    const { tenant, admin, id } = await someOrganization()
    const other = await signedInUser(service, tenant)
    const { organization } = await other.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: 'Other' },
    })
    const { invitation } = await invite(admin, id, `${unique()}@example.com`)
    for (const organizationId of [id, organization.id]) {
      const params = { id: organizationId, invitationId: invitation.id }
      await other.browser.refused('resendInvitation', 'not_found', { params })
      await other.browser.refused('revokeInvitation', 'not_found', { params })
    }
  })
})
