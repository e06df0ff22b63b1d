import { sample } from '../examples.ts'
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
} from '../schema.ts'
import { UserRole } from '../shapes/user.ts'
import { CreateOrganization, UpdateOrganization } from '../shapes/organization.ts'
import { frontendEndpoint, listExample, listOf } from './frontend-endpoint.ts'
import { FellowMember, OwnOrganization, ReceivedInvitation, SentInvitation } from './organization-shapes.ts'
import { idParams } from './shapes.ts'

const { name, slug, imageUri, description } = UpdateOrganization.properties
const CreateOwnOrganization = object({ name: CreateOrganization.properties.name, slug, imageUri, description })
const roleId = optional(
  nullableText({ minLength: 1, maxLength: 256, description: 'A role that you may give: see assignableBy of roles' }),
)
const metas = { publicMeta: optional(metaJson()) }
const metaRule =
  'publicMeta needs the permission org:members:meta, which no role has by default, because servers of the tenant may trust it. privateMeta is set by the tenant alone.'
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
  summary: 'The organizations that the user is a member of, newest membership first',
  description: 'Each with the role of the user in it and the number of its members.',
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
  summary: 'Create an organization, in which the user gets the role admin',
  description: 'If no slug is given, it is made from the name. A user creates at most twenty a day.',
  body: CreateOwnOrganization,
  errors: ['organization_slug_taken', 'too_many_attempts'],
  example: { body: { name: 'Research' }, response: organization },
})

export const getOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'getOwnOrganization',
  method: 'GET',
  path: '/user/organizations/{id}',
  summary: 'An organization of the user, and the roles that the user may give in it',
  description:
    "`role` is the user's own. `roles` are those that the user may give to others, as `assignableBy` of each role says; without more, those whose permissions the user has.",
  params: idParams,
  data: object({ organization: OwnOrganization, roles: array(UserRole) }),
  errors: [],
  example: { params, response: { ...organization, roles: [sampleRole] } },
})

export const listOrganizationRoles = frontendEndpoint({
  ...common,
  id: 'listOrganizationRoles',
  method: 'GET',
  path: '/user/organizations/{id}/roles',
  summary: 'The roles that the user may give in an organization',
  description: 'The same as `roles` of the organization, newest first.',
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
  summary: 'Change name, slug, picture or description',
  description: 'Needs the permission org:manage. PUT does the same.',
  params: idParams,
  body: object({ name, slug, imageUri, description }),
  errors: ['organization_slug_taken'],
  example: { params, body: { name: 'Research' }, response: organization },
})

export const deleteOwnOrganization = frontendEndpoint({
  ...ofOrganization,
  id: 'deleteOwnOrganization',
  method: 'DELETE',
  path: '/user/organizations/{id}',
  summary: 'Delete an organization',
  description: 'Needs the permission org:delete, and a tenant that lets organizations be deleted by their members.',
  params: idParams,
  errors: ['reauthentication_required'],
  example: { params, response: organization },
})

export const listFellowMembers = frontendEndpoint({
  ...ofMember,
  id: 'listFellowMembers',
  method: 'GET',
  path: '/user/organizations/{id}/members',
  summary: 'The members of an organization',
  description: 'Newest first. Every member may see the others.',
  params: idParams,
  query: pageQuery,
  data: listOf('members', FellowMember),
  errors: [],
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
  body: object({ userId: plainId(), roleId, ...metas }),
  errors: ['member_exists', 'membership_limit_reached'],
  example: { params, body: { userId: sample.user.id }, response: member },
})

export const updateFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'updateFellowMember',
  method: 'PATCH',
  alsoAs: ['PUT'],
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'Change the role of a member',
  description:
    'Needs the permission org:members:manage, and a new role that the user may give. The old role must be one that the user may give, or whose permissions the user has. ' +
    metaRule,
  params: memberParams,
  body: object({ roleId: optional(nullableText({ minLength: 1, maxLength: 256 })), ...metas }),
  errors: ['last_manager'],
  example: { ...memberExample, body: { roleId: null }, response: member },
})

export const getFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'getFellowMember',
  method: 'GET',
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'A member of an organization',
  description: 'Every member may see the others.',
  params: memberParams,
  errors: [],
  example: { ...memberExample, response: member },
})

