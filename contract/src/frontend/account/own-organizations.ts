import { sample } from '../../examples.ts'
import {
  array,
  metaJson,
  nullableText,
  nullableTimestamp,
  object,
  optional,
  pageQuery,
  plainId,
  shortListQuery,
  text,
} from '../../schema.ts'
import {
  CreateOrganization,
  OrganizationSecurity,
  UpdateOrganization,
  UpdateOrganizationSecurity,
  membershipEnds,
  membershipLifetime,
} from '../../shapes/identity/organization.ts'
import { UserRole } from '../../shapes/identity/user.ts'
import { frontendEndpoint, listExample, listOf } from '../frontend-endpoint.ts'
import { FellowMember, OwnOrganization, ReceivedInvitation, SentInvitation } from '../organization-shapes.ts'
import { idParams } from '../shapes.ts'

const { name, slug, imageUri, description } = UpdateOrganization.properties
const CreateOwnOrganization = object({ name: CreateOrganization.properties.name, slug, imageUri, description })
const roleId = optional(
  nullableText({
    minLength: 1,
    maxLength: 256,
    description: 'The id of a role that you can assign: see `assignableBy` of roles',
  }),
)
const metas = { publicMeta: optional(metaJson()) }
const metaRule =
  'publicMeta needs the permission org:members:meta, which no role has by default, because servers of the tenant can rely on it. Only the tenant can set privateMeta.'
const memberParams = object({ id: plainId(), memberId: plainId() })
const invitationParams = object({ id: plainId(), invitationId: plainId() })

const sampleRole = { id: sample.role.id, name: 'admin', description: null, permissions: ['org:manage'] }
/** Without the properties that members do not see. */
const only = (shape: { readonly properties: object }, record: object) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => field in shape.properties))
const sampleOrganization = only(OwnOrganization, { ...sample.organization, role: sampleRole })
const params = { id: sample.organization.id }
const organization = { organization: sampleOrganization }
const memberExample = { params: { ...params, memberId: sample.organizationMember.id } }
const sampleMember = only(FellowMember, sample.organizationMember)
const member = { member: sampleMember }
const expiresAt = '2026-07-08T09:30:00.000000Z'
const sampleInvitation = only(SentInvitation, { ...sample.organizationInvitation, role: sampleRole, expiresAt })
const sampleReceived = {
  id: sample.organizationInvitation.id,
  email: sample.organizationInvitation.email,
  expiresAt,
  organization: { id: sample.organization.id, name: sample.organization.name, imageUri: null },
}
const invitationExample = { params: { ...params, invitationId: sample.organizationInvitation.id } }
const invitation = { invitation: sampleInvitation }

const common = { tag: 'Own organizations', session: 'required' } as const
const ofOrganization = { ...common, data: object({ organization: OwnOrganization }) } as const
const ofMember = { ...common, tag: 'Members of own organizations', data: object({ member: FellowMember }) } as const
const ofInvitation = {
  ...common,
  tag: 'Invitations to own organizations',
  data: object({ invitation: SentInvitation }),
} as const

export const listOwnOrganizations = frontendEndpoint({
  ...common,
  id: 'listOwnOrganizations',
  method: 'GET',
  path: '/user/organizations',
  summary: "List the user's organizations, newest membership first",
  description: "Each has the user's role in it and the number of its members.",
  query: pageQuery,
  data: object({
    ...listOf('organizations', OwnOrganization).properties,
    prev: nullableTimestamp({ description: 'The same as `meta.prev`, for clients that are older than `meta`' }),
    next: nullableTimestamp({ description: 'The same as `meta.next`, for clients that are older than `meta`' }),
  }),
  errors: [],
  example: { response: { ...listExample('organizations', sampleOrganization), prev: null, next: null } },
})

export const createOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'createOwnOrganization',
  method: 'POST',
  path: '/user/organizations',
  summary: 'Create an organization, in which the user gets the role `admin`',
  description: 'Without a slug, the slug is made from the name. A user can create at most twenty a day.',
  body: CreateOwnOrganization,
  errors: ['organization_slug_taken', 'too_many_attempts'],
  example: { body: { name: 'Research' }, response: organization },
})

