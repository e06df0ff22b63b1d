import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { array, documentBasis, id, object, page, pageQuery } from '../../schema.ts'
import { AttributesPreview, TenantAttributes, UpdateAttributes } from '../../shapes/tenancy/attributes.ts'
import { SettingsDifference, SettingsVersion, versionNumberOrZero } from '../../shapes/tenancy/settings-version.ts'

const tag = 'Attributes'
const params = object({ id: id() })
const idExample = { id: sample.tenantId }
const company = {
  key: 'company',
  type: 'text' as const,
  label: { en: 'Company', de: 'Firma' },
  required: true,
  writableBy: 'user' as const,
  shownAt: 'both' as const,
  maxLength: 100,
}
const attributes = { attributes: [company], version: 1 }
const common = { tag, permission: 'config:read', tenant: { from: 'params.id' }, params } as const

export const getAttributes = endpoint({
  ...common,
  id: 'getAttributes',
  method: 'GET',
  path: '/auth/tenants/{id}/attributes',
  summary: 'Read which attributes of its own a tenant gives users',
  response: TenantAttributes,
  errors: ['not_found'],
  example: { params: idExample, response: attributes },
})

export const putAttributes = endpoint({
  ...common,
  id: 'putAttributes',
  method: 'PUT',
  path: '/auth/tenants/{id}/attributes',
  summary: 'Replace the attributes that a tenant gives users',
  description:
    'Values are in `publicMeta`, under the key of the attribute. Values that users have stay as they are; new ones must be of the type. Every change creates a version.',
  permission: 'config:write',
  query: object(documentBasis),
  body: UpdateAttributes,
  response: TenantAttributes,
  errors: ['not_found', 'changed_meanwhile'],
  example: { params: idExample, body: { attributes: [company] }, response: attributes },
})

export const previewAttributes = endpoint({
  ...common,
  id: 'previewAttributes',
  method: 'POST',
  path: '/auth/tenants/{id}/attributes/preview',
  summary: 'Count the users who lack a value of an attribute, or have one that is not allowed',
  description: 'Reads the newest users, 10,000 at most, and changes nothing.',
  permission: 'users:read',
  body: UpdateAttributes,
  response: AttributesPreview,
  errors: ['not_found'],
  example: {
    params: idExample,
    body: { attributes: [company] },
    response: { users: 240, isWhole: true, attributes: [{ key: 'company', lacking: 31, breaking: 0 }] },
  },
})

export const listAttributesVersions = endpoint({
  ...common,
  id: 'listAttributesVersions',
  method: 'GET',
  path: '/auth/tenants/{id}/attributes/versions',
  summary: "List the versions of a tenant's attributes, newest first",
  description: 'Version 1 is the first change.',
  query: pageQuery,
  response: page(SettingsVersion),
  errors: ['not_found'],
  example: { params: idExample, response: pageOf(sample.settingsVersion) },
})

export const diffAttributesVersions = endpoint({
  ...common,
  id: 'diffAttributesVersions',
  method: 'GET',
  path: '/auth/tenants/{id}/attributes/versions/{from}/diff/{to}',
  summary: "Compare two versions of a tenant's attributes",
  description: 'Each attribute counts as a setting of its own, such as attributes.company.',
  params: object({ id: id(), from: versionNumberOrZero(), to: versionNumberOrZero() }),
  response: array(SettingsDifference),
  errors: ['not_found'],
  example: {
    params: { ...idExample, from: '0', to: '1' },
    response: [{ setting: 'attributes.company', from: null, to: company }],
  },
})

export const restoreAttributesVersion = endpoint({
  ...common,
  id: 'restoreAttributesVersion',
  method: 'POST',
  path: '/auth/tenants/{id}/attributes/versions/{version}/restore',
  summary: "Go back to a version of a tenant's attributes",
  description: 'Creates a new version with the old attributes, under the same rules as any other change.',
  permission: 'config:write',
  params: object({ id: id(), version: versionNumberOrZero() }),
  response: TenantAttributes,
  errors: ['not_found'],
  example: { params: { ...idExample, version: '1' }, response: attributes },
})
