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

/** By operation: JSON Schemas of its query and body. Parameters of paths are ids, which no form asks for. */
export const operationSchemas = () => Object.fromEntries(all.map(({ id, query, body }) => [id, { query, body }]))

/** By provider of a channel: the JSON Schema of its settings. */
export const providerSettings = () => providerSettingsSchemas
