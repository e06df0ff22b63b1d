import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OwnOrganization, SignUpAnswer } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createOrganization, createUser, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'

describeService('signing up by an invitation', (service) => {
  async function invited(auth: object = {}, email = `${unique()}@example.com`) {
    const tenant = await tenantWith(service(), auth)
    const organization = await createOrganization(service(), tenant.id)
    const body = { organizationId: organization.id, email }
    const { id } = await service().ok<{ id: string }>('createOrganizationInvitation', { body })
    const token = await invitationTokenTo(service().deps, email)
    const browser = new Browser(service(), tenant.publicKey)
    return { tenant, organization, email, invitationId: id, invitationToken: token, browser }
  }
  const membersTotal = async (organizationId: string) => {
    const params = { organizationId }
    const { meta } = await service().ok<{ meta: { total: number } }>('listOrganizationMembers', { params })
    return meta.total
  }

  it('makes a member with a verified address at once, even if sign-up is off', async () => {
    const { organization, email, invitationToken, browser } = await invited({ signUpEnabled: false })
    await browser.refused('createSignUp', 'sign_up_disabled', { body: { email, password } })
    const data = await browser.ok<SignUpAnswer>('createSignUp', { body: { invitationToken, password } })
    assert.equal(data.signUpAttempt.status, 'complete')
    const [address] = data.sessionUser?.emails ?? []
    assert.equal(address?.email, email)
    assert.notEqual(address?.verifiedAt, null)
    const { organizations } = await browser.ok<{ organizations: OwnOrganization[] }>('listOwnOrganizations')
    assert.equal(organizations[0]?.id, organization.id)
    const late = new Browser(service(), browser.publicKey)
    await late.refused('createSignUp', 'invitation_invalid', { body: { invitationToken, password } })
  })

  it('requires step by step what else the tenant requires', async () => {
    const { organization, invitationToken, browser } = await invited({ signUpEnabled: false, nameRequired: true })
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { invitationToken } })
    assert.deepEqual(signUpAttempt.missingFields, ['name', 'password'])
    assert.equal(await membersTotal(organization.id), 0)
    const params = { id: signUpAttempt.id }
    const data = await browser.ok<SignUpAnswer>('updateSignUp', { params, body: { name: 'Ada', password } })
    assert.equal(data.signUpAttempt.status, 'complete')
    assert.equal(await membersTotal(organization.id), 1)
  })

  // Guards: invitations
  it('accepts no address other than the invited one, then or later', async () => {
    const { email, invitationToken, browser } = await invited()
    const other = `${unique()}@example.com`
    await browser.refused('createSignUp', 'validation_failed', { body: { invitationToken, email: other, password } })
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { invitationToken } })
    const params = { id: signUpAttempt.id }
    await browser.refused('updateSignUp', 'validation_failed', { params, body: { email: other, password } })
    const data = await browser.ok<SignUpAnswer>('updateSignUp', {
      params,
      body: { email: email.toUpperCase(), password },
    })
    assert.equal(data.sessionUser?.emails[0]?.email, email)
  })

  it('is refused for an address that a user has, for another tenant, and with organizations off', async () => {
    const { tenant, email, invitationToken } = await invited()
    const body = { invitationToken, password }
    const elsewhere = await tenantWith(service())
    await new Browser(service(), elsewhere.publicKey).refused('createSignUp', 'invitation_invalid', { body })
    const browser = new Browser(service(), tenant.publicKey)
    const params = { id: tenant.id }
    await service().ok('putAuthTenant', { params, body: { organizationsEnabled: false } })
    await browser.refused('createSignUp', 'invitation_invalid', { body })
    await service().ok('putAuthTenant', { params, body: { organizationsEnabled: true } })
    await createUser(service(), tenant.id, { email })
    await browser.refused('createSignUp', 'email_taken', { body })
  })

  it('creates no user if the invitation was revoked, or the organization filled up, meanwhile', async () => {
    const taken = await invited()
    const begin = ({ browser, invitationToken }: typeof taken) =>
      browser.ok<SignUpAnswer>('createSignUp', { body: { invitationToken } })
    const { signUpAttempt } = await begin(taken)
    await service().ok('deleteOrganizationInvitation', { params: { id: taken.invitationId } })
    const finish = { params: { id: signUpAttempt.id }, body: { password } }
    await taken.browser.refused('updateSignUp', 'invitation_invalid', finish)
    const full = await invited()
    const { signUpAttempt: late } = await begin(full)
    const first = await createUser(service(), full.tenant.id)
    const member = { organizationId: full.organization.id, userId: first.id }
    await service().ok('createOrganizationMember', { body: member })
    const limit = { organizationMembershipLimit: 1 }
    await service().ok('putAuthTenant', { params: { id: full.tenant.id }, body: limit })
    await full.browser.refused('updateSignUp', 'membership_limit_reached', {
      params: { id: late.id },
      body: { password },
    })
    const { data } = await service().ok<{ data: unknown[] }>('listUsers', { query: { tenantId: full.tenant.id } })
    assert.equal(data.length, 1)
  })

  it('creates one user for one token, however many requests arrive at once', async () => {
    const { organization, tenant, invitationToken } = await invited()
    const answers = await atOnce(10, () =>
      new Browser(service(), tenant.publicKey).call('createSignUp', { body: { invitationToken, password } }),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(await membersTotal(organization.id), 1)
  })
})
