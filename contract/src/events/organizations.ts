// Events of organizations, their members, invitations and domains.
import { boolean, integer, nullableInteger, nullableText, object, optional, text, timestamp } from '../schema.ts'
import { OrganizationSecurity } from '../shapes/identity/organization.ts'
import { RoleDetails } from '../shapes/tenancy/role.ts'
import { change, event, roleId } from './event-definition.ts'

const organization = {
  name: text(),
  slug: text(),
  imageUri: nullableText(),
  description: optional(nullableText({ description: 'Missing in events of earlier versions' })),
}
const { organizationId: _id, membersWithoutFactor: _count, ...security } = OrganizationSecurity.properties
const organizationId = { organizationId: text() }
const membership = object({ ...organizationId, userId: text(), ...roleId })
const ends = {
  expiresAt: optional(nullableText({ description: 'When the membership ends. Missing in events of earlier versions' })),
  roleExpiresAt: optional(nullableText({ description: 'When the role ends. Missing in events of earlier versions' })),
}
const group = { name: text(), ...roleId, scimGroupId: nullableText() }
const { name, description, permissions, assignableBy, requiresSecondFactor } = RoleDetails.properties
const role = { name, description, permissions, assignableBy, requiresSecondFactor }
const groupMember = { ...organizationId, memberId: text(), userId: text() }
const groupEnd = {
  expiresAt: optional(
    nullableText({ description: 'When the member leaves the group. Missing in events of earlier versions' }),
  ),
}
const invitation = object({ ...organizationId, ...roleId })
const membershipLifetime = {
  membershipLifetime: optional(nullableInteger({ description: 'In seconds. Missing in events of earlier versions' })),
}
const domain = { ...organizationId, name: text() }
const reason = { reason: nullableText({ description: 'Why the domain could not be verified' }) }

