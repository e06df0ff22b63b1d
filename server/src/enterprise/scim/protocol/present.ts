// Resources as answers show them.
import type { ResourceType } from './attributes.ts'
import type { Json } from './json.ts'
import type { Wanted } from './list.ts'
import type { Attributes, Value } from './values.ts'

export interface Presented {
  readonly id: string
  readonly attributes: Attributes
  /** What the service knows itself, such as `active` or `members`. */
  readonly own: Readonly<Record<string, Json>>
  readonly location: string
  readonly version: string
  readonly created: string
  readonly lastModified: string
}

/** These are in every answer (RFC 7643 section 7, returned: always). */
const always = new Set(['id', 'schemas'])

/** Whether a name or a part of it, such as name.givenName, is in a list of names. */
const isNamed = (list: ReadonlySet<string>, name: string, urn: string) => {
  const lower = name.toLowerCase()
  const full = `${urn.toLowerCase()}:${lower}`
  for (const each of list) {
    if (each === lower || each === full || each.startsWith(`${lower}.`) || each.startsWith(`${full}.`)) return true
  }
  return false
}

const isExcluded = (list: ReadonlySet<string>, name: string, urn: string) =>
  list.has(name.toLowerCase()) || list.has(`${urn}:${name}`.toLowerCase())

export const isWanted = ({ only, except }: Wanted, name: string, urn: string): boolean =>
  only === undefined ? !isExcluded(except, name, urn) : isNamed(only, name, urn)

/** An extension's attributes are in an object of their own, by the URN of its schema. */
function splitKey(key: string): { readonly urn: string; readonly name: string } | undefined {
  const colon = key.lastIndexOf(':')
  return colon < 0 ? undefined : { urn: key.slice(0, colon), name: key.slice(colon + 1) }
}

export function presentResource(type: ResourceType, resource: Presented, wanted: Wanted): Json {
  const { id, attributes, own, location, version, created, lastModified } = resource
  const body: Record<string, Json> = { schemas: [type.urn], id }
  const extensions = new Map<string, Record<string, Json>>()
  const all: Record<string, Value | Json> = { ...attributes, ...own }
  for (const [key, value] of Object.entries(all)) {
    const extension = splitKey(key)
    const name = extension?.name ?? key
    const urn = extension?.urn ?? type.urn
    const isAsked = isWanted(wanted, name, urn) || (extension !== undefined && wanted.only?.has(urn.toLowerCase()))
    if (isAsked !== true || always.has(key)) continue
    if (extension === undefined) body[key] = value
    else extensions.set(urn, { ...extensions.get(urn), [name]: value })
  }
  const meta = { resourceType: type.name, created, lastModified, location, version }
  if (isWanted(wanted, 'meta', type.urn)) body['meta'] = meta
  return { ...body, schemas: [type.urn, ...extensions.keys()], ...Object.fromEntries(extensions) }
}
