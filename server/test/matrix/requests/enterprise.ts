// Requests of connections of organizations.
import { type Requests, onOrganization, onRecord } from '../request-kinds.ts'

const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'client', clientSecret: 'secret' }

export const enterpriseRequests = {
  createConnection: {
    valid: ({ organizationId, roleId }) => ({
      body: {
        organizationId,
        type: 'oidc',
        name: 'Staff',
        oidc,
        roleRules: [{ claim: null, value: null, roleId }],
      },
    }),
    foreign: (own, other) => [
      {
        naming: 'organizationId',
        request: { body: { organizationId: other.organizationId, type: 'oidc', name: 'Staff', oidc } },
        answer: 'not_found',
      },
      {
        naming: 'roleId',
        request: {
          body: {
            organizationId: own.organizationId,
            type: 'oidc',
            name: 'Staff',
            oidc,
            roleRules: [{ claim: null, value: null, roleId: other.roleId }],
          },
        },
        answer: { issueAt: '/roleRules/0/roleId' },
      },
      {
        naming: 'fallbackUserIds',
        request: {
          body: {
            organizationId: own.organizationId,
            type: 'oidc',
            name: 'Staff',
            oidc,
            fallbackUserIds: [other.userId],
          },
        },
        answer: { issueAt: '/fallbackUserIds/0' },
      },
    ],
  },
  listConnectionsOfOrganization: onOrganization,
  getConnection: onRecord('connectionId'),
  updateConnection: {
    valid: ({ connectionId }) => ({ params: { id: connectionId }, body: { name: 'All staff' } }),
    foreign: (own, other) => [
      { naming: 'id', request: { params: { id: other.connectionId }, body: { name: 'Taken' } }, answer: 'not_found' },
      {
        naming: 'roleId',
        request: {
          params: { id: own.connectionId },
          body: { roleRules: [{ claim: null, value: null, roleId: other.roleId }] },
        },
        answer: { issueAt: '/roleRules/0/roleId' },
      },
    ],
  },
  deleteConnection: onRecord('spareConnectionId'),
  listConnectionsOfUser: {
    valid: ({ userId }) => ({ params: { userId } }),
    foreign: (_own, { userId }) => [{ naming: 'userId', request: { params: { userId } }, answer: 'not_found' }],
  },
  deleteConnectionOfUser: {
    valid: ({ userId, connectionId }) => ({ params: { userId, id: connectionId } }),
    foreign: (own, other) => [
      {
        naming: 'userId',
        request: { params: { userId: other.userId, id: own.connectionId } },
        answer: 'not_found',
      },
      { naming: 'id', request: { params: { userId: own.userId, id: other.connectionId } }, answer: 'not_found' },
    ],
  },
  createSetupLink: {
    valid: ({ organizationId }) => ({ params: { organizationId }, body: { email: 'it@acme.example' } }),
    foreign: (_own, { organizationId }) => [
      {
        naming: 'organizationId',
        request: { params: { organizationId }, body: { email: 'it@acme.example' } },
        answer: 'not_found',
      },
    ],
  },
  listSetupLinks: onOrganization,
  deleteSetupLink: {
    valid: ({ organizationId, setupLinkId }) => ({ params: { organizationId, id: setupLinkId } }),
    foreign: (own, other) => [
      {
        naming: 'organizationId',
        request: { params: { organizationId: other.organizationId, id: own.setupLinkId } },
        answer: 'not_found',
      },
      {
        naming: 'id',
        request: { params: { organizationId: own.organizationId, id: other.setupLinkId } },
        answer: 'not_found',
      },
    ],
  },
} satisfies Requests
