// Invitations to own organizations: those that members send, and those that users receive.
import { sample } from '../../examples.ts'
import { object, optional, pageQuery, plainId, text } from '../../schema.ts'
import { membershipLifetime } from '../../shapes/identity/organization.ts'
import { frontendEndpoint, listExample, listOf } from '../frontend-endpoint.ts'
import { ReceivedInvitation, SentInvitation } from '../organization-shapes.ts'
import { idParams } from '../shapes.ts'
import { common, ofOrganization, only, organization, params, roleId, sampleRole } from './own-organization-parts.ts'

const invitationParams = object({ id: plainId(), invitationId: plainId() })
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

const ofInvitation = {
  ...common,
  tag: 'Invitations to own organizations',
  data: object({ invitation: SentInvitation }),
} as const

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
