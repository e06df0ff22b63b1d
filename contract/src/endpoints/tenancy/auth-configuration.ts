import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { array, documentBasis, id, object, page, pageQuery } from '../../schema.ts'
import { ExplainSignIn, SignInExplanation } from '../../shapes/identity/sign-in-explanation.ts'
import { SettingsDifference, SettingsVersion, versionNumber } from '../../shapes/tenancy/settings-version.ts'
import { AuthPreview, UpdateTenantAuth, UpdateTenantSession } from '../../shapes/tenancy/tenant-auth.ts'
import { Tenant } from '../../shapes/tenancy/tenant.ts'

const tag = 'Authentication configuration'
const params = object({ id: id() })
/** A list of redirectUris may need more than other operations' bodies. */
const bodyBytesMax = 256 * 1024
const idExample = { params: { id: sample.tenantId } }
const difference = { setting: 'signUpEnabled', from: true, to: false }

export const getAuthTenant = endpoint({
  id: 'getAuthTenant',
  method: 'GET',
  path: '/auth/tenants/{id}',
  tag,
  summary: 'Read a tenant with its authentication configuration',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  response: Tenant,
  errors: ['not_found'],
  example: { ...idExample, response: sample.tenant },
})

export const putAuthTenant = endpoint({
  id: 'putAuthTenant',
  method: 'PUT',
  path: '/auth/tenants/{id}',
  tag,
  summary: "Change a tenant's authentication configuration",
  description:
    'Send any subset of the settings; those that are left out stay as they are. A change after which no user could sign in is refused with the reason. Every change creates a version.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params,
  query: object(documentBasis),
  body: UpdateTenantAuth,
  bodyBytesMax,
  response: Tenant,
  errors: ['not_found', 'changed_meanwhile'],
  example: { ...idExample, body: { signUpEnabled: false }, response: sample.tenant },
})

export const putTenantSession = endpoint({
  id: 'putTenantSession',
  method: 'PUT',
  path: '/auth/tenants/{id}/session',
  tag,
  summary: "Change the limits of a tenant's sessions, in seconds",
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params,
  body: UpdateTenantSession,
  response: Tenant,
  errors: ['not_found'],
  example: { ...idExample, body: { sessionMaximumLifetime: 86_400 }, response: sample.tenant },
})

export const previewAuthTenant = endpoint({
  id: 'previewAuthTenant',
  method: 'POST',
  path: '/auth/tenants/{id}/preview',
  tag,
  summary: 'Preview a change of the configuration without making it',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  body: UpdateTenantAuth,
  bodyBytesMax,
  response: AuthPreview,
  errors: ['not_found'],
  example: {
    ...idExample,
    body: { passwordsEnabled: false },
    response: {
      differences: [{ setting: 'passwordsEnabled', from: true, to: false }],
      issues: [],
      usersChecked: 120,
      usersLockedOut: 1,
      usersToEnrol: 0,
      hooksThatDenyOnFailure: 0,
      sessionsWithoutFactor: 0,
      sample: [{ userId: sample.userId, reasons: ['email_password: passwordsEnabled is off'] }],
    },
  },
})

export const explainSignIn = endpoint({
  id: 'explainSignIn',
  method: 'POST',
  path: '/auth/tenants/{id}/explain',
  tag,
  summary: 'Explain why a user can or cannot sign in',
  description:
    'Lists the steps that sign-in would offer, and the blocked ones with the reasons, by the same rules that sign-in itself uses.',
  permission: 'users:read',
  tenant: { from: 'params.id' },
  params,
  body: ExplainSignIn,
  response: SignInExplanation,
  errors: ['not_found'],
  example: {
    ...idExample,
    body: { identifier: sample.email },
    response: {
      identifierKind: 'email',
      configurationVersion: 1,
      at: sample.tenant.createdAt,
      user: { id: sample.userId, status: 'active', hasPassword: false, blockedUntil: null },
      locks: [],
      canSignIn: true,
      reasons: [],
      connections: [],
      firstFactors: [
        { strategy: 'email_password', offered: true, usable: false, reasons: ['the user has no password'] },
        { strategy: 'email_code', offered: true, usable: true, reasons: [] },
      ],
      secondFactors: [],
      secondFactorRules: [],
      organizationRules: [],
      hooks: [],
    },
  },
})

export const listAuthVersions = endpoint({
  id: 'listAuthVersions',
  method: 'GET',
  path: '/auth/tenants/{id}/versions',
  tag,
  summary: 'List the versions of the configuration, newest first',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  query: pageQuery,
  response: page(SettingsVersion),
  errors: ['not_found'],
  example: {
    ...idExample,
    response: pageOf(sample.settingsVersion),
  },
})

export const diffAuthVersions = endpoint({
  id: 'diffAuthVersions',
  method: 'GET',
  path: '/auth/tenants/{id}/versions/{from}/diff/{to}',
  tag,
  summary: 'Compare two versions of the configuration',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params: object({ id: id(), from: versionNumber(), to: versionNumber() }),
  response: array(SettingsDifference),
  errors: ['not_found'],
  example: { params: { id: sample.tenantId, from: '1', to: '2' }, response: [difference] },
})

export const restoreAuthVersion = endpoint({
  id: 'restoreAuthVersion',
  method: 'POST',
  path: '/auth/tenants/{id}/versions/{version}/restore',
  tag,
  summary: 'Go back to a version of the configuration',
  description: 'Creates a new version with the old content, under the same rules as any other change.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params: object({ id: id(), version: versionNumber() }),
  response: Tenant,
  errors: ['not_found'],
  example: { params: { id: sample.tenantId, version: '1' }, response: sample.tenant },
})
