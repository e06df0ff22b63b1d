import { flag, id, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { InvitationId, MemberId, TenantId, UserId } from '../../platform/ids.ts'

const flags = {
  ...many(flag().default(0), 'role_admin', 'role_edit_organizations', 'role_edit_users', 'role_edit_config'),
  ...many(flag().default(0), 'role_view_users', 'role_view_organizations', 'role_view_config', 'role_view_billing'),
  role_edit_billing: flag().default(0),
}

export const flagNames = Object.keys(flags) as readonly (keyof typeof flags)[]

export const tenantMembers = table(
  'tenant_members',
  {
    ...record<MemberId>(),
    user_tenant_id: id<TenantId>(),
    user_id: id<UserId>(),
    ...flags,
    /** When the rights end, by the time of the machine: administrators are users of the console, which has no test mode. */
    expires_at: time().nullable(),
  },
  {
    refusals: { tenant_members_user_key: 'member_exists' },
    counted: [{ counter: 'members' }],
    sharding: 'reference',
    notExported: "they are people of the deployment's own console",
  },
)

export const tenantInvitations = table(
  'tenant_invitations',
  {
    ...record<InvitationId>(),
    ...many(text(), 'email', 'email_key', 'token_hash'),
    /** When it can no longer be accepted: after seven days, or with the rights that it gives. */
    expires_at: time(),
    ...flags,
    rights_expire_at: time().nullable(),
  },
  {
    refusals: { tenant_invitations_email_key: 'invitation_exists' },
    counted: [{ counter: 'invitations' }],
    sharding: 'reference',
    notExported: "they lead to the deployment's own console",
  },
)
