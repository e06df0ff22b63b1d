import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createOrganization, createTenant, unique } from '../../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, tokenOf } from '../../../../test/harness/messages.ts'
import { addMember, signInConsoleUser } from '../../../../test/harness/people/sessions.ts'
import { describeService } from '../../../../test/harness/service.ts'
import { hashToken } from '../../../platform/crypto/tokens.ts'
import { sql } from '../../../platform/db/sql.ts'

describeService('the message of an invitation', (service) => {
  it('to an organization carries the token that accepts it, by a link to the page for signing up', async () => {
    const { tenant } = await createTenant(service())
    const signUpUri = 'https://app.acme.example/join?from=mail'
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { signUpUri } })
    const organization = await createOrganization(service(), tenant.id, { name: 'Engineering' })
    const email = `${unique()}@example.com`
    const { id } = await service().ok<{ id: string }>('createOrganizationInvitation', {
      body: { organizationId: organization.id, email },
    })
    const { subject, text, link } = await latestMessageTo(service().deps, email)
    assert.equal(subject, 'You are invited to Engineering')
    assert.match(text, /join Engineering at /)
    const url = new URL(link ?? '')
    assert.deepEqual([url.origin, url.searchParams.get('from')], ['https://app.acme.example', 'mail'])
    const stored = await service().deps.db.first<{ token_hash: string }>(
      sql`SELECT token_hash FROM organization_invitations WHERE tenant_id = ${tenant.id} AND id = ${id}`,
    )
    assert.equal(stored?.token_hash, hashToken(url.searchParams.get('invitationToken') ?? ''))
  })

  it('to an organization leads to the hosted page if the tenant has only a home page, which would drop the token', async () => {
    const { tenant } = await createTenant(service())
    const homeUri = 'https://app.acme.example/'
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { homeUri } })
    const organization = await createOrganization(service(), tenant.id)
    const email = `${unique()}@example.com`
    await service().ok('createOrganizationInvitation', { body: { organizationId: organization.id, email } })
    const { pathname, searchParams } = new URL((await latestMessageTo(service().deps, email)).link ?? '')
    assert.match(pathname, /^\/t\/[^/]+\/invitation$/)
    assert.match(searchParams.get('token') ?? '', /^oi_/)
  })

  it('to administer a tenant says who invites', async () => {
    const { tenant } = await createTenant(service(), { name: 'Northwind Traders' })
    const nadia = await signInConsoleUser(service())
    await service().ok('updateUser', { params: { id: nadia.user.id }, body: { name: 'Nadia Ops' } })
    await addMember(service(), tenant.id, nadia, 'roleAdmin')
    const email = `${unique()}@example.com`
    const body = { tenantId: tenant.id, email, roleViewUsers: true }
    await service().ok('inviteTenantMember', { body, token: nadia.token })
    const { text } = await latestMessageTo(service().deps, email)
    assert.match(text, /Nadia Ops has invited you to administer Northwind Traders\./)
    assert.match(text, /If you did not expect this invitation/)
    assert.doesNotMatch(text, /did not ask for this/)
  })

  it('to administer a tenant goes by no channel of that tenant', async () => {
    const { tenant } = await createTenant(service(), { name: 'Acme' })
    const channel = await service().ok<{ id: string }>('createChannel', {
      body: {
        tenantId: tenant.id,
        name: 'Elsewhere',
        key: 'elsewhere',
        type: 'email',
        provider: 'webhook',
        providerSettings: { url: 'https://evil.example/in' },
      },
    })
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { emailChannelId: channel.id } })
    const email = `${unique()}@example.com`
    await service().ok('inviteTenantMember', { body: { tenantId: tenant.id, email } })
    const { subject, link } = await latestMessageTo(service().deps, email)
    assert.equal(subject, 'You are invited to administer Acme')
    assert.match(tokenOf({ link }), /^ti_/)
    const [row] = await messagesTo(service().deps, email)
    assert.notEqual(row?.tenant_id, tenant.id)
    assert.equal(row?.provider, 'dev_inbox')
  })
})
