// Requests of tenancy: tenants and how they are set up.
import { newId } from '../../../src/platform/ids.ts'
import { unique } from '../../harness/factories.ts'
import {
  type Requests,
  onTenant,
  onTenantById,
  onVersions,
  inTenant,
  onRecord,
  queryingTenant,
  changingAuth,
} from '../request-kinds.ts'

const companyAttribute = {
  key: 'company',
  type: 'text' as const,
  label: { en: 'Company' },
  writableBy: 'user' as const,
  shownAt: 'both' as const,
}
const planClaim = { claim: 'plan', in: ['session' as const], source: 'user.publicMeta.plan' }

const customProvider = (tenantId: string, logoId: string | null) => ({
  tenantId,
  key: `custom-${unique()}` as const,
  name: 'Acme staff',
  enabled: true,
  issuer: 'https://id.acme.example',
  clientId: 'client',
  clientSecret: 'kept sealed',
  redirectUri: null,
  scopes: ['email'],
  claims: { email: 'mail' },
  trustEmails: true,
  authenticatable: true,
  autoConnectAccounts: false,
  logoId,
})

export const tenancyRequests = {
  listTenants: { valid: () => ({}), foreign: () => [] },
  createTenant: {
    valid: () => ({
      body: {
        name: 'Acme Incorporated',
        environment: 'staging',
        slug: unique(),
        domain: `${unique()}.example`,
        projectId: newId(),
        orgId: null,
        plan: 'free',
        paymentMethodId: 'pm_1',
        paymentMethodBrand: 'visa',
        paymentMethodLast4: '4242',
      },
    }),
    foreign: () => [],
  },
  getTenant: onTenantById,
  getTenantByPublicKey: {
    valid: ({ publicKey }) => ({ params: { publicKey } }),
    foreign: (_own, { publicKey }) => [{ naming: 'publicKey', request: { params: { publicKey } }, answer: 'null' }],
  },
  getTenantBySlug: {
    valid: ({ slug }) => ({ params: { slug } }),
    foreign: (_own, { slug }) => [{ naming: 'slug', request: { params: { slug } }, answer: 'null' }],
  },
  getTenantBrand: onTenantById,
  putTenantBrand: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { primary: 'teal', darkRadius: '4px' } }),
    foreign: (_own, { tenantId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: { primary: 'red' } }, answer: 'not_found' },
    ],
  },
  getChallengeProvider: onTenantById,
  putChallengeProvider: {
    valid: ({ tenantId }) => ({
      params: { id: tenantId },
      body: { provider: 'turnstile' as const, siteKey: 'site', secret: 'secret', onFailure: 'deny' as const },
    }),
    foreign: (_own, { tenantId }) => [
      {
        naming: 'id',
        request: {
          params: { id: tenantId },
          body: { provider: 'hcaptcha' as const, siteKey: 'site', secret: 'secret' },
        },
        answer: 'not_found',
      },
    ],
  },
  deleteChallengeProvider: onTenantById,
  listBrandVersions: onTenantById,
  diffBrandVersions: onVersions({ from: '0', to: '1' }),
  restoreBrandVersion: onVersions({ version: '1' }),
  getTenantEnv: onTenantById,
  rotateTenantSecretKey: onTenantById,
  listRoles: onTenant,
  createRole: inTenant(({ tenantId }) => ({
    tenantId,
    name: unique(),
    description: 'May read',
    permissions: ['articles:read'],
  })),
  getRole: onRecord('roleId'),
  updateRole: {
    valid: ({ roleId }) => ({
      params: { id: roleId },
      body: { name: unique(), description: null, permissions: ['articles:read'] },
    }),
    foreign: (_own, { roleId }) => [
      { naming: 'id', request: { params: { id: roleId }, body: { name: unique() } }, answer: 'not_found' },
    ],
  },
  deleteRole: onRecord('spareRoleId'),
  createSocialProvider: inTenant(({ tenantId }) => ({
    tenantId,
    providerKey: 'google' as const,
    enabled: true,
    useCustomCredentials: true,
    clientId: 'client',
    clientSecret: 'kept sealed',
    redirectUri: 'https://app.example/callback',
    additionalScopes: ['email'],
    authenticatable: true,
    autoConnectAccounts: false,
    config: { prompt: 'consent' },
  })),
  listSocialProviders: queryingTenant,
  listSocialProviderStates: onTenant,
  getSocialProvider: onRecord('providerId'),
  getSocialProviderSecret: onRecord('providerId'),
  deleteSocialProvider: onRecord('spareProviderId'),
  updateSocialProvider: {
    valid: ({ providerId }) => ({ params: { id: providerId }, body: { enabled: false, clientId: null } }),
    foreign: (_own, { providerId }) => [
      { naming: 'id', request: { params: { id: providerId }, body: { enabled: false } }, answer: 'not_found' },
    ],
  },
  createCustomProvider: {
    valid: ({ tenantId, fileId }) => ({ body: customProvider(tenantId, fileId) }),
    foreign: (own, { tenantId, fileId }) => [
      { naming: 'tenantId', request: { body: customProvider(tenantId, null) }, answer: 'not_found' },
      {
        naming: 'logoId',
        request: { body: customProvider(own.tenantId, fileId) },
        answer: { issueAt: '/logoId' },
      },
    ],
  },
  listCustomProviders: queryingTenant,
  getCustomProvider: onRecord('customProviderId'),
  getCustomProviderSecret: onRecord('customProviderId'),
  checkCustomProvider: onRecord('customProviderId'),
  deleteCustomProvider: onRecord('spareCustomProviderId'),
  updateCustomProvider: {
    valid: ({ customProviderId }) => ({ params: { id: customProviderId }, body: { enabled: false, logoId: null } }),
    foreign: (own, other) => [
      {
        naming: 'id',
        request: { params: { id: other.customProviderId }, body: { enabled: false } },
        answer: 'not_found',
      },
      {
        naming: 'logoId',
        request: { params: { id: own.customProviderId }, body: { logoId: other.fileId } },
        answer: { issueAt: '/logoId' },
      },
    ],
  },
  updateTenant: {
    valid: ({ tenantId, fileId }) => ({
      params: { id: tenantId },
      body: { name: 'Acme Limited', slug: unique(), iconId: fileId, logoId: null },
    }),
    foreign: (own, { tenantId, fileId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: { name: 'Taken over' } }, answer: 'not_found' },
      ...(['iconId', 'logoId'] as const).map((name) => ({
        naming: name,
        request: { params: { id: own.tenantId }, body: { [name]: fileId } },
        answer: { issueAt: `/${name}` },
      })),
    ],
  },
  getTenantClock: onTenantById,
  putTenantClock: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { aheadSeconds: 0 } }),
    foreign: (_own, { tenantId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: { aheadSeconds: 0 } }, answer: 'not_found' },
    ],
  },
  resetTenantClock: onTenantById,
  listInboxMessages: onTenantById,
  getTenantBilling: onTenantById,
  putTenantBilling: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { plan: 'team', paymentMethodLast4: null } }),
    foreign: (_own, { tenantId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: { plan: 'free' } }, answer: 'not_found' },
    ],
  },
  getTenantLimits: onTenantById,
  putTenantLimits: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { messagesPerDay: 20_000, trusted: true } }),
    foreign: () => [],
  },
  getAuthTenant: onTenantById,
  putAuthTenant: changingAuth,
  putTenantSession: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { sessionMaximumLifetime: 86_400 } }),
    foreign: (_own, { tenantId }) => [
      {
        naming: 'id',
        request: { params: { id: tenantId }, body: { sessionMaximumLifetime: 600 } },
        answer: 'not_found',
      },
    ],
  },
  previewAuthTenant: changingAuth,
  explainSignIn: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { identifier: 'ada@acme.example' } }),
    foreign: (_own, { tenantId }) => [
      {
        naming: 'id',
        request: { params: { id: tenantId }, body: { identifier: 'ada@acme.example' } },
        answer: 'not_found',
      },
    ],
  },
  listAuthVersions: onTenantById,
  diffAuthVersions: onVersions({ from: '1', to: '1' }),
  // The newest of the world, which has all that its other operations need.
  restoreAuthVersion: onVersions({ version: '3' }),
  getPages: onTenantById,
  putPages: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { texts: { de: { 'signIn.title': 'Hallo' } } } }),
    foreign: (own, other) => [
      { naming: 'id', request: { params: { id: other.tenantId }, body: {} }, answer: 'not_found' },
      {
        naming: 'darkLogoId',
        request: { params: { id: own.tenantId }, body: { darkLogoId: other.fileId } },
        answer: { issueAt: '/darkLogoId' },
      },
    ],
  },
  listPagesVersions: onTenantById,
  diffPagesVersions: onVersions({ from: '0', to: '0' }),
  restorePagesVersion: onVersions({ version: '0' }),
  getClaims: onTenantById,
  putClaims: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { claims: [planClaim] } }),
    foreign: (own, other) => [
      { naming: 'id', request: { params: { id: other.tenantId }, body: { claims: [] } }, answer: 'not_found' },
      {
        naming: 'applicationId',
        request: {
          params: { id: own.tenantId },
          body: { claims: [{ ...planClaim, in: ['access' as const], applicationId: other.applicationId }] },
        },
        answer: { issueAt: '/claims/0/applicationId' },
      },
    ],
  },
  previewClaims: {
    valid: ({ tenantId, userId }) => ({ params: { id: tenantId }, body: { userId, claims: [planClaim] } }),
    foreign: ({ tenantId, userId }, other) => {
      const params = { id: tenantId }
      return [
        {
          naming: 'id',
          request: { params: { id: other.tenantId }, body: { userId: other.userId } },
          answer: 'not_found',
        },
        { naming: 'userId', request: { params, body: { userId: other.userId } }, answer: { issueAt: '/userId' } },
        {
          naming: 'organizationId',
          request: { params, body: { userId, organizationId: other.organizationId } },
          answer: { issueAt: '/organizationId' },
        },
        {
          naming: 'applicationId',
          request: { params, body: { userId, applicationId: other.applicationId } },
          answer: { issueAt: '/applicationId' },
        },
      ]
    },
  },
  listClaimsVersions: onTenantById,
  diffClaimsVersions: onVersions({ from: '0', to: '0' }),
  restoreClaimsVersion: onVersions({ version: '0' }),
  getAttributes: onTenantById,
  putAttributes: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { attributes: [companyAttribute] } }),
    foreign: (_own, other) => [
      { naming: 'id', request: { params: { id: other.tenantId }, body: { attributes: [] } }, answer: 'not_found' },
    ],
  },
  previewAttributes: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { attributes: [companyAttribute] } }),
    foreign: (_own, other) => [
      { naming: 'id', request: { params: { id: other.tenantId }, body: { attributes: [] } }, answer: 'not_found' },
    ],
  },
  listAttributesVersions: onTenantById,
  diffAttributesVersions: onVersions({ from: '0', to: '0' }),
  restoreAttributesVersion: onVersions({ version: '0' }),
  listJwkCertificates: queryingTenant,
  rotateJwkCertificates: inTenant(({ tenantId }) => ({ tenantId })),
  withdrawJwkCertificate: {
    valid: ({ tenantId, spareSigningKeyId: id }) => ({ params: { id }, body: { tenantId } }),
    foreign: ({ tenantId }, { tenantId: otherId, spareSigningKeyId: id }) => [
      { naming: 'tenantId', request: { params: { id }, body: { tenantId: otherId } }, answer: 'not_found' },
      { naming: 'id', request: { params: { id }, body: { tenantId } }, answer: 'not_found' },
    ],
  },
  listDomains: queryingTenant,
  createDomain: inTenant(({ tenantId }) => ({ tenantId, name: `${unique()}.example` })),
  getDomain: onRecord('domainId'),
  verifyDomain: onRecord('domainId'),
  makeDomainPrimary: onRecord('domainId'),
  deleteDomain: onRecord('spareDomainId'),
  createApiKey: inTenant(({ tenantId }) => ({
    tenantId,
    name: 'Nightly export',
    // The rights of a credential that may create keys.
    scopes: ['config:read' as const, 'config:write' as const],
    expiresAt: '2999-12-31T23:59:59Z',
  })),
  listApiKeys: onTenant,
  deleteApiKey: onRecord('spareApiKeyId'),
} satisfies Requests

/** These are last: the world is unusable after them. */
export const endingRequests = {
  restoreTenant: onTenantById,
  deleteTenant: onTenantById,
} satisfies Requests
