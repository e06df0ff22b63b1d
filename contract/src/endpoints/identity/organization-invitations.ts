import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { object, page, pageQuery, plainId } from '../../schema.ts'
import {
  CreateOrganizationInvitation,
  OrganizationInvitation,
  UpdateOrganizationInvitation,
} from '../../shapes/identity/organization.ts'

const tag = 'Organization invitations'
const params = object({ id: plainId() })
const idExample = { params: { id: sample.organizationInvitation.id } }

export const createOrganizationInvitation = endpoint({
  id: 'createOrganizationInvitation',
  method: 'POST',
  path: '/auth/organization-invitations',
  tag,
  summary: 'Invite a user to an organization',
  description: '`userId`, if present, must be the user with that e-mail address.',
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'body.organizationId' },
  body: CreateOrganizationInvitation,
  isBodyExact: true,
  response: OrganizationInvitation,
  errors: [
    'not_found',
    'member_exists',
    'invitation_exists',
    'membership_limit_reached',
    'message_quota_reached',
    'hook_denied',
  ],
  example: {
    body: { organizationId: sample.organizationId, email: 'grace@acme.example', roleId: sample.roleId },
    response: sample.organizationInvitation,
  },
})

export const listOrganizationInvitations = endpoint({
  id: 'listOrganizationInvitations',
  method: 'GET',
  path: '/auth/organizations/{organizationId}/organization-invitations',
  tag,
  summary: 'List the invitations of an organization',
  permission: 'organizations:read',
  tenant: { locates: 'organizations', by: 'params.organizationId' },
  params: object({ organizationId: plainId() }),
  query: pageQuery,
  response: page(OrganizationInvitation),
  errors: ['not_found'],
  example: { params: { organizationId: sample.organizationId }, response: pageOf(sample.organizationInvitation) },
})

export const getOrganizationInvitation = endpoint({
  id: 'getOrganizationInvitation',
  method: 'GET',
  path: '/auth/organization-invitations/{id}',
  tag,
  summary: 'Read an organization invitation',
  permission: 'organizations:read',
  tenant: { locates: 'organization_invitations', by: 'params.id' },
  params,
  response: OrganizationInvitation,
  errors: ['not_found'],
  example: { ...idExample, response: sample.organizationInvitation },
})

export const updateOrganizationInvitation = endpoint({
  id: 'updateOrganizationInvitation',
  method: 'PUT',
  path: '/auth/organization-invitations/{id}',
  tag,
  summary: 'Change an organization invitation',
  description: 'Properties that the body leaves out stay as they are; null removes the role.',
  permission: 'organizations:write',
  tenant: { locates: 'organization_invitations', by: 'params.id' },
  params,
  body: UpdateOrganizationInvitation,
  response: OrganizationInvitation,
  errors: ['not_found'],
  example: { ...idExample, body: { roleId: sample.roleId }, response: sample.organizationInvitation },
})

export const deleteOrganizationInvitation = endpoint({
  id: 'deleteOrganizationInvitation',
  method: 'DELETE',
  path: '/auth/organization-invitations/{id}',
  tag,
  summary: 'Remove an organization invitation',
  permission: 'organizations:write',
  tenant: { locates: 'organization_invitations', by: 'params.id' },
  params,
  response: OrganizationInvitation,
  errors: ['not_found'],
  example: { ...idExample, response: sample.organizationInvitation },
})
