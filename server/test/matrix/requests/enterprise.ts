// Requests of connections of organizations.
import { type Requests, onOrganization, onRecord } from '../request-kinds.ts'
import type { Names, World } from '../world.ts'

const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'client', clientSecret: 'secret' }

/** Rules of one group, which gives one role. */
const groupRules = {
  valid: ({ connectionId, scimGroupId, roleId }: World) => ({
    params: { id: connectionId },
    body: { rules: [{ groupId: scimGroupId, roleId }] },
  }),
  foreign: (own: World, other: Names) => [
    {
      naming: 'id' as const,
      request: { params: { id: other.connectionId }, body: { rules: [] } },
      answer: 'not_found' as const,
    },
    {
      naming: 'groupId' as const,
      request: {
        params: { id: own.connectionId },
        body: { rules: [{ groupId: other.scimGroupId, roleId: own.roleId }] },
      },
      answer: { issueAt: '/rules/0/groupId' },
    },
    {
      naming: 'roleId' as const,
      request: {
        params: { id: own.connectionId },
        body: { rules: [{ groupId: own.scimGroupId, roleId: other.roleId }] },
      },
      answer: { issueAt: '/rules/0/roleId' },
    },
  ],
}

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
  checkConnection: onRecord('connectionId'),
  testConnection: onRecord('connectionId'),
  getConnectionTest: onRecord('connectionId'),
  previewConnection: onRecord('connectionId'),
  createScimToken: {
    valid: ({ connectionId }) => ({ params: { id: connectionId }, body: { name: 'Another token' } }),
    foreign: (_own, { connectionId }) => [
      { naming: 'id', request: { params: { id: connectionId }, body: { name: 'Taken' } }, answer: 'not_found' },
    ],
  },
  listScimTokens: onRecord('connectionId'),
  deleteScimToken: {
    valid: ({ connectionId, spareScimTokenId }) => ({ params: { id: connectionId, tokenId: spareScimTokenId } }),
    foreign: (own, other) => [
      {
        naming: 'id',
        request: { params: { id: other.connectionId, tokenId: own.spareScimTokenId } },
        answer: 'not_found',
      },
      {
        naming: 'tokenId',
        request: { params: { id: own.connectionId, tokenId: other.spareScimTokenId } },
        answer: 'not_found',
      },
    ],
  },
  listScimGroups: onRecord('connectionId'),
  getGroupRules: onRecord('connectionId'),
  updateGroupRules: groupRules,
  previewGroupRules: groupRules,
  listScimLog: onRecord('connectionId'),
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
