import type { TenantInvitation, TenantMember, UserSummary } from '@bailiwick/contract'
import type { TenantRow } from '../../tenancy/tenants/find-tenant.ts'
import { type UserWithContacts, presentUserSummary } from '../users/present.ts'
import { presentFlags } from './flags.ts'
import type { TenantInvitationRow, TenantMemberRow } from './queries.ts'

export const presentTenantMember = (row: TenantMemberRow, user: UserSummary): TenantMember => ({
  id: row.id,
  tenantId: row.tenant_id,
  userId: row.user_id,
  user,
  ...presentFlags(row),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/**
 * @param user the invited user, given only if that user asks. An inviter learns nothing about an account before the invitation is accepted,
 * and then the invitation is gone.
 */
export const presentTenantInvitation = (
  row: TenantInvitationRow,
  tenant: TenantRow,
  user?: UserWithContacts,
): TenantInvitation => ({
  id: row.id,
  tenantId: row.tenant_id,
  tenant: {
    id: tenant.id,
    name: tenant.name,
    slug: tenant.slug,
    logoId: tenant.logo_id,
    iconId: tenant.icon_id,
    environment: tenant.environment,
    createdAt: tenant.created_at,
  },
  email: row.email,
  userId: user?.row.id ?? null,
  user: user === undefined ? null : presentUserSummary(user),
  ...presentFlags(row),
  expiresAt: row.rights_expire_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
