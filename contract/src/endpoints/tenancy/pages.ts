import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { array, documentBasis, id, object, page, pageQuery } from '../../schema.ts'
import { PageSettings, UpdatePageSettings, defaultPagesDocument } from '../../shapes/tenancy/pages.ts'
import { SettingsDifference, SettingsVersion, versionNumberOrZero } from '../../shapes/tenancy/settings-version.ts'

const tag = 'Pages'
const params = object({ id: id() })
const idExample = { id: sample.tenantId }
const change = {
  defaultLanguage: 'de',
  languages: ['de', 'en'],
  texts: { de: { 'signIn.title': 'Willkommen zurück' } },
  termsUri: 'https://acme.example/terms',
} as const
const settings = { ...defaultPagesDocument(), ...change, darkLogoUri: null, version: 1 }

export const getPages = endpoint({
  id: 'getPages',
  method: 'GET',
  path: '/auth/tenants/{id}/pages',
  tag,
  summary: "Read the texts and the layout of a tenant's pages and messages",
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  response: PageSettings,
  errors: ['not_found'],
  example: { params: idExample, response: settings },
})

export const putPages = endpoint({
  id: 'putPages',
  method: 'PUT',
  path: '/auth/tenants/{id}/pages',
  tag,
  summary: "Change the texts and the layout of a tenant's pages and messages",
  description:
    'Send any subset of the settings; those that are left out stay as they are, and `texts` is replaced as a whole. The default language must be one of the languages, unless the list is empty. Every change creates a version.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params,
  query: object(documentBasis),
  body: UpdatePageSettings,
  /** A tenant may have several hundred texts of its own. */
  bodyBytesMax: 256 * 1024,
  response: PageSettings,
  errors: ['not_found', 'changed_meanwhile'],
  example: { params: idExample, body: change, response: settings },
})

export const listPagesVersions = endpoint({
  id: 'listPagesVersions',
  method: 'GET',
  path: '/auth/tenants/{id}/pages/versions',
  tag,
  summary: "List the versions of the pages' settings, newest first",
  description: 'Version 1 is the first change.',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  query: pageQuery,
  response: page(SettingsVersion),
  errors: ['not_found'],
  example: { params: idExample, response: pageOf(sample.settingsVersion) },
})

export const diffPagesVersions = endpoint({
  id: 'diffPagesVersions',
  method: 'GET',
  path: '/auth/tenants/{id}/pages/versions/{from}/diff/{to}',
  tag,
  summary: "Compare two versions of the pages' settings",
  description: 'Each text counts as a setting of its own, such as texts.de.signIn.title.',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params: object({ id: id(), from: versionNumberOrZero(), to: versionNumberOrZero() }),
  response: array(SettingsDifference),
  errors: ['not_found'],
  example: {
    params: { ...idExample, from: '0', to: '1' },
    response: [{ setting: 'defaultLanguage', from: 'en', to: 'de' }],
  },
})

export const restorePagesVersion = endpoint({
  id: 'restorePagesVersion',
  method: 'POST',
  path: '/auth/tenants/{id}/pages/versions/{version}/restore',
  tag,
  summary: "Go back to a version of the pages' settings",
  description:
    'Creates a new version with the old content, under the same rules as any other change: the logo for dark pages must still exist.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params: object({ id: id(), version: versionNumberOrZero() }),
  response: PageSettings,
  errors: ['not_found'],
  example: { params: { ...idExample, version: '1' }, response: settings },
})
