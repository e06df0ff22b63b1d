// Requests of identity: organizations.
import { unique } from '../../harness/factories.ts'
import {
  type Requests,
  givingRole,
  inTenant,
  newEmail,
  onOrganization,
  onOrganizationDomain,
  onRecord,
  onTenant,
} from '../request-kinds.ts'

const security: Requests['updateOrganizationSecurity'] = {
  valid: ({ organizationId }) => ({ params: { id: organizationId }, body: { sessionMaximumLifetime: 86_400 } }),
  foreign: (_own, { organizationId }) => [
    {
      naming: 'id',
      request: { params: { id: organizationId }, body: { sessionMaximumLifetime: 86_400 } },
      answer: 'not_found',
    },
  ],
}

export const organizationsRequests = {
  listOrganizations: onTenant,
  getOrganization: onRecord('organizationId'),
  listOrganizationApiKeys: onRecord('organizationId'),
  updateOrganization: {
    valid: ({ organizationId }) => ({
      params: { id: organizationId },
      body: { name: 'Research', slug: unique(), imageUri: null, publicMeta: { a: 1 }, privateMeta: null },
    }),
    foreign: (_own, { organizationId }) => [
      { naming: 'id', request: { params: { id: organizationId }, body: { name: 'Taken' } }, answer: 'not_found' },
    ],
  },
  getOrganizationSecurity: onRecord('organizationId'),
  updateOrganizationSecurity: security,
  previewOrganizationSecurity: security,
  deleteOrganization: onRecord('spareOrganizationId'),
  listOrganizationMembers: onOrganization,
  getOrganizationMember: onRecord('organizationMemberId'),
  updateOrganizationMember: givingRole('organizationMemberId'),
  deleteOrganizationMember: onRecord('spareOrganizationMemberId'),
  listOrganizationInvitations: onOrganization,
  getOrganizationInvitation: onRecord('organizationInvitationId'),
  updateOrganizationInvitation: givingRole('organizationInvitationId'),
  deleteOrganizationInvitation: onRecord('spareOrganizationInvitationId'),
  listDomainsOfOrganization: onOrganization,
  createDomainOfOrganization: {
    valid: ({ organizationId }) => ({ params: { organizationId }, body: { name: `${unique()}.example` } }),
    foreign: (_own, { organizationId }) => [
      {
        naming: 'organizationId',
        request: { params: { organizationId }, body: { name: `${unique()}.example` } },
        answer: 'not_found',
      },
    ],
  },
  checkDomainOfOrganization: onOrganizationDomain('checkedOrganizationDomainId'),
  verifyDomainOfOrganization: onOrganizationDomain('organizationDomainId'),
  deleteDomainOfOrganization: onOrganizationDomain('spareOrganizationDomainId'),
  createOrganization: inTenant(({ tenantId }) => ({
    tenantId,
    name: 'Research',
    slug: unique(),
    imageUri: 'https://cdn.example/logo.png',
    publicMeta: {},
    privateMeta: null,
  })),
  createOrganizationInvitation: {
    valid: ({ organizationId, roleId }) => ({ body: { organizationId, email: newEmail(), roleId, userId: null } }),
    foreign: ({ organizationId }, other) => [
      {
        naming: 'organizationId',
        request: { body: { organizationId: other.organizationId, email: newEmail() } },
        answer: 'not_found',
      },
      {
        naming: 'roleId',
        request: { body: { organizationId, email: newEmail(), roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
      {
        naming: 'userId',
        request: { body: { organizationId, email: newEmail(), userId: other.userId } },
        answer: { issueAt: '/userId' },
      },
    ],
  },
  createOrganizationMember: {
    valid: ({ organizationId, userId, roleId }) => ({
      body: { organizationId, userId, roleId, publicMeta: { team: 1 }, privateMeta: 'note' },
    }),
    foreign: ({ organizationId, userId }, other) => [
      {
        naming: 'organizationId',
        request: { body: { organizationId: other.organizationId, userId } },
        answer: 'not_found',
      },
      {
        naming: 'userId',
        request: { body: { organizationId, userId: other.userId } },
        answer: { issueAt: '/userId' },
      },
      {
        naming: 'roleId',
        request: { body: { organizationId, userId, roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
    ],
  },
} satisfies Requests
