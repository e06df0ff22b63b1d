// Requests of applications, resources and grants.
import { unique } from '../../harness/factories.ts'
import { type Requests, inTenant, onRecord, onTenant, onTenantById } from '../request-kinds.ts'

const machine = (tenantId: string, resourceId: string) => ({
  tenantId,
  name: 'Nightly export',
  type: 'machine' as const,
  machineScopes: [{ resourceId, scopes: ['reports:read'] }],
})

export const applicationsRequests = {
  createApplication: {
    valid: ({ tenantId, fileId, resourceId }) => ({
      body: { ...machine(tenantId, resourceId), logoId: fileId, termsUri: 'https://acme.example/terms' },
    }),
    foreign: (own, other) => [
      {
        naming: 'tenantId',
        request: { body: { tenantId: other.tenantId, name: 'A', type: 'machine' } },
        answer: 'not_found',
      },
      {
        naming: 'logoId',
        request: { body: { ...machine(own.tenantId, own.resourceId), logoId: other.fileId } },
        answer: { issueAt: '/logoId' },
      },
      {
        naming: 'resourceId',
        request: { body: machine(own.tenantId, other.resourceId) },
        answer: { issueAt: '/machineScopes/0/resourceId' },
      },
    ],
  },
  listApplications: onTenant,
  getApplication: onRecord('applicationId'),
  updateApplication: {
    valid: ({ applicationId }) => ({ params: { id: applicationId }, body: { requireConsent: false } }),
    foreign: (own, other) => [
      { naming: 'id', request: { params: { id: other.applicationId }, body: {} }, answer: 'not_found' },
      {
        naming: 'logoId',
        request: { params: { id: own.applicationId }, body: { logoId: other.fileId } },
        answer: { issueAt: '/logoId' },
      },
    ],
  },
  deleteApplication: onRecord('spareApplicationId'),
  rotateApplicationSecret: {
    valid: ({ applicationId }) => ({ params: { id: applicationId }, body: { graceSeconds: 3600 } }),
    foreign: (_own, other) => [
      { naming: 'id', request: { params: { id: other.applicationId }, body: {} }, answer: 'not_found' },
    ],
  },
  deleteApplicationSecret: {
    valid: ({ applicationId, applicationSecretId }) => ({
      params: { id: applicationId, secretId: applicationSecretId },
    }),
    foreign: (own, other) => [
      {
        naming: 'id',
        request: { params: { id: other.applicationId, secretId: other.applicationSecretId } },
        answer: 'not_found',
      },
      {
        naming: 'secretId',
        request: { params: { id: own.applicationId, secretId: other.applicationSecretId } },
        answer: 'not_found',
      },
    ],
  },
  listApplicationGrants: onRecord('applicationId'),
  listUserGrants: {
    valid: ({ userId }) => ({ params: { userId } }),
    foreign: (_own, { userId }) => [{ naming: 'userId', request: { params: { userId } }, answer: 'not_found' }],
  },
  deleteGrant: onRecord('grantId'),
  createResource: inTenant(({ tenantId }) => ({
    tenantId,
    indicator: `https://${unique()}.example`,
    name: 'Acme API',
    scopes: [{ name: 'reports:read', description: 'Read your reports' }],
    accessTokenFormat: 'opaque' as const,
    accessTokenTtl: 600,
  })),
  listResources: onTenant,
  getResource: onRecord('resourceId'),
  updateResource: {
    valid: ({ resourceId }) => ({ params: { id: resourceId }, body: { name: 'Acme API', accessTokenTtl: null } }),
    foreign: (_own, { resourceId }) => [
      { naming: 'id', request: { params: { id: resourceId }, body: {} }, answer: 'not_found' },
    ],
  },
  deleteResource: onRecord('spareResourceId'),
  getOAuthSettings: onTenantById,
  putOAuthSettings: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { accessTokenTtl: 600, registrationEnabled: true } }),
    foreign: (_own, { tenantId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: {} }, answer: 'not_found' },
    ],
  },
  createRegistrationToken: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { ttlSeconds: 3600 } }),
    foreign: (_own, { tenantId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: {} }, answer: 'not_found' },
    ],
  },
} satisfies Requests
