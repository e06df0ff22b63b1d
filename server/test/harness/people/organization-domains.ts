// Organizations with domains, and the name server that proves them.
import assert from 'node:assert/strict'
import type { OrganizationDomain, OwnOrganization } from '@bailiwick/contract'
import type { Browser } from '../browser/frontend.ts'
import { unique } from '../factories.ts'
import type { NameServer } from '../outside/name-server.ts'
import type { TestService } from '../service.ts'
import { type SignedInUser, signedInUser, tenantWith } from './signed-in-user.ts'

/** All settings of domains are on, so that a test shows what switching one off does. */
export const domainSettings = {
  organizationCustomDomainManagementEnabled: true,
  organizationAutomaticInvitationEnabled: true,
  organizationAutomaticInvitationSuggestionsEnabled: true,
}

export const newName = () => `${unique()}.example`

type Domain = { domain: OrganizationDomain }

export const claim = async (browser: Browser, id: string, name = newName()) =>
  (await browser.ok<Domain>('createOrganizationDomain', { params: { id }, body: { name } })).domain

export const check = async (browser: Browser, { organizationId, id }: OrganizationDomain) =>
  (await browser.ok<Domain>('verifyOrganizationDomain', { params: { id: organizationId, domainId: id } })).domain

export const publish = (names: NameServer, domain: OrganizationDomain) =>
  names.records.set(domain.verificationRecordDomain, ['v=spf1 -all', domain.verificationRecordValue])

export interface TestOrganization {
  readonly tenant: Awaited<ReturnType<typeof tenantWith>>
  readonly admin: SignedInUser
  readonly organization: OwnOrganization
}

export async function someOrganization(service: TestService, auth: object = {}): Promise<TestOrganization> {
  const tenant = await tenantWith(service, { ...domainSettings, ...auth })
  return { tenant, ...(await anotherOrganization(service, tenant)) }
}

/** The member of another user in the same tenant. */
export async function anotherOrganization(service: TestService, tenant: TestOrganization['tenant']) {
  const admin = await signedInUser(service, tenant)
  const { organization } = await admin.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
    body: { name: `Org ${unique()}` },
  })
  return { admin, organization }
}

/** Claimed, published and verified. */
export async function provenDomain(
  names: NameServer,
  { admin, organization }: Pick<TestOrganization, 'admin' | 'organization'>,
  name = newName(),
) {
  const domain = await claim(admin.browser, organization.id, name)
  publish(names, domain)
  const verified = await check(admin.browser, domain)
  assert.equal(verified.verified, true)
  return verified
}