export const removeFellowMember = frontendEndpoint({
  ...ofMember,
  id: 'removeFellowMember',
  method: 'DELETE',
  path: '/user/organizations/{id}/members/{memberId}',
  summary: 'Remove a member, or leave',
  description: "Needs the permission org:members:manage, except for the user's own membership.",
  params: memberParams,
  errors: ['last_manager'],
  example: { ...memberExample, response: member },
})

export const leaveOrganization = frontendEndpoint({
  ...ofMember,
  id: 'leaveOrganization',
  method: 'DELETE',
  path: '/user/organizations/{id}/membership',
  summary: 'Leave an organization',
  description: "The same as removing the user's own membership by its id.",
  params: idParams,
  errors: ['last_manager'],
  example: { params, response: member },
})

export const listSentInvitations = frontendEndpoint({
  ...ofInvitation,
  id: 'listSentInvitations',
  method: 'GET',
  path: '/user/organizations/{id}/invitations',
  summary: 'The invitations to an organization',
  description: 'Like all operations on invitations, it requires the permission org:invitations:manage.',
  params: idParams,
  query: pageQuery,
  data: listOf('invitations', SentInvitation),
  errors: [],
  example: { params, response: listExample('invitations', sampleInvitation) },
})

export const sendInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'sendInvitation',
  method: 'POST',
  path: '/user/organizations/{id}/invitations',
  summary: 'Invite an address; valid for seven days',
  description:
    'Needs the permission org:invitations:manage, and a role that the user may give. The link in the e-mail also lets the person sign up if sign-up is off.',
  params: idParams,
  body: object({ email: text({ format: 'email' }), roleId }),
  errors: [
    'invitation_exists',
    'member_exists',
    'membership_limit_reached',
    'message_quota_reached',
    'too_many_attempts',
  ],
  example: { params, body: { email: 'grace@acme.example' }, response: invitation },
})

export const getSentInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'getSentInvitation',
  method: 'GET',
  path: '/user/organizations/{id}/invitations/{invitationId}',
  summary: 'An invitation to an organization',
  description: 'Needs the permission org:invitations:manage.',
  params: invitationParams,
  errors: [],
  example: { ...invitationExample, response: invitation },
})

export const updateSentInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'updateSentInvitation',
  method: 'PATCH',
  alsoAs: ['PUT'],
  path: '/user/organizations/{id}/invitations/{invitationId}',
  summary: 'Change the role that an invitation gives',
  description: 'Needs the permission org:invitations:manage, and a role that the user may give. PUT does the same.',
  params: invitationParams,
  body: object({ roleId: nullableText({ minLength: 1, maxLength: 256 }) }),
  errors: ['invitation_invalid'],
  example: { ...invitationExample, body: { roleId: null }, response: invitation },
})

const received =
  'For the user with the invited address: `code` is the token of the link, or the address is one that the user has verified.'

export const acceptReceivedInvitation = frontendEndpoint({
  ...ofOrganization,
  id: 'acceptReceivedInvitation',
  method: 'POST',
  path: '/user/organizations/{id}/invitations/{invitationId}/accept',
  summary: 'Join the organization that the signed-in user is invited to, by the id of the invitation',
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
  errors: ['invitation_invalid', 'message_quota_reached', 'too_many_attempts'],
  example: { ...invitationExample, response: invitation },
})

export const revokeInvitation = frontendEndpoint({
  ...ofInvitation,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/user/organizations/{id}/invitations/{invitationId}',
  summary: 'Revoke an invitation',
  description: 'Its link becomes invalid. Needs the permission org:invitations:manage, whatever role it gives.',
  params: invitationParams,
  errors: [],
  example: { ...invitationExample, response: invitation },
})

const tokenParams = object({ token: text({ minLength: 1, maxLength: 128 }) })
const tokenExample = { params: { token: 'oi_9f8e7d6c5b4a3928' } }

export const getInvitation = frontendEndpoint({
  ...common,
  id: 'getInvitation',
  method: 'GET',
  path: '/invitations/{token}',
  summary: 'Read what an invitation is for',
  description: 'For anybody who has the link of the message, with or without an account.',
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
  summary: 'Join the organization that the signed-in user is invited to',
  description:
    "The invited address must be one of the user's; the link that was sent to it proves that the user reads it.",
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
  description: 'The link of the message is the proof; it is invalid afterwards.',
  session: 'optional',
  params: tokenParams,
  data: object({ declined: text({ description: 'Its id' }) }),
  errors: ['invitation_invalid'],
  example: { ...tokenExample, response: { declined: sample.organizationInvitation.id } },
})