export const getOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'getOwnOrganization',
  method: 'GET',
  path: '/user/organizations/{id}',
  summary: 'Read an organization of the user, and the roles that the user can assign in it',
  description:
    "`role` is the user's own role. `roles` are those that the user can assign to others, as `assignableBy` of each role says; by default, the roles whose permissions the user has.",
  params: idParams,
  data: object({
    organization: OwnOrganization,
    roles: array(UserRole),
    permissions: array(text(), { description: "What the user's own role and groups allow together" }),
  }),
  errors: [],
  example: { params, response: { ...organization, roles: [sampleRole], permissions: sampleRole.permissions } },
})

const security = {
  security: {
    organizationId: sample.organization.id,
    secondFactorRequired: true,
    allowedStrategies: [],
    sessionMaximumLifetime: null,
    membersWithoutFactor: 2,
  },
}

export const getOwnOrganizationSecurity = frontendEndpoint({
  ...common,
  id: 'getOwnOrganizationSecurity',
  method: 'GET',
  path: '/user/organizations/{id}/security',
  summary: 'Read what an organization requires of the sessions that act for it',
  description: 'Needs the permission org:manage.',
  params: idParams,
  data: object({ security: OrganizationSecurity }),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params, response: security },
})

export const updateOwnOrganizationSecurity = frontendEndpoint({
  ...common,
  id: 'updateOwnOrganizationSecurity',
  method: 'PUT',
  path: '/user/organizations/{id}/security',
  summary: 'Change what an organization requires of the sessions that act for it',
  description:
    "Needs the permission org:manage, and a session that fulfils the new rules. Properties that the body leaves out stay as they are. A rule that is weaker than the tenant's own is refused.",
  params: idParams,
  body: UpdateOrganizationSecurity,
  data: object({ security: OrganizationSecurity }),
  errors: ['reauthentication_required', 'second_factor_required', 'last_manager'],
  example: { params, body: { secondFactorRequired: true }, response: security },
})

export const listOrganizationRoles = frontendEndpoint({
  ...common,
  id: 'listOrganizationRoles',
  method: 'GET',
  path: '/user/organizations/{id}/roles',
  summary: 'List the roles that the user can assign in an organization',
  description: 'These are the same as `roles` of the organization, newest first.',
  params: idParams,
  query: shortListQuery,
  data: listOf('roles', UserRole),
  errors: [],
  example: { params, response: listExample('roles', sampleRole) },
})

export const updateOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'updateOwnOrganization',
  method: 'PATCH',
  alsoAs: ['PUT'],
  path: '/user/organizations/{id}',
  summary: 'Change the name, slug, picture or description of an organization',
  description: 'Needs the permission org:manage. PUT does the same.',
  params: idParams,
  body: object({ name, slug, imageUri, description }),
  errors: ['organization_slug_taken', 'reauthentication_required', 'second_factor_required'],
  example: { params, body: { name: 'Research' }, response: organization },
})

export const deleteOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'deleteOwnOrganization',
  method: 'DELETE',
  path: '/user/organizations/{id}',
  summary: 'Delete an organization',
  description: 'Needs the permission org:delete, and a tenant that lets members delete organizations.',
  params: idParams,
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params, response: organization },
})

export const listFellowMembers = frontendEndpoint({
  ...ofMember,
  id: 'listFellowMembers',
  method: 'GET',
  path: '/user/organizations/{id}/members',
  summary: 'List the members of an organization',
  description: 'Lists the newest first. Every member can see the other members.',
  params: idParams,
  query: pageQuery,
  data: listOf('members', FellowMember),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params, response: listExample('members', sampleMember) },
})

export const addFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'addFellowMember',
  method: 'POST',
  path: '/user/organizations/{id}/members',
  summary: 'Make a user of the tenant a member',
  description: `Needs the permission org:members:manage. ${metaRule}`,
  params: idParams,
  body: object({ userId: plainId(), roleId, ...membershipEnds, ...metas }),
  errors: ['member_exists', 'membership_limit_reached', 'reauthentication_required', 'second_factor_required'],
  example: { params, body: { userId: sample.user.id }, response: member },
})

