import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { boolean, id, object, page, pageQuery, plainId, recordBasis } from '../../schema.ts'
import {
  CreateTenantInvitation,
  CreateTenantMember,
  TenantInvitation,
  TenantMember,
  UpdateTenantMember,
} from '../../shapes/identity/tenant-member.ts'

const tag = 'Tenant members'
const params = object({ tenantId: id() })
const example = { params: { tenantId: sample.tenantId } }

export const listTenantMembers = endpoint({
  id: 'listTenantMembers',
  method: 'GET',
  path: '/tenants/{tenantId}/members',
  tag,
  summary: 'List the members of a tenant',
  permission: 'admin',
  tenant: { from: 'params.tenantId' },
  params,
  query: pageQuery,
  response: page(TenantMember),
  errors: ['not_found'],
  example: { ...example, response: pageOf(sample.member) },
})

export const createTenantMember = endpoint({
  id: 'createTenantMember',
  method: 'POST',
  path: '/tenants/members',
  tag,
  summary: 'Add a member to a tenant',
  description:
    'Only for the operator: creates an account at the console, if there is none with that e-mail address, and makes it a member at once. Other callers send an invitation with POST /tenants/members/invite; the invited administrator becomes a member by accepting it.',
  permission: 'operator',
  alternative: 'send an invitation with POST /tenants/members/invite',
  tenant: { from: 'body.tenantId' },
  body: CreateTenantMember,
  response: TenantMember,
  errors: ['not_found', 'member_exists', 'email_taken'],
  example: {
    body: { tenantId: sample.tenantId, email: sample.email, name: 'Ada', roleViewUsers: true },
    response: sample.member,
  },
})

export const listTenantInvitations = endpoint({
  id: 'listTenantInvitations',
  method: 'GET',
  path: '/tenants/{tenantId}/invitations',
  tag,
  summary: 'List the open invitations of a tenant',
  permission: 'admin',
  tenant: { from: 'params.tenantId' },
  params,
  query: pageQuery,
  response: page(TenantInvitation),
  errors: ['not_found'],
  example: { ...example, response: pageOf(sample.invitation) },
})

export const inviteTenantMember = endpoint({
  id: 'inviteTenantMember',
  method: 'POST',
  path: '/tenants/members/invite',
  tag,
  summary: 'Invite an administrator to a tenant',
  permission: 'admin',
  tenant: { from: 'body.tenantId' },
  body: CreateTenantInvitation,
  response: TenantInvitation,
  errors: ['not_found', 'member_exists', 'invitation_exists', 'message_quota_reached'],
  example: {
    body: { tenantId: sample.tenantId, email: 'grace@acme.example', roleViewUsers: true },
    response: sample.invitation,
  },
})

const idParams = object({ id: plainId() })
const allFlags = 'Sets all nine flags; those that are left out become false.'

export const updateTenantMember = endpoint({
  id: 'updateTenantMember',
  method: 'PATCH',
  path: '/tenants/members/{id}',
  tag,
  summary: "Change a member's flags and the time at which they end",
  description: `${allFlags} With \`expiresAt\`, the rights of the member end at that time, by the clock of the server. The last member with roleAdmin can neither lose it nor be given an \`expiresAt\`.`,
  permission: 'admin',
  tenant: { locates: 'tenant_members', by: 'params.id' },
  params: idParams,
  query: object(recordBasis),
  body: UpdateTenantMember,
  response: TenantMember,
  errors: ['not_found', 'last_admin', 'changed_meanwhile'],
  example: { params: { id: sample.memberId }, body: { roleViewUsers: true }, response: sample.member },
})

export const deleteTenantMember = endpoint({
  id: 'deleteTenantMember',
  method: 'DELETE',
  path: '/tenants/members/{id}',
  tag,
  summary: 'Remove a member from a tenant',
  description: 'The account at the console remains. The last member with roleAdmin cannot be removed.',
  permission: 'admin',
  tenant: { locates: 'tenant_members', by: 'params.id' },
  params: idParams,
  response: boolean(),
  errors: ['not_found', 'last_admin'],
  example: { params: { id: sample.memberId }, response: true },
})

export const updateTenantInvitation = endpoint({
  id: 'updateTenantInvitation',
  method: 'PATCH',
  path: '/tenants/invitations/{id}',
  tag,
  summary: "Change an invitation's flags and the time at which the rights end",
  description: `${allFlags} With \`expiresAt\`, the rights end at that time, and so does the invitation.`,
  permission: 'admin',
  tenant: { locates: 'tenant_invitations', by: 'params.id' },
  params: idParams,
  body: UpdateTenantMember,
  response: TenantInvitation,
  errors: ['not_found'],
  example: { params: { id: sample.invitationId }, body: { roleViewUsers: true }, response: sample.invitation },
})

export const deleteTenantInvitation = endpoint({
  id: 'deleteTenantInvitation',
  method: 'DELETE',
  path: '/tenants/invitations/{id}',
  tag,
  summary: 'Revoke an invitation',
  permission: 'admin',
  tenant: { locates: 'tenant_invitations', by: 'params.id' },
  params: idParams,
  response: boolean(),
  errors: ['not_found'],
  example: { params: { id: sample.invitationId }, response: true },
})
