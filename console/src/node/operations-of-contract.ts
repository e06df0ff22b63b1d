// What the console takes from the contract, made when it is built: which right each operation takes, and the shape of what it is sent.
import { type Endpoint, endpoints, permissionFlags, providerSettingsSchemas } from '@bailiwick/contract'

const all: readonly Endpoint[] = Object.values(endpoints)

/** By operation: its method, path and right, and one sentence that says what it does. */
export const operationTable = () =>
  Object.fromEntries(
    all.map(({ id, method, path, permission, summary, bodyType }) => [
      id,
      { method, path, permission, summary, ...(bodyType === undefined ? {} : { bodyType }) },
    ]),
  )

/** The flags of which one suffices for each right. */
export const rights = () => permissionFlags

/** What screens read of a query: the values that filters choose from, and whether a change can name what it is based on. */
function readOfQuery(query: Endpoint['query']) {
  const { properties = {} } = (query ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly enum?: unknown }>>
  }
  const kept = Object.entries(properties).flatMap(([name, { enum: values }]) =>
    values === undefined ? (name.startsWith('if') ? [[name, {}]] : []) : [[name, { enum: values }]],
  )
  return kept.length === 0 ? undefined : { properties: Object.fromEntries(kept) as object }
}

/** By operation: the JSON Schema of its body, and what screens read of that of its query. */
export const operationSchemas = () =>
  Object.fromEntries(all.map(({ id, query, body }) => [id, { query: readOfQuery(query), body }]))

/** By provider of a channel: the JSON Schema of its settings. */
export const providerSettings = () => providerSettingsSchemas
