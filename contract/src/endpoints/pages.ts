import { endpoint } from '../endpoint.ts'
import { pageOf, sample } from '../examples.ts'
import { array, documentBasis, id, object, page, pageQuery } from '../schema.ts'
import { PageSettings, UpdatePageSettings, defaultPagesDocument } from '../shapes/pages.ts'
import { SettingsDifference, SettingsVersion, versionNumberOrZero } from '../shapes/settings-version.ts'

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
  summary: "Read the texts and the look of a tenant's pages and messages, besides its brand",
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
  summary: "Change the texts and the look of a tenant's pages and messages",
  description:
    'Any subset of the settings; what is left out stays as it is, and texts is replaced as a whole. The default language must be among the languages, unless these are empty. Every change is a version.',
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
  summary: "The versions of the pages' settings, newest first",
  description: 'Numbered from 1, the first change.',
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
  description: 'As a new version, under the same rules as any change: the logo for dark pages must still be there.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params: object({ id: id(), version: versionNumberOrZero() }),
  response: PageSettings,
  errors: ['not_found'],
  example: { params: { ...idExample, version: '1' }, response: settings },
})
