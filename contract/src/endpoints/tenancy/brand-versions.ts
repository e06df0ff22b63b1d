// Every change of a brand creates a version; the operations that read and replace the brand are in tenants.ts.
import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { array, id, object, page, pageQuery } from '../../schema.ts'
import { SettingsDifference, SettingsVersion, versionNumberOrZero } from '../../shapes/tenancy/settings-version.ts'
import { Tenant } from '../../shapes/tenancy/tenant.ts'

const tag = 'Tenants'
const params = { id: sample.tenantId }

export const listBrandVersions = endpoint({
  id: 'listBrandVersions',
  method: 'GET',
  path: '/tenants/{id}/brand/versions',
  tag,
  summary: 'List the versions of the brand, newest first',
  description: 'Version 1 is the first change.',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params: object({ id: id() }),
  query: pageQuery,
  response: page(SettingsVersion),
  errors: ['not_found'],
  example: { params, response: pageOf(sample.settingsVersion) },
})

export const diffBrandVersions = endpoint({
  id: 'diffBrandVersions',
  method: 'GET',
  path: '/tenants/{id}/brand/versions/{from}/diff/{to}',
  tag,
  summary: 'Compare two versions of the brand',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params: object({ id: id(), from: versionNumberOrZero(), to: versionNumberOrZero() }),
  response: array(SettingsDifference),
  errors: ['not_found'],
  example: {
    params: { ...params, from: '0', to: '1' },
    response: [{ setting: 'primary', from: null, to: sample.brand.primary }],
  },
})

export const restoreBrandVersion = endpoint({
  id: 'restoreBrandVersion',
  method: 'POST',
  path: '/tenants/{id}/brand/versions/{version}/restore',
  tag,
  summary: 'Go back to a version of the brand',
  description: 'Creates a new version with the old content.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params: object({ id: id(), version: versionNumberOrZero() }),
  response: Tenant,
  errors: ['not_found'],
  example: { params: { ...params, version: '1' }, response: sample.tenant },
})
