// The parts of the contract that the console uses, extracted when it is built: each operation's right, and the shape of its input.
import {
  type Endpoint,
  endpoints,
  permissionFlags,
  providerSettingsSchemas,
  tenantAuthSettings,
} from '@bailiwick/contract'

const all: readonly Endpoint[] = Object.values(endpoints)

/** By operation: its method, path and right, and one sentence that says what it does. */
export const operationTable = () =>
  Object.fromEntries(
    all.map(({ id, method, path, permission, summary, bodyType }) => [
      id,
      { method, path, permission, summary, ...(bodyType === undefined ? {} : { bodyType }) },
    ]),
  )

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

/** What is sent as a file, or line by line and answered so, has no form; of a file that is sent as a whole, the lines are checked. */
const hasBody = ({ bodyType, responseType }: Endpoint) =>
  bodyType === undefined || (bodyType === 'application/x-ndjson' && responseType === undefined)

/** By operation: the JSON Schema of its body, or of a line of it, and the parts of its query's schema that screens use. */
export const operationSchemas = () =>
  Object.fromEntries(
    all.map((endpoint) => [
      endpoint.id,
      { query: readOfQuery(endpoint.query), body: hasBody(endpoint) ? endpoint.body : undefined },
    ]),
  )

/** By provider of a channel: the JSON Schema of its settings. */
export const providerSettings = () => providerSettingsSchemas

/** The labels of a tenant's settings by their names. */
export const settingLabels = () =>
  Object.fromEntries(Object.entries(tenantAuthSettings).map(([name, { label }]) => [name, label]))
