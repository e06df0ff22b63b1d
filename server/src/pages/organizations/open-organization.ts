// The organization in a page's path, and what the reader may do in it.
import { type OwnOrganization, type UserRole, frontendEndpoints } from '@bailiwick/contract'
import type { OrganizationSection, ShownOrganization } from '@bailiwick/pages'
import type { OrganizationPermission } from '../../flows/own-organizations/rights.ts'
import type { PageCall } from '../call/page-call.ts'
import { shownPicture } from '../logos.ts'

export interface OpenOrganization {
  readonly own: OwnOrganization
  readonly shown: ShownOrganization
  /** The roles that the reader may give. */
  readonly roles: readonly UserRole[]
  readonly may: (permission: OrganizationPermission) => boolean
  /** Whether the reader may give and remove a role. */
  readonly covers: (role: Pick<UserRole, 'id'> | null) => boolean
}

function listSections({ tenant: { auth } }: PageCall, may: OpenOrganization['may']): OrganizationSection[] {
  const sections: OrganizationSection[] = ['details', 'members']
  if (may('org:groups:manage')) sections.push('groups')
  if (auth.organizationRolesEnabled && may('org:roles:manage')) sections.push('roles')
  if (may('org:invitations:manage')) sections.push('invitations')
  if (auth.organizationCustomDomainManagementEnabled && may('org:domains:manage')) sections.push('domains')
  if (auth.organizationConnectionManagementEnabled && may('org:connections:manage')) sections.push('security')
  if (may('org:manage')) sections.push('rules')
  if (auth.userApiKeysEnabled && may('org:api-keys:manage')) sections.push('keys')
  return sections
}

/** @throws ApiError not_found if the reader is not a member of the organization. */
export async function openOrganization(page: PageCall): Promise<OpenOrganization> {
  const params = { id: page.id }
  const {
    organization: own,
    roles,
    permissions: granted,
  } = await page.run(frontendEndpoints.getOwnOrganization, { params })
  const permissions = new Set(granted)
  const may: OpenOrganization['may'] = (permission) => permissions.has(permission)
  const { id, name, imageUri } = own
  return {
    own,
    shown: { id, name, pictureUri: shownPicture(page, imageUri), sections: listSections(page, may) },
    roles,
    may,
    covers: (role) => role === null || roles.some((each) => each.id === role.id),
  }
}
