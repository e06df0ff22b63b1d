import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createOrganization, createTenant, unique } from '../../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, tokenOf } from '../../../../test/harness/messages.ts'
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
