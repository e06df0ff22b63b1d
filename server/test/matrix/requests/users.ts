// Requests of identity: users and their addresses.
import { unique } from '../../harness/factories.ts'
import {
  type Requests,
  inTenant,
  newEmail,
  newPhone,
  onContact,
  onRecord,
  onTenant,
  queryingTenant,
} from '../request-kinds.ts'

const userInTenant = inTenant(({ tenantId, roleId }) => ({
  tenantId,
  name: 'Ada',
  username: unique(),
  roleId,
  phone: newPhone(),
  password: `pass-${unique()}`,
  email: newEmail(),
  publicMeta: { locale: 'en' },
  privateMeta: [1],
}))

export const usersRequests = {
  createUser: {
    valid: userInTenant.valid,
    foreign: (own, other) => [
      ...userInTenant.foreign(own, other),
      {
        naming: 'roleId',
        request: { body: { tenantId: own.tenantId, email: newEmail(), roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
    ],
  },
  listUsers: {
    valid: ({ tenantId }) => ({ query: { tenantId, query: 'ada', status: 'active', perPage: '5' } }),
    foreign: (_own, { tenantId }) => [{ naming: 'tenantId', request: { query: { tenantId } }, answer: 'not_found' }],
  },
  listWaitlist: queryingTenant,
  approveWaitlist: inTenant(({ tenantId, waitlistEntryId }) => ({ tenantId, ids: [waitlistEntryId] })),
  declineWaitlist: inTenant(({ tenantId, waitlistEntryId }) => ({ tenantId, ids: [waitlistEntryId] })),
  deleteWaitlistEntry: onRecord('spareWaitlistEntryId'),
  getUser: onRecord('userId'),
  updateUser: {
    valid: ({ userId, roleId }) => ({
      params: { id: userId },
      body: {
        name: 'Ada',
        username: unique(),
        imageUri: 'https://cdn.example/ada.png',
        roleId,
        status: 'active' as const,
        publicMeta: { locale: 'en' },
        privateMeta: [1],
      },
    }),
    foreign: ({ userId }, other) => [
      { naming: 'id', request: { params: { id: other.userId }, body: { name: 'Eve' } }, answer: 'not_found' },
      {
        naming: 'roleId',
        request: { params: { id: userId }, body: { roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
    ],
  },
  changeUserPassword: {
    valid: ({ userId }) => ({ params: { id: userId }, body: { password: `pass-${unique()}` } }),
    foreign: (_own, { userId }) => [
      {
        naming: 'id',
        request: { params: { id: userId }, body: { password: `pass-${unique()}` } },
        answer: 'not_found',
      },
    ],
  },
  suspendUser: onRecord('userId'),
  unsuspendUser: onRecord('userId'),
  unlockUser: onRecord('userId'),
  exportUserData: onRecord('userId'),
  deleteUser: onRecord('spareUserId'),
  importUsers: {
    valid: ({ tenantId }) => ({ query: { tenantId }, body: [{ email: newEmail(), name: 'Ada' }] }),
    foreign: (_own, { tenantId }) => [
      { naming: 'tenantId', request: { query: { tenantId }, body: [{ email: newEmail() }] }, answer: 'not_found' },
    ],
  },
  createImportJob: {
    valid: ({ tenantId }) => ({ query: { tenantId }, body: [{ email: newEmail(), name: 'Ada' }] }),
    foreign: (_own, { tenantId }) => [
      { naming: 'tenantId', request: { query: { tenantId }, body: [{ email: newEmail() }] }, answer: 'not_found' },
    ],
  },
  listImportJobs: queryingTenant,
  getImportJob: onRecord('importJobId'),
  readImportJobResults: onRecord('importJobId'),
  deleteImportJob: onRecord('spareImportJobId'),
  exportUsers: {
    valid: ({ tenantId }) => ({ query: { tenantId } }),
    foreign: (_own, { tenantId }) => [{ naming: 'tenantId', request: { query: { tenantId } }, answer: 'not_found' }],
  },
  listTenantEmailAddresses: onTenant,
  listUserEmailAddresses: {
    valid: ({ userId }) => ({ params: { userId } }),
    foreign: (_own, { userId }) => [{ naming: 'userId', request: { params: { userId } }, answer: 'not_found' }],
  },
  getEmailAddress: onRecord('emailId'),
  createEmailAddress: {
    valid: ({ tenantId, userId }) => ({ body: { tenantId, userId, email: newEmail() } }),
    foreign: (own, other) => [
      {
        naming: 'tenantId',
        request: { body: { tenantId: other.tenantId, userId: own.userId, email: newEmail() } },
        answer: 'not_found',
      },
      {
        naming: 'userId',
        request: { body: { tenantId: own.tenantId, userId: other.userId, email: newEmail() } },
        answer: { issueAt: '/userId' },
      },
    ],
  },
  updateEmailAddress: {
    valid: ({ emailId }) => ({ body: { id: emailId, email: newEmail() } }),
    foreign: (_own, { emailId }) => [
      { naming: 'id', request: { body: { id: emailId, email: newEmail() } }, answer: 'not_found' },
    ],
  },
  deleteEmailAddress: {
    valid: ({ spareEmailId }) => ({ query: { id: spareEmailId } }),
    foreign: (_own, { spareEmailId }) => [
      { naming: 'id', request: { query: { id: spareEmailId } }, answer: 'not_found' },
    ],
  },
  makePrimaryEmailAddress: onContact('emailId'),
  verifyEmailAddress: onContact('emailId'),
  listTenantPhoneNumbers: onTenant,
  listUserPhoneNumbers: {
    valid: ({ userId }) => ({ params: { userId } }),
    foreign: (_own, { userId }) => [{ naming: 'userId', request: { params: { userId } }, answer: 'not_found' }],
  },
  getPhoneNumber: onRecord('phoneId'),
  createPhoneNumber: {
    valid: ({ tenantId, userId }) => ({ body: { tenantId, userId, phone: newPhone() } }),
    foreign: (own, other) => [
      {
        naming: 'tenantId',
        request: { body: { tenantId: other.tenantId, userId: own.userId, phone: newPhone() } },
        answer: 'not_found',
      },
      {
        naming: 'userId',
        request: { body: { tenantId: own.tenantId, userId: other.userId, phone: newPhone() } },
        answer: { issueAt: '/userId' },
      },
    ],
  },
  deletePhoneNumber: {
    valid: ({ sparePhoneId }) => ({ query: { id: sparePhoneId } }),
    foreign: (_own, { sparePhoneId }) => [
      { naming: 'id', request: { query: { id: sparePhoneId } }, answer: 'not_found' },
    ],
  },
  makePrimaryPhoneNumber: onContact('phoneId'),
  verifyPhoneNumber: onContact('phoneId'),
} satisfies Requests
