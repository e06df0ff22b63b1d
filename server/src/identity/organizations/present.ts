import type { Organization, OrganizationInvitation, OrganizationMember } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import { fromJson } from '../../platform/json-text.ts'
import { type RoleRecord, presentRole } from '../../tenancy/roles/present.ts'
import { type UserWithContacts, presentOrganizationUserSummary } from '../users/present.ts'
import type { OrganizationInvitationRow, OrganizationMemberRow, OrganizationRow } from './queries.ts'

export const presentOrganization = (row: OrganizationRow, members: number): Organization => ({
  id: row.id,
  tenantId: row.tenant_id,
  creatorId: row.creator_id,
  name: row.name,
  slug: row.slug,
  imageUri: row.image_uri,
  description: row.description,
  publicMeta: fromJson(row.public_meta),
  privateMeta: fromJson(row.private_meta),
  _count: { members },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const presentOrganizationMember = (
  row: OrganizationMemberRow,
  user: UserWithContacts,
  role: RoleRecord | undefined,
): OrganizationMember => ({
  id: row.id,
  organizationId: row.organization_id,
  userId: row.user_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  roleId: row.role_id,
  role: role === undefined ? null : presentRole(role),
  user: presentOrganizationUserSummary(user),
  publicMeta: fromJson(row.public_meta),
  privateMeta: fromJson(row.private_meta),
  expiresAt: row.expires_at,
  roleExpiresAt: row.role_expires_at,
})

export const presentOrganizationInvitation = (
  row: OrganizationInvitationRow,
  user: UserWithContacts | undefined,
  role: RoleRecord | undefined,
): OrganizationInvitation & { readonly expiresAt: Timestamp } => ({
  id: row.id,
  organizationId: row.organization_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  roleId: row.role_id,
  email: row.email,
  role: role === undefined ? null : presentRole(role),
  acceptedAt: row.accepted_at,
  declinedAt: row.declined_at,
  /** Shown to the user who created it; the management interface does not show it. */
  expiresAt: row.expires_at,
  user: user === undefined ? null : presentOrganizationUserSummary(user),
  publicMeta: fromJson(row.public_meta),
  privateMeta: fromJson(row.private_meta),
  membershipLifetime: row.membership_lifetime,
})
