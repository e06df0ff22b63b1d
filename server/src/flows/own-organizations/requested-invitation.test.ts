// Asking to be invited to an organization that is suggested.
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { SentInvitation } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts } from '../../../test/harness/databases/stored.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { startNameServer } from '../../../test/harness/outside/name-server.ts'
import {
  type TestOrganization,
  claim,
  newName,
  provenDomain,
  someOrganization,
} from '../../../test/harness/people/organization-domains.ts'
import { browserOf, signedInUser } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'

const names = await startNameServer()
after(() => names.close())

const sent = async ({ admin, organization }: TestOrganization) =>
  (
    await admin.browser.ok<{ invitations: SentInvitation[] }>('listSentInvitations', {
      params: { id: organization.id },
    })
  ).invitations

const suite = (service: () => TestService) => {
  /** A user whose address was verified before the organization proved its domain. */
  async function early(auth: object = {}) {
    const owner = await someOrganization(service(), auth)
    const name = newName()
    const guest = await signedInUser(service(), owner.tenant, { email: `${unique()}@${name}` })
    const domain = await provenDomain(names, owner, name)
    return { ...guest, owner, domain, email: guest.user.emailAddresses[0]?.email ?? '' }
  }

  it('sends the invitation of the domain to the verified address, which has to be accepted', async () => {
    const { owner, browser, email } = await early()
    const params = { id: owner.organization.id }
    assert.deepEqual(await browser.ok('requestInvitation', { params }), { email })
    const [invitation] = await sent(owner)
    assert.deepEqual([invitation?.email, invitation?.roleId], [email, null])
    await browser.refused('getOwnOrganization', 'not_found', { params })
    const token = await invitationTokenTo(service().deps, email)
    const { invitation: received } = await browser.ok<{
      invitation: { email: string; organization: { name: string } }
    }>('getInvitation', { params: { token } })
    assert.deepEqual([received.email, received.organization.name], [email, owner.organization.name])
    await browser.ok('acceptInvitation', { params: { token } })
    await browser.refused('requestInvitation', 'not_found', { params })
  })

  it('sends one, also if it is requested several times at once, and none to a user who has answered', async () => {
    const { owner, browser, email } = await early()
    const params = { id: owner.organization.id }
    const answers = await atOnce(8, () => browser.call('requestInvitation', { params }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 7 })
    const token = await invitationTokenTo(service().deps, email)
    await browser.ok('declineInvitation', { params: { token } })
    await browser.refused('requestInvitation', 'invitation_exists', { params })
    assert.equal((await sent(owner)).length, 1)
  })

  it('refuses users without a verified address there, and domains that are merely claimed', async () => {
    const { owner, domain } = await early()
    const params = { id: owner.organization.id }
    const stranger = await signedInUser(service(), owner.tenant)
    await stranger.browser.refused('requestInvitation', 'not_found', { params })
    const unverified = await createUser(service(), owner.tenant.id, { email: `${unique()}@${domain.name}` })
    const { browser } = await browserOf(service(), owner.tenant, unverified.id)
    await browser.refused('requestInvitation', 'not_found', { params })
    const name = newName()
    const claimant = await signedInUser(service(), owner.tenant, { email: `${unique()}@${name}` })
    await claim(owner.admin.browser, owner.organization.id, name)
    await claimant.browser.refused('requestInvitation', 'not_found', { params })
    assert.deepEqual(await sent(owner), [])
  })

  it('works only if the tenant suggests organizations and invites by their domains, and while there is room', async () => {
    const { owner, browser } = await early()
    const params = { id: owner.organization.id }
    const set = (body: object) => service().ok('putAuthTenant', { params: { id: owner.tenant.id }, body })
    await set({ organizationMembershipLimit: 1 })
    await browser.refused('requestInvitation', 'membership_limit_reached', { params })
    for (const name of [
      'organizationAutomaticInvitationEnabled',
      'organizationAutomaticInvitationSuggestionsEnabled',
      'organizationsEnabled',
    ]) {
      await set({ organizationMembershipLimit: 0, [name]: false })
      await browser.refused('requestInvitation', 'forbidden', { params })
      await set({ [name]: true })
    }
    assert.deepEqual(await sent(owner), [])
  })
}

describeService('POST /user/organizations/suggestions/{id}/invitation', suite, {
  ...testEnv,
  BAILIWICK_DNS_SERVERS: names.address,
})
