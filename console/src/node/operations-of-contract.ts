// The parts of the contract that the console uses, extracted when it is built: each operation's right, and the shape of its input.
import {
  type Endpoint,
  endpoints,
  languages,
  permissionFlags,
  providerSettingsSchemas,
  tenantAuthSettings,
} from '@bailiwick/contract'

const all: readonly Endpoint[] = Object.values(endpoints)

/** By operation: its method, path and right. */
export const operationTable = () =>
  Object.fromEntries(all.map(({ id, method, path, permission }) => [id, { method, path, permission }]))

/** For each right, the flags any one of which suffices. */
export const rights = () => permissionFlags

/** The parts of a query that screens use: the values that filters choose from, and whether a change can name what it is based on. */
function readOfQuery(query: Endpoint['query']) {
  const { properties = {} } = (query ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly enum?: unknown }>>
  }
  const kept = Object.entries(properties).flatMap(([name, { enum: values }]) =>
    values === undefined ? (name.startsWith('if') ? [[name, {}]] : []) : [[name, { enum: values }]],
  )
  return kept.length === 0 ? undefined : { properties: Object.fromEntries(kept) as object }
}

/** What no form reads of a schema (`form/schema.ts`). */
const unread: ReadonlySet<string> = new Set([
  'additionalProperties',
  'uniqueItems',
  'minItems',
  'x-bytes-max',
  'description',
  'title',
])
const isLanguage = (name: string) => (languages as readonly string[]).includes(name)

/** Returns the part of a schema that forms read: rules, and no prose, which screens have of their own. */
function readOfForm(schema: object): object {
  const parts = Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
    if (unread.has(name)) return []
    if (name === 'items' && typeof value === 'object' && value !== null)
      // The fields of a list's records are drawn by the screens themselves.
      return [[name, readOfForm({ ...value, properties: undefined, required: undefined })]]
    if (name !== 'properties' || typeof value !== 'object' || value === null) return [[name, value]]
    const fields = Object.entries(value as Readonly<Record<string, object>>)
    // Texts by language have editors of their own.
    if (fields.every(([field]) => isLanguage(field))) return []
    return [[name, Object.fromEntries(fields.map(([field, each]) => [field, readOfForm(each)]))]]
  })
  return Object.fromEntries(parts) as object
}

/** How screens name an operation that they call without a form. */
const calls = /\b(?:useOperation|useChange|useMayCall|call)\(\s*'\w+'|\boperationId: '\w+'/g

/** Returns the names that a screen's source has in quotes or as `schemas.name`, except where it only calls an operation. */
const namesIn = (source: string) =>
  Array.from(
    source.replaceAll(calls, '').matchAll(/['"](\w+)['"]|\bschemas\.(\w+)/g),
    ([, quoted, read]) => quoted ?? read,
  )

/**
 * By operation: the JSON Schema of its body, and the parts of its query's schema that screens use. What is sent as a file or line by line
 * has no form. Operations without either, and those of which no screen has a form, are left out, because every form loads the rest.
 */
export const operationSchemas = (screenSources: readonly string[]) => {
  const inForms = new Set(screenSources.flatMap(namesIn))
  return Object.fromEntries(
    all
      .filter(({ id }) => inForms.has(id))
      .flatMap(({ id, query, body, bodyType }) => {
        const ofForm = bodyType === undefined ? body : undefined
        const parts = { query: readOfQuery(query), body: ofForm === undefined ? undefined : readOfForm(ofForm) }
        return parts.query === undefined && parts.body === undefined ? [] : [[id, parts]]
      }),
  )
}

/** The JSON Schema of a line of an import of users. One screen alone needs it. */
export const importedUser = () => endpoints.createImportJob.body

/** By provider of a channel: the JSON Schema of its settings. */
export const providerSettings = () => providerSettingsSchemas

/** The labels of a tenant's settings by their names. */
export const settingLabels = () =>
  Object.fromEntries(Object.entries(tenantAuthSettings).map(([name, { label }]) => [name, label]))

/** The group of each of a tenant's settings, in the order of their labels. */
export const settingGroupNames = () => Object.values(tenantAuthSettings).map(({ group }) => group)
