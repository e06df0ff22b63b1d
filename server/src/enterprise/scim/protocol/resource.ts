// Reads whole resources, as POST and PUT send them.
import { type Attribute, type AttributeTable, type ResourceType } from './attributes.ts'
import { type Json, type JsonObject, isObject } from './json.ts'
import { bad } from './scim-error.ts'
import { type Attributes, type Value, readValue } from './values.ts'

/** @throws ScimError invalidSyntax if the body does not say that it is of this kind. */
export function expectSchema({ schemas }: JsonObject, urn: string): void {
  const isNamed = Array.isArray(schemas) && schemas.some((each) => String(each).toLowerCase() === urn.toLowerCase())
  if (!isNamed) throw bad('invalidSyntax', `schemas must contain ${urn}.`)
}

/** What a directory cannot set, or sets elsewhere: members of groups are read by themselves, because there can be many. */
const isStored = ({ mutability, name }: Attribute) =>
  mutability !== 'readOnly' && mutability !== 'writeOnly' && name !== 'members'

function* read(table: AttributeTable, body: JsonObject): Generator<readonly [string, Value]> {
  for (const [name, sent] of Object.entries(body)) {
    const attribute = table.get(name.toLowerCase())
    if (attribute === undefined || !isStored(attribute)) continue
    const value = readValue(attribute, sent)
    if (value !== undefined) yield [attribute.key, value]
  }
}

/**
 * @param refusal what a missing one is: an invalid value, or the removal of what cannot be removed (RFC 7644 section 3.5.2.2).
 * @throws ScimError if a required attribute is missing.
 */
export function assertComplete(
  type: ResourceType,
  attributes: Attributes,
  refusal: 'invalidValue' | 'mutability' = 'invalidValue',
): void {
  for (const { required, key } of type.core.values()) {
    if (required && attributes[key] === undefined) throw bad(refusal, `${key} is required.`)
  }
}

/**
 * Returns the attributes that a resource shall have. Attributes that the table does not list are left out (RFC 7644 section 3.3).
 * @throws ScimError invalidSyntax, invalidValue
 */
export function readResource(type: ResourceType, body: JsonObject): Attributes {
  expectSchema(body, type.urn)
  const entries = [...read(type.core, body)]
  for (const [name, value] of Object.entries(body)) {
    const extension = type.extensions.get(name.toLowerCase())
    if (extension !== undefined && isObject(value)) entries.push(...read(extension, value))
  }
  const attributes = Object.fromEntries(entries)
  assertComplete(type, attributes)
  return attributes
}

const memberIdLengthMax = 64

/**
 * Returns the ids in a list of members: of objects with a `value`, or of bare ids.
 * @throws ScimError invalidValue
 */
export function readMembers(sent: Json | undefined): readonly string[] {
  if (sent === undefined || sent === null) return []
  const list: readonly Json[] = Array.isArray(sent) ? sent : [sent]
  return list.map((each) => {
    const id = isObject(each) ? each['value'] : each
    if (typeof id !== 'string' || id === '' || id.length > memberIdLengthMax) {
      throw bad('invalidValue', 'Each of members must have the id of a user as its value.')
    }
    return id
  })
}
