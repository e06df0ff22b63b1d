import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { array, documentBasis, id, object, page, pageQuery } from '../../schema.ts'
import { ClaimsPreview, PreviewClaims, TenantClaims, UpdateTenantClaims } from '../../shapes/tenancy/claims.ts'
import { SettingsDifference, SettingsVersion, versionNumberOrZero } from '../../shapes/tenancy/settings-version.ts'

const tag = 'Claims'
const params = object({ id: id() })
const idExample = { id: sample.tenantId }
const plan = {
  claim: 'plan',
  in: ['session' as const, 'access' as const],
  source: 'user.publicMeta.plan',
  as: 'string' as const,
}
const claims = { claims: [plan], scopes: [], version: 1 }
const payload = { sub: sample.user.id, plan: 'pro' }
const previewed = { payload, bytes: 612, claimBytes: 14, isTooLarge: false }

export const getClaims = endpoint({
  id: 'getClaims',
  method: 'GET',
  path: '/auth/tenants/{id}/claims',
  tag,
  summary: 'Read which claims of its own a tenant adds to tokens',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  response: TenantClaims,
  errors: ['not_found'],
  example: { params: idExample, response: claims },
})

export const putClaims = endpoint({
  id: 'putClaims',
  method: 'PUT',
  path: '/auth/tenants/{id}/claims',
  tag,
  summary: 'Replace the claims that a tenant adds to tokens',
  description:
    'Tokens that are issued from now on have the new claims; earlier ones keep theirs until they expire. A name that tokens reserve is refused, and so are claims that would take more than 4,096 bytes for one of the twenty newest users. Every change creates a version.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params,
  query: object(documentBasis),
  body: UpdateTenantClaims,
  response: TenantClaims,
  errors: ['not_found', 'changed_meanwhile'],
  example: { params: idExample, body: { claims: [plan] }, response: claims },
})

export const previewClaims = endpoint({
  id: 'previewClaims',
  method: 'POST',
  path: '/auth/tenants/{id}/claims/preview',
  tag,
  summary: 'Show the tokens that a user would get',
  description:
    'The tokens are made like real ones and are not signed. With `claims`, they are made with those instead of the present ones; nothing is changed.',
  permission: 'users:read',
  tenant: { from: 'params.id' },
  params,
  body: PreviewClaims,
  response: ClaimsPreview,
  errors: ['not_found'],
  example: {
    params: idExample,
    body: { userId: sample.user.id, claims: [plan] },
    response: { session: previewed, id: previewed, access: previewed, userinfo: previewed },
  },
})

export const listClaimsVersions = endpoint({
  id: 'listClaimsVersions',
  method: 'GET',
  path: '/auth/tenants/{id}/claims/versions',
  tag,
  summary: "List the versions of a tenant's claims, newest first",
  description: 'Version 1 is the first change.',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  query: pageQuery,
  response: page(SettingsVersion),
  errors: ['not_found'],
  example: { params: idExample, response: pageOf(sample.settingsVersion) },
})

export const diffClaimsVersions = endpoint({
  id: 'diffClaimsVersions',
  method: 'GET',
  path: '/auth/tenants/{id}/claims/versions/{from}/diff/{to}',
  tag,
  summary: "Compare two versions of a tenant's claims",
  description: 'Each claim counts as a setting of its own, such as claims.plan.',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params: object({ id: id(), from: versionNumberOrZero(), to: versionNumberOrZero() }),
  response: array(SettingsDifference),
  errors: ['not_found'],
  example: {
    params: { ...idExample, from: '0', to: '1' },
    response: [{ setting: 'claims.plan', from: null, to: [plan] }],
  },
})

export const restoreClaimsVersion = endpoint({
  id: 'restoreClaimsVersion',
  method: 'POST',
  path: '/auth/tenants/{id}/claims/versions/{version}/restore',
  tag,
  summary: "Go back to a version of a tenant's claims",
  description: 'Creates a new version with the old claims, under the same rules as any other change.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params: object({ id: id(), version: versionNumberOrZero() }),
  response: TenantClaims,
  errors: ['not_found'],
  example: { params: { ...idExample, version: '1' }, response: claims },
})