export const updateFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'updateFellowMember',
  method: 'PATCH',
  alsoAs: ['PUT'],
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'Change the role of a member, or when it ends',
  description:
    'Needs the permission org:members:manage, and a new role that the user can assign. The old role must be one that the user can assign, or whose permissions the user has. ' +
    metaRule,
  params: memberParams,
  body: object({ roleId: optional(nullableText({ minLength: 1, maxLength: 256 })), ...membershipEnds, ...metas }),
  errors: ['last_manager', 'managed_by_directory', 'reauthentication_required', 'second_factor_required'],
  example: { ...memberExample, body: { roleId: null }, response: member },
})

export const getFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'getFellowMember',
  method: 'GET',
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'Read a member of an organization',
  description: 'Every member can see the other members.',
  params: memberParams,
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { ...memberExample, response: member },
})

export const removeFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'removeFellowMember',
  method: 'DELETE',
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'Remove a member, or leave the organization',
  description: "Needs the permission org:members:manage, except for the user's own membership.",
  params: memberParams,
  errors: ['last_manager', 'managed_by_directory', 'reauthentication_required', 'second_factor_required'],
  example: { ...memberExample, response: member },
})

export const leaveOrganization = frontendEndpoint({
  ...ofMember,
  id: 'leaveOrganization',
  method: 'DELETE',
  path: '/user/organizations/{id}/membership',
  summary: 'Leave an organization',
  description: "This is the same as removing the user's own membership by its id.",
  params: idParams,
  errors: ['last_manager', 'managed_by_directory'],
  example: { params, response: member },
})

export const listSentInvitations = frontendEndpoint({
  ...ofInvitation,
  id: 'listSentInvitations',
  method: 'GET',
  path: '/user/organizations/{id}/invitations',
  summary: 'List the invitations to an organization',
  description: 'Like all operations on invitations, this requires the permission org:invitations:manage.',
  params: idParams,
  query: pageQuery,
  data: listOf('invitations', SentInvitation),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params, response: listExample('invitations', sampleInvitation) },
})

export const sendInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'sendInvitation',
  method: 'POST',
  path: '/user/organizations/{id}/invitations',
  summary: 'Invite an e-mail address; the invitation is valid for seven days',
  description:
    'Needs the permission org:invitations:manage, and a role that the user can assign. With the link in the e-mail a new user can sign up even if sign-up is off.',
  params: idParams,
  body: object({ email: text({ format: 'email' }), roleId, membershipLifetime }),
  errors: [
    'hook_denied',
    'invitation_exists',
    'member_exists',
    'membership_limit_reached',
    'message_quota_reached',
    'reauthentication_required',
    'second_factor_required',
    'too_many_attempts',
  ],
  example: { params, body: { email: 'grace@acme.example' }, response: invitation },
})

export const getSentInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'getSentInvitation',
  method: 'GET',
  path: '/user/organizations/{id}/invitations/{invitationId}',
  summary: 'Read an invitation to an organization',
  description: 'Needs the permission org:invitations:manage.',
  params: invitationParams,
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { ...invitationExample, response: invitation },
})

export const updateSentInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'updateSentInvitation',
  method: 'PATCH',
  alsoAs: ['PUT'],
  path: '/user/organizations/{id}/invitations/{invitationId}',
  summary: 'Change the role of an invitation, or how long the membership lasts',
  description: 'Needs the permission org:invitations:manage, and a role that the user can assign. PUT does the same.',
  params: invitationParams,
  body: object({ roleId, membershipLifetime }),
  errors: ['invitation_invalid', 'reauthentication_required', 'second_factor_required'],
  example: { ...invitationExample, body: { roleId: null }, response: invitation },
})

