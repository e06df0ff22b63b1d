// Domains of organizations as the tenant manages them: without the organization's members, whatever they may do themselves.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OrganizationDomain, OrganizationInvitation } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createOrganization, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { newName, someOrganization } from '../../../test/harness/people/organization-domains.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type Answer, describeService } from '../../../test/harness/service.ts'
import { browserAt, describeOnTwoNodes } from '../../../test/nodes/two-nodes.ts'

describeService('/auth/organizations/{organizationId}/domains', (service) => {
  const claim = (organizationId: string, name = newName()) =>
    service().ok<OrganizationDomain>('createDomainOfOrganization', { params: { organizationId }, body: { name } })
  const verify = ({ organizationId, id }: OrganizationDomain) =>
    service().ok<OrganizationDomain>('verifyDomainOfOrganization', { params: { organizationId, id } })
  const list = (organizationId: string) =>
    service().ok<OrganizationDomain[]>('listDomainsOfOrganization', { params: { organizationId } })

  it('adds domains unverified, and lists them newest first, as for members who may see them', async () => {
    const { admin, organization } = await someOrganization(service())
    const { id } = organization
    const [first, second] = [await claim(id, 'Bücher.example'), await claim(id)]
    assert.deepEqual([first.name, first.verified, first.organizationId], ['xn--bcher-kva.example', false, id])
    assert.deepEqual(await list(id), [second, first])
    const seen = await admin.browser.ok<{ domains: object[] }>('listOrganizationDomains', { params: { id } })
    assert.deepEqual(seen.domains, [second, first])
  })

  it('works if the tenant lets organizations manage none', async () => {
    const { id: tenantId } = await tenantWith(service(), { organizationCustomDomainManagementEnabled: false })
    const { id } = await createOrganization(service(), tenantId)
    assert.equal((await verify(await claim(id))).verified, true)
  })

  it("verifies on the caller's authority, once, and for only one organization of the tenant", async () => {
    const { tenant } = await createTenant(service())
    const [one, other] = [
      await createOrganization(service(), tenant.id),
      await createOrganization(service(), tenant.id),
    ]
    const name = newName()
    const [claimed, rival] = [await claim(one.id, name), await claim(other.id, name)]
    const verified = await verify(claimed)
    assert.deepEqual([verified.verified, verified.verificationRecordReason], [true, null])
    await assertWritesNothing(service().deps.db, async () => assert.deepEqual(await verify(claimed), verified))
    const params = { organizationId: other.id, id: rival.id }
    await service().refused('verifyDomainOfOrganization', 'domain_taken', { params })
    const [event, ...further] = await storedEvents(service(), tenant.id, 'organization_domain.verified')
    assert.deepEqual([event?.subject_id, event?.data['byAuthority'], further], [claimed.id, true, []])
    const elsewhere = await createTenant(service())
    await verify(await claim((await createOrganization(service(), elsewhere.tenant.id)).id, name))
  })

  it('invites users who verify an address there, until it is removed', async () => {
    const { tenant, organization } = await someOrganization(service())
    const domain = await verify(await claim(organization.id))
    const invited = async () => {
      const { primaryEmailId } = await createUser(service(), tenant.id, { email: `${unique()}@${domain.name}` })
      await service().ok('verifyEmailAddress', { body: { id: primaryEmailId } })
      const { data } = await service().ok<{ data: OrganizationInvitation[] }>('listOrganizationInvitations', {
        params: { organizationId: organization.id },
      })
      return data.length
    }
    assert.equal(await invited(), 1)
    const params = { organizationId: organization.id, id: domain.id }
    assert.deepEqual(await service().ok('deleteDomainOfOrganization', { params }), { ...domain, deleted: true })
    await service().refused('deleteDomainOfOrganization', 'not_found', { params })
    assert.equal(await invited(), 1)
  })

  it('refuses a public domain, one that the organization has already, and more than twenty', async () => {
    const { tenant } = await createTenant(service())
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    const params = { organizationId }
    const { issues } = await service().refused('createDomainOfOrganization', 'validation_failed', {
      params,
      body: { name: 'gmail.com' },
    })
    assert.equal(issues?.[0]?.path, '/name')
    const { name } = await claim(organizationId)
    await service().refused('createDomainOfOrganization', 'domain_exists', { params, body: { name } })
    for (let n = 1; n < 20; n++) await claim(organizationId)
    await service().refused('createDomainOfOrganization', 'domain_limit_reached', { params, body: { name: newName() } })
  })

  it('finds no domain by the id of another organization', async () => {
    const { tenant } = await createTenant(service())
    const [one, other] = [
      await createOrganization(service(), tenant.id),
      await createOrganization(service(), tenant.id),
    ]
    const { id } = await claim(one.id)
    const params = { organizationId: other.id, id }
    for (const operation of ['verifyDomainOfOrganization', 'deleteDomainOfOrganization'] as const)
      await service().refused(operation, 'not_found', { params })
  })
})

describeOnTwoNodes('the domain of an organization at two nodes', (nodes) => {
  it('is verified for one of forty organizations that ask at once', async () => {
    const { id: tenantId } = await tenantWith(nodes().one)
    const name = newName()
    const claims: OrganizationDomain[] = []
    for (let n = 0; n < 40; n++) {
      const { id: organizationId } = await createOrganization(nodes().one, tenantId)
      const request = { params: { organizationId }, body: { name } }
      claims.push(await nodes().one.ok<OrganizationDomain>('createDomainOfOrganization', request))
    }
    const answers = await atOnce(40, (n) => {
      const { organizationId, id } = claims[n] as OrganizationDomain
      return nodes().inTurn(n).call('verifyDomainOfOrganization', { params: { organizationId, id } })
    })
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 39 })
  })

  it('is claimed once if forty members and the tenant ask for it at once', async () => {
    const { admin, organization } = await someOrganization(nodes().one)
    const body = { name: newName() }
    const answers = await atOnce(40, (n): Promise<Answer> => {
      const node = nodes().inTurn(n >> 1)
      const { id } = organization
      return n % 2 === 0
        ? node.call('createDomainOfOrganization', { params: { organizationId: id }, body })
        : browserAt(node, admin.browser).call('createOrganizationDomain', { params: { id }, body })
    })
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 39 })
  })
})
