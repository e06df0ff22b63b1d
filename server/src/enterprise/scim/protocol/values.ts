// Reads what directories send into the attributes of the table. Okta and Entra differ from the standard in known ways, which are accepted:
// truth values as text, a single value in a list, a bare text in place of a complex value.
import { isWellFormedText } from '@bailiwick/contract'
import type { Attribute, AttributeTable } from './attributes.ts'
import { type Json, type JsonObject, isObject } from './json.ts'
import { bad } from './scim-error.ts'

export type Simple = string | boolean
export type Complex = Readonly<Record<string, Simple>>
export type Value = Simple | Complex | readonly Complex[]
/** The stored attributes of a resource, by key. An absent one is unassigned: null, an empty text and an empty list mean that, too. */
export type Attributes = Readonly<Record<string, Value>>

const textLengthMax = 1024
/** Of one attribute of a user. Members of groups have a limit of their own. */
export const valuesMax = 100
/** Certificates and pictures in line are not kept: nothing here uses them. */
const longNames: ReadonlySet<string> = new Set(['x509certificates', 'photos'])

const wrong = (path: string, expected: string) => bad('invalidValue', `${path} must be ${expected}.`)

/** Entra sends truth values as "True" and "False" unless a flag in its address is set. */
function readBoolean(path: string, value: Json): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : undefined
  if (text === 'true') return true
  if (text === 'false') return false
  throw wrong(path, 'true or false')
}

function readText(path: string, value: Json): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') throw wrong(path, 'a text')
  if (text.length > textLengthMax) throw wrong(path, `a text of at most ${textLengthMax} characters`)
  if (!isWellFormedText(text)) throw wrong(path, 'a text without control characters')
  return text.trim() === '' ? undefined : text
}

/** Entra's older form of a simple value is a list with one object: [{"$ref": null, "value": "x"}]. */
function unwrapped(value: Json): Json {
  if (!Array.isArray(value) || value.length !== 1) return value
  const only = value[0] as Json
  return isObject(only) && Object.hasOwn(only, 'value') ? (only['value'] as Json) : only
}

/** @returns undefined if the value means that the attribute is unassigned. */
export function readSimple({ type }: Attribute, path: string, sent: Json): Simple | undefined {
  const value = unwrapped(sent)
  if (value === null || value === '') return undefined
  if (type === 'boolean') return readBoolean(path, value)
  return readText(path, value)
}

function readSubAttributes(table: AttributeTable, path: string, value: JsonObject): Complex | undefined {
  const entries = Object.entries(value).flatMap(([name, each]): [string, Simple][] => {
    const sub = table.get(name.toLowerCase())
    if (sub === undefined || sub.mutability === 'readOnly') return []
    const simple = readSimple(sub, `${path}.${sub.name}`, each)
    return simple === undefined ? [] : [[sub.name, simple]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Reads one value of a complex attribute; a bare text is its `value`. */
export function readComplex({ sub }: Attribute, path: string, value: Json): Complex | undefined {
  if (value === null) return undefined
  if (isObject(value)) return readSubAttributes(sub, path, value)
  const main = sub.get('value')
  if (main === undefined) throw wrong(path, 'an object')
  const simple = readSimple(main, path, value)
  return simple === undefined ? undefined : { value: simple }
}

/** At most one value is primary (RFC 7643 section 2.4): the last that says so. */
export function withOnePrimary(values: readonly Complex[]): readonly Complex[] {
  const last = values.findLastIndex((each) => each['primary'] === true)
  return values.map((each, n) => (each['primary'] === true && n !== last ? { ...each, primary: false } : each))
}

export function readValues(attribute: Attribute, path: string, value: Json): readonly Complex[] {
  if (value === null) return []
  const list: readonly Json[] = Array.isArray(value) ? value : [value]
  if (list.length > valuesMax) throw wrong(path, `a list of at most ${valuesMax} values`)
  return list.map((each) => readComplex(attribute, path, each)).filter((each) => each !== undefined)
}

/** @returns undefined if the value means that the attribute is unassigned. */
export function readValue(attribute: Attribute, value: Json): Value | undefined {
  const { name, type, multiValued } = attribute
  if (longNames.has(name.toLowerCase())) return undefined
  if (multiValued) {
    const values = readValues(attribute, name, value)
    return values.length === 0 ? undefined : withOnePrimary(values)
  }
  return type === 'complex'
    ? readComplex(attribute, name, Array.isArray(value) ? unwrapped(value) : value)
    : readSimple(attribute, name, value)
}