export const listReceivedInvitations = frontendEndpoint({
  ...common,
  tag: 'Invitations to own organizations',
  id: 'listReceivedInvitations',
  method: 'GET',
  path: '/user/organizations/invitations',
  summary: 'List the open invitations that the user has received, newest first',
  description: 'Returns the invitations to verified addresses of the user, a hundred at most.',
  query: pageQuery,
  data: listOf('invitations', ReceivedInvitation),
  errors: [],
  example: { response: listExample('invitations', sampleReceived) },
})

const received =
  'For the user with the invited address: send the token of the link as `code`, or have the address verified.'

export const acceptReceivedInvitation = frontendEndpoint({
  ...ofOrganization,
  id: 'acceptReceivedInvitation',
  method: 'POST',
  path: '/user/organizations/{id}/invitations/{invitationId}/accept',
  summary: 'Accept an invitation by its id',
  description: received,
  params: invitationParams,
  body: object({ code: optional(text({ minLength: 1, maxLength: 128 })) }),
  errors: ['invitation_invalid', 'member_exists', 'membership_limit_reached'],
  example: { ...invitationExample, body: {}, response: organization },
})

export const declineReceivedInvitation = frontendEndpoint({
  ...common,
  tag: 'Invitations to own organizations',
  id: 'declineReceivedInvitation',
  method: 'POST',
  path: '/user/organizations/{id}/invitations/{invitationId}/decline',
  summary: 'Decline an invitation by its id',
  description: received,
  params: invitationParams,
  body: object({ code: optional(text({ minLength: 1, maxLength: 128 })) }),
  data: object({ declined: text({ description: 'Its id' }) }),
  errors: ['invitation_invalid'],
  example: { ...invitationExample, body: {}, response: { declined: sample.organizationInvitation.id } },
})

export const resendInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'resendInvitation',
  method: 'POST',
  path: '/user/organizations/{id}/invitations/{invitationId}/resend',
  summary: 'Send an invitation again, for another seven days; the previous link becomes invalid',
  description: 'Needs the permission org:invitations:manage.',
  params: invitationParams,
  errors: [
    'invitation_invalid',
    'message_quota_reached',
    'reauthentication_required',
    'second_factor_required',
    'too_many_attempts',
  ],
  example: { ...invitationExample, response: invitation },
})

export const revokeInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/user/organizations/{id}/invitations/{invitationId}',
  summary: 'Revoke an invitation',
  description:
    'Its link becomes invalid. Needs the permission org:invitations:manage, whatever the role of the invitation.',
  params: invitationParams,
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { ...invitationExample, response: invitation },
})

const tokenParams = object({ token: text({ minLength: 1, maxLength: 128 }) })
const tokenExample = { params: { token: 'oi_9f8e7d6c5b4a3928' } }

export const getInvitation = frontendEndpoint({
  ...common,
  id: 'getInvitation',
  method: 'GET',
  path: '/invitations/{token}',
  summary: 'Read an invitation by the token of its link',
  description: 'For everyone who has the link of the message, with or without an account.',
  session: 'optional',
  params: tokenParams,
  data: object({ invitation: ReceivedInvitation }),
  errors: ['invitation_invalid'],
  example: { ...tokenExample, response: { invitation: sampleReceived } },
})

export const acceptInvitation = frontendEndpoint({
  ...ofOrganization,
  id: 'acceptInvitation',
  method: 'POST',
  path: '/invitations/{token}/accept',
  summary: 'Accept an invitation with the token of its link',
  description: "The invited address must be one of the user's addresses. The link proves that the user reads it.",
  params: tokenParams,
  errors: ['invitation_invalid', 'member_exists', 'membership_limit_reached'],
  example: { ...tokenExample, response: organization },
})

export const declineInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'declineInvitation',
  method: 'POST',
  path: '/invitations/{token}/decline',
  summary: 'Decline an invitation, with or without an account',
  description: 'The token of the link is enough; the link is invalid afterwards.',
  session: 'optional',
  params: tokenParams,
  data: object({ declined: text({ description: 'Its id' }) }),
  errors: ['invitation_invalid'],
  example: { ...tokenExample, response: { declined: sample.organizationInvitation.id } },
})
