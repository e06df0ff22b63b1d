// Requests of identity: members, sessions, authenticators, attempts and statistics.
import {
  type Requests,
  inTenant,
  newEmail,
  onRecord,
  onTenant,
  queryingTenant,
  settingFlags,
} from '../request-kinds.ts'

export const identityRequests = {
  listTenantMembers: onTenant,
  createTenantMember: {
    valid: ({ tenantId, consoleEmail }) => ({ body: { tenantId, email: consoleEmail, roleViewUsers: true } }),
    foreign: () => [],
  },
  listTenantInvitations: onTenant,
  inviteTenantMember: inTenant(({ tenantId }) => ({ tenantId, email: newEmail(), roleEditUsers: true })),
  updateTenantMember: settingFlags('memberId'),
  deleteTenantMember: onRecord('spareMemberId'),
  updateTenantInvitation: settingFlags('invitationId'),
  deleteTenantInvitation: onRecord('spareInvitationId'),
  listTenantSessions: onTenant,
  listUserSessions: {
    valid: ({ sessionUserId }) => ({ params: { userId: sessionUserId } }),
    foreign: (_own, { sessionUserId }) => [
      { naming: 'userId', request: { params: { userId: sessionUserId } }, answer: 'not_found' },
    ],
  },
  listUserAuthenticators: onRecord('authenticatorUserId'),
  deleteUserAuthenticator: {
    valid: ({ authenticatorUserId, spareAuthenticatorId }) => ({
      params: { userId: authenticatorUserId, id: spareAuthenticatorId },
    }),
    foreign: (own, { authenticatorUserId, spareAuthenticatorId }) => [
      {
        naming: 'userId',
        request: { params: { userId: authenticatorUserId, id: spareAuthenticatorId } },
        answer: 'not_found',
      },
      {
        naming: 'id',
        request: { params: { userId: own.authenticatorUserId, id: spareAuthenticatorId } },
        answer: 'not_found',
      },
    ],
  },
  createUserApiKey: {
    valid: ({ tenantId, sessionUserId: userId }) => ({ body: { tenantId, userId, name: 'Deployment script' } }),
    foreign: ({ tenantId, sessionUserId: userId }, other) => [
      { naming: 'tenantId', request: { body: { tenantId: other.tenantId, userId, name: 'Key' } }, answer: 'not_found' },
      {
        naming: 'userId',
        request: { body: { tenantId, userId: other.sessionUserId, name: 'Key' } },
        answer: 'not_found',
      },
      {
        naming: 'organizationId',
        request: { body: { tenantId, organizationId: other.organizationId, name: 'Key' } },
        answer: 'not_found',
      },
    ],
  },
  getProviderToken: {
    valid: ({ sessionUserId }) => ({ params: { id: sessionUserId }, body: { providerKey: 'facebook' } }),
    foreign: (own, { sessionUserId, socialConnectionId }) => [
      {
        naming: 'id',
        request: { params: { id: sessionUserId }, body: { providerKey: 'facebook' } },
        answer: 'not_found',
      },
      {
        naming: 'connectionId',
        request: {
          params: { id: own.sessionUserId },
          body: { providerKey: 'facebook', connectionId: socialConnectionId },
        },
        answer: 'not_found',
      },
    ],
  },
  listSocialConnections: onRecord('sessionUserId'),
  deleteProviderAccess: {
    valid: ({ sessionUserId, spareSocialConnectionId }) => ({
      params: { userId: sessionUserId, id: spareSocialConnectionId },
    }),
    foreign: (own, { sessionUserId, spareSocialConnectionId }) => [
      {
        naming: 'userId',
        request: { params: { userId: sessionUserId, id: spareSocialConnectionId } },
        answer: 'not_found',
      },
      {
        naming: 'id',
        request: { params: { userId: own.sessionUserId, id: spareSocialConnectionId } },
        answer: 'not_found',
      },
    ],
  },
  listUserApiKeys: onRecord('sessionUserId'),
  deleteUserApiKey: onRecord('spareUserApiKeyId'),
  verifyUserApiKey: inTenant(({ tenantId }) => ({ tenantId, key: 'uk_unknown' })),
  authorizeUserApiKey: {
    valid: ({ tenantId, userKey }) => ({ query: { tenantId }, headers: { 'x-api-key': userKey } }),
    foreign: ({ userKey }, { tenantId }) => [
      { naming: 'tenantId', request: { query: { tenantId }, headers: { 'x-api-key': userKey } }, answer: 'not_found' },
    ],
  },
  reportUserApiKey: inTenant(({ tenantId }) => ({ tenantId, key: 'uk_unknown' })),
  getSession: onRecord('sessionId'),
  deleteSession: onRecord('spareSessionId'),
  impersonateUser: {
    valid: ({ sessionUserId }) => ({ params: { id: sessionUserId }, body: { reason: 'Ticket 4711' } }),
    foreign: (_own, { sessionUserId }) => [
      { naming: 'id', request: { params: { id: sessionUserId }, body: { reason: 'Ticket 1' } }, answer: 'not_found' },
    ],
  },
  evaluate: {
    valid: ({ tenantId, userId }) => ({
      query: { tenantId },
      body: { subject: { type: 'user', id: userId }, action: { name: 'read' }, resource: { type: 'articles' } },
    }),
    foreign: (_own, { tenantId }) => [
      { naming: 'tenantId', request: { query: { tenantId }, body: {} }, answer: 'not_found' },
    ],
  },
  listSignInAttempts: queryingTenant,
  getSignInAttempt: onRecord('signInAttemptId'),
  deleteSignInAttempt: onRecord('spareSignInAttemptId'),
  listSignUpAttempts: queryingTenant,
  getSignUpAttempt: onRecord('signUpAttemptId'),
  deleteSignUpAttempt: onRecord('spareSignUpAttemptId'),
  listStatistics: queryingTenant,
  listSignUpsByDay: queryingTenant,
  listSessionsByDay: queryingTenant,
  listRecentSignUps: queryingTenant,
  listRecentSignIns: queryingTenant,
} satisfies Requests