export const organizationEvents = {
  'organization.created': event({
    subject: 'organization',
    permission: 'organizations:read',
    sentence: 'An organization was created.',
    data: object({ name: text(), slug: text() }),
  }),
  'organization.updated': event({
    subject: 'organization',
    permission: 'organizations:read',
    sentence: 'An organization was changed.',
    data: object(change(organization)),
  }),
  'organization.security_updated': event({
    subject: 'organization',
    permission: 'organizations:read',
    sentence: 'What an organization requires of the sessions that act for it was changed.',
    data: object(change(security)),
  }),
  'organization.deleted': event({
    subject: 'organization',
    permission: 'organizations:read',
    sentence: 'An organization was deleted with its memberships and invitations.',
    data: object({ before: object(organization), members: integer({ description: 'How many members it had' }) }),
  }),
  'organization_membership.created': event({
    subject: 'organization_membership',
    permission: 'organizations:read',
    sentence: 'A user became a member of an organization.',
    data: membership,
  }),
  'organization_membership.updated': event({
    subject: 'organization_membership',
    permission: 'organizations:read',
    sentence: 'The role, the end or the metadata of a member of an organization was changed.',
    data: object({ userId: text(), ...change({ ...roleId, ...ends }) }),
  }),
  'organization_membership.deleted': event({
    subject: 'organization_membership',
    permission: 'organizations:read',
    sentence: 'A user is no longer a member of an organization.',
    data: membership,
  }),
  'organization_membership.expired': event({
    subject: 'organization_membership',
    permission: 'organizations:read',
    sentence: 'The time of a membership of an organization has ended, and with it the membership.',
    data: membership,
  }),
  'organization_membership.role_expired': event({
    subject: 'organization_membership',
    permission: 'organizations:read',
    sentence: 'The time of the role of a member of an organization has ended, and with it the role.',
    data: membership,
  }),
  'organization_group.created': event({
    subject: 'organization_group',
    permission: 'organizations:read',
    sentence: 'A group was created in an organization.',
    data: object({ ...organizationId, ...group }),
  }),
  'organization_group.updated': event({
    subject: 'organization_group',
    permission: 'organizations:read',
    sentence: 'A group of an organization was changed.',
    data: object({ ...organizationId, ...change(group) }),
  }),
  'organization_group.deleted': event({
    subject: 'organization_group',
    permission: 'organizations:read',
    sentence: 'A group of an organization was deleted.',
    data: object({ ...organizationId, before: object(group) }),
  }),
  'organization_group.member_added': event({
    subject: 'organization_group',
    permission: 'organizations:read',
    sentence: 'A member of an organization was added to a group.',
    data: object({ ...groupMember, ...groupEnd }),
  }),
  'organization_group.member_updated': event({
    subject: 'organization_group',
    permission: 'organizations:read',
    sentence: 'The time at which a member of an organization leaves a group was changed.',
    data: object({ ...groupMember, ...change(groupEnd) }),
  }),
  'organization_group.member_expired': event({
    subject: 'organization_group',
    permission: 'organizations:read',
    sentence: 'A member of an organization has left a group, because the membership in the group has expired.',
    data: object(groupMember),
  }),
  'organization_group.member_removed': event({
    subject: 'organization_group',
    permission: 'organizations:read',
    sentence: 'A member of an organization was removed from a group.',
    data: object(groupMember),
  }),
  'organization_role.created': event({
    subject: 'organization_role',
    permission: 'organizations:read',
    sentence: "A role of an organization's own was created.",
    data: object({ ...organizationId, ...role }),
  }),
  'organization_role.updated': event({
    subject: 'organization_role',
    permission: 'organizations:read',
    sentence: "A role of an organization's own was changed.",
    data: object({ ...organizationId, ...change(role) }),
  }),
  'organization_role.deleted': event({
    subject: 'organization_role',
    permission: 'organizations:read',
    sentence: "A role of an organization's own was deleted.",
    data: object({ ...organizationId, before: object(role) }),
  }),
  'organization_invitation.created': event({
    subject: 'organization_invitation',
    permission: 'organizations:read',
    sentence: 'An e-mail address was invited to an organization.',
    data: object({
      ...organizationId,
      ...roleId,
      domainId: nullableText({ description: 'The domain of the organization that caused the invitation' }),
      expiresAt: timestamp(),
      ...membershipLifetime,
    }),
  }),
  'organization_invitation.updated': event({
    subject: 'organization_invitation',
    permission: 'organizations:read',
    sentence: 'The role of an invitation, or how long the membership lasts, was changed.',
    data: object(change({ ...roleId, ...membershipLifetime })),
  }),
  'organization_invitation.resent': event({
    subject: 'organization_invitation',
    permission: 'organizations:read',
    sentence: 'An invitation was sent again with a new link.',
    data: invitation,
  }),
  'organization_invitation.accepted': event({
    subject: 'organization_invitation',
    permission: 'organizations:read',
    sentence: 'An invitation to an organization was accepted.',
    data: invitation,
  }),
  'organization_invitation.declined': event({
    subject: 'organization_invitation',
    permission: 'organizations:read',
    sentence: 'An invitation to an organization was declined.',
    data: invitation,
  }),
  'organization_invitation.deleted': event({
    subject: 'organization_invitation',
    permission: 'organizations:read',
    sentence: 'An invitation to an organization was revoked.',
    data: invitation,
  }),
  'organization_domain.created': event({
    subject: 'organization_domain',
    permission: 'organizations:read',
    sentence: 'An organization claimed a domain.',
    data: object(domain),
  }),
  'organization_domain.verified': event({
    subject: 'organization_domain',
    permission: 'organizations:read',
    sentence: "An organization's domain was verified.",
    data: object({
      ...domain,
      ...reason,
      byAuthority: optional(
        boolean({ description: 'Whether the tenant marked the domain as verified without a TXT record' }),
      ),
    }),
  }),
  'organization_domain.verification_failed': event({
    subject: 'organization_domain',
    permission: 'organizations:read',
    sentence: "An organization's domain could not be verified.",
    data: object({ ...domain, ...reason }),
  }),
  'organization_domain.deleted': event({
    subject: 'organization_domain',
    permission: 'organizations:read',
    sentence: 'A domain was removed from an organization.',
    data: object(domain),
  }),
}
