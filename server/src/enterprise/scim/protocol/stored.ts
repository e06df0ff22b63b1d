// Attributes as they are stored, which an archive may bring from elsewhere.
import { userType } from './attributes.ts'
import { type Json, type JsonObject, isObject } from './json.ts'
import { readResource } from './resource.ts'

/** Groups the extension's attributes, whose keys begin with the URN of its schema, as a body does. */
function asBody(attributes: JsonObject): JsonObject {
  const extensions = new Map<string, Record<string, Json>>()
  const core = Object.entries(attributes).filter(([key, value]) => {
    const colon = key.lastIndexOf(':')
    if (colon < 0) return true
    const urn = key.slice(0, colon)
    extensions.set(urn, { ...extensions.get(urn), [key.slice(colon + 1)]: value })
    return false
  })
  return { schemas: [userType.urn], ...Object.fromEntries(core), ...Object.fromEntries(extensions) }
}

/** Whether a directory could have sent these attributes of a user. */
export function isStoredAttributes(value: unknown): boolean {
  if (!isObject(value as JsonObject)) return false
  try {
    const read = readResource(userType, asBody(value as JsonObject))
    return Object.keys(read).length === Object.keys(value as object).length
  } catch {
    return false
  }
}
