// The organizations of the demo data.
import type { Organization, Tenant, User } from '@bailiwick/contract'
import { createOrganization } from '../../server/test/harness/factories.ts'
import type { NameServer } from '../../server/test/harness/outside/name-server.ts'
import type { TestService } from '../../server/test/harness/service.ts'
import { addConnection } from './demo-connections.ts'

/** Returns the id of the first one, which has members, invitations and domains. */
export async function addOrganizations(
  service: TestService,
  tenant: Tenant,
  users: readonly User[],
  names: NameServer,
) {
  const organizations: Organization[] = []
  for (const name of [
    'Research',
    'Vertrieb und Kundendienst für Südwestdeutschland, Österreich und die Schweiz',
    'Design',
    '東京支社',
    'Finance',
    'Warehouse Rotterdam',
  ]) {
    organizations.push(await createOrganization(service, tenant.id, { name }))
  }
  const [first] = organizations
  if (first === undefined) throw new Error('there are organizations')
  const organizationId = first.id
  for (const user of users.slice(0, 12)) {
    await service.ok('createOrganizationMember', { body: { organizationId, userId: user.id } })
  }
  for (const email of ['grace@research.example', 'a.very.long.address@department.of.research.example']) {
    await service.ok('createOrganizationInvitation', { body: { organizationId, email } })
  }
  for (const name of ['research.example', 'labs.research.example']) {
    const params = { organizationId }
    const domain = await service.ok<{ id: string; verificationRecordDomain: string; verificationRecordValue: string }>(
      'createDomainOfOrganization',
      { params, body: { name } },
    )
    if (name !== 'research.example') continue
    names.records.set(domain.verificationRecordDomain, [domain.verificationRecordValue])
    await service.ok('verifyDomainOfOrganization', { params: { ...params, id: domain.id } })
  }
  return organizationId
}

/** When things with an end end in the demo data. */
export const inThirtyDays = () => new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString()

/** A group with the first members of an organization, one of whom leaves it. */
async function addGroup(service: TestService, organizationId: string): Promise<string> {
  const body = { name: 'Engineering', description: 'Builds the product' }
  const { id } = await service.ok<{ id: string }>('createOrganizationGroup', { params: { organizationId }, body })
  const { data } = await service.ok<{ data: { id: string }[] }>('listOrganizationMembers', {
    params: { organizationId },
  })
  for (const [index, member] of data.slice(0, 3).entries()) {
    const expiresAt = index === 0 ? inThirtyDays() : null
    await service.ok('addMemberToGroup', { params: { organizationId, id }, body: { memberId: member.id, expiresAt } })
  }
  return id
}

/** A role of an organization's own, with a permission that the tenant no longer allows. */
async function addOwnRole(service: TestService, tenantId: string, organizationId: string): Promise<string> {
  const allow = (permissions: readonly string[]) =>
    service.ok('putAuthTenant', {
      params: { id: tenantId },
      body: { organizationRolesEnabled: true, organizationRolePermissions: permissions },
    })
  await allow(['orders:read', 'orders:dispatch'])
  const body = { name: 'Dispatcher', description: 'Sends orders out', permissions: ['orders:read', 'orders:dispatch'] }
  const { id } = await service.ok<{ id: string }>('createOrganizationRole', { params: { organizationId }, body })
  await allow(['orders:read'])
  return id
}

/** Adds what belongs to an organization, and returns the ids of its screens. */
export const addToOrganization = async (service: TestService, { id: tenantId }: Tenant, organization: string) => ({
  'organizations/$id': organization,
  'organizations/$id/sign-on': organization,
  'connections/$id': await addConnection(service, organization),
  'organizations/$id/groups/$groupId': organization,
  $groupId: await addGroup(service, organization),
  'organizations/$id/roles/$roleId': organization,
  $roleId: await addOwnRole(service, tenantId, organization),
})
