// PATCH (RFC 7644 section 3.5.2) on the attributes of a resource, in the dialects of Okta and Entra: operations in capitals, no path, names
// with dots in place of a path, a filter that matches nothing yet.
import { type Attribute, type ResourceType, splitUrn } from './attributes.ts'
import type { Comparison } from './filter.ts'
import { type Json, type JsonObject, isObject } from './json.ts'
import { type Path, parsePath } from './path.ts'
import { assertComplete, expectSchema } from './resource.ts'
import { bad } from './scim-error.ts'
import {
  type Attributes,
  type Complex,
  type Value,
  readComplex,
  readSimple,
  readValue,
  readValues,
  valuesMax,
  withOnePrimary,
} from './values.ts'

export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const operationsMax = 1000

/** One change of one attribute. */
export interface Change {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: Path
  readonly value: Json | undefined
}

const isOp = (op: string): op is Change['op'] => op === 'add' || op === 'replace' || op === 'remove'

/** Whole attributes that a directory sends back as it got them are passed over; a path to one is an error. */
const isFixed = ({ mutability }: Attribute) => mutability === 'readOnly' || mutability === 'writeOnly'

function* pathlessChanges(type: ResourceType, op: 'add' | 'replace', value: JsonObject): Generator<Change> {
  for (const [name, each] of Object.entries(value)) {
    const extension = type.extensions.get(name.toLowerCase())
    const lower = name.toLowerCase()
    if (extension !== undefined && isObject(each)) {
      for (const [inner, innerValue] of Object.entries(each)) {
        yield { op, path: parsePath(type, `${name}:${inner}`), value: innerValue }
      }
    } else if (lower !== 'schemas' && lower !== 'meta') {
      // Directories send attributes of their own here, too, which are ignored as in POST.
      const isKnown = splitUrn(type, name)?.table.has(name.toLowerCase()) ?? false
      const isPath = /[.[:]/.test(name)
      if (isKnown || isPath) yield { op, path: parsePath(type, name), value: each }
    }
  }
}

function* readChanges(type: ResourceType, operation: Json): Generator<Change> {
  if (!isObject(operation)) throw bad('invalidSyntax', 'Each of Operations must be an object.')
  const entries = new Map(Object.entries(operation).map(([name, each]) => [name.toLowerCase(), each]))
  const sent = entries.get('op')
  const op = typeof sent === 'string' ? sent.toLowerCase() : ''
  const path = entries.get('path')
  const value = entries.get('value')
  if (!isOp(op)) throw bad('invalidSyntax', 'op must be add, replace or remove.')
  if (path !== undefined && path !== null && typeof path !== 'string') throw bad('invalidPath', 'path must be a text.')
  if (op !== 'remove' && value === undefined) throw bad('invalidValue', `The operation ${op} needs a value.`)
  if (typeof path === 'string' && path !== '') {
    const parsed = parsePath(type, path)
    const fixed = isFixed(parsed.attribute) || (parsed.sub !== undefined && isFixed(parsed.sub))
    if (fixed && parsed.attribute.mutability !== 'writeOnly') {
      throw bad('mutability', `${path.slice(0, 100)} cannot be changed.`)
    }
    yield { op, path: parsed, value }
    return
  }
  if (op === 'remove') throw bad('noTarget', 'The operation remove needs a path.')
  if (!isObject(value)) throw bad('invalidValue', 'Without a path, the value must be an object.')
  yield* pathlessChanges(type, op, value)
}

/**
 * Returns what a PATCH asks for, attribute by attribute. What can only be read is left out.
 * @throws ScimError invalidSyntax, invalidPath, invalidFilter, invalidValue, mutability, noTarget
 */
export function readPatch(type: ResourceType, body: JsonObject): readonly Change[] {
  expectSchema(body, patchUrn)
  const operations = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1]
  if (!Array.isArray(operations)) throw bad('invalidSyntax', 'Operations must be a list.')
  if (operations.length > operationsMax) {
    throw bad('invalidValue', `A request has at most ${operationsMax} operations.`)
  }
  return operations
    .flatMap((each: Json) => [...readChanges(type, each)])
    .filter(({ path }) => !isFixed(path.attribute) && (path.sub === undefined || !isFixed(path.sub)))
}

const equals = (sub: Attribute, left: unknown, right: string | boolean) =>
  typeof left === 'string' && typeof right === 'string' && !sub.caseExact
    ? left.toLowerCase() === right.toLowerCase()
    : left === right

/** Whether a value is one of those that a filter in brackets means. */
export const isMeant = (value: Complex, within: readonly Comparison[]) =>
  within.every(({ sub, value: expected }) => equals(sub, value[sub.name], expected))

const listAt = (attributes: Attributes, key: string) => (attributes[key] ?? []) as readonly Complex[]
const objectAt = (attributes: Attributes, key: string) => (attributes[key] ?? {}) as Complex

const without = (from: Complex, name: string): Complex =>
  Object.fromEntries(Object.entries(from).filter(([each]) => each !== name))

const sameValue = (left: Complex, right: Complex) =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([name, each]) => right[name] === each)

/** Returns the value with one sub-attribute set or, by undefined, unset. */
function withSub(of: Complex, sub: Attribute, path: string, sent: Json | undefined): Complex {
  const simple = sent === undefined ? undefined : readSimple(sub, path, sent)
  return simple === undefined ? without(of, sub.name) : { ...of, [sub.name]: simple }
}

function changedSingle(before: Attributes, { op, path: { attribute, sub }, value }: Change): Value | undefined {
  if (sub !== undefined) {
    return withSub(
      objectAt(before, attribute.key),
      sub,
      `${attribute.name}.${sub.name}`,
      op === 'remove' ? undefined : value,
    )
  }
  if (op === 'remove') return undefined
  const read = readValue(attribute, value as Json)
  if (attribute.type !== 'complex' || read === undefined) return read
  return { ...objectAt(before, attribute.key), ...(read as Complex) }
}

/** The values that the filter does not mean, and those that it means after the change. */
function changedMeant(before: readonly Complex[], { op, path, value }: Change, within: readonly Comparison[]) {
  const { attribute, sub } = path
  if (op === 'remove' && sub === undefined) return before.filter((each) => !isMeant(each, within))
  const change = (each: Complex): Complex => {
    if (sub !== undefined)
      return withSub(each, sub, `${attribute.name}.${sub.name}`, op === 'remove' ? undefined : value)
    return { ...each, ...readComplex(attribute, attribute.name, (Array.isArray(value) ? value[0] : value) as Json) }
  }
  if (op === 'remove' || before.some((each) => isMeant(each, within))) {
    return before.map((each) => (isMeant(each, within) ? change(each) : each))
  }
  // Entra replaces what does not exist yet; the filter says what the new value is like.
  return [...before, change(Object.fromEntries(within.map((each) => [each.sub.name, each.value])))]
}

function changedList(before: readonly Complex[], change: Change): readonly Complex[] {
  const { op, path, value } = change
  const { attribute, sub, within } = path
  if (within !== undefined) return changedMeant(before, change, within)
  if (sub !== undefined) {
    const at = `${attribute.name}.${sub.name}`
    return before.map((each) => withSub(each, sub, at, op === 'remove' ? undefined : value))
  }
  if (op === 'remove' && (value === undefined || value === null)) return []
  const sent = readValues(attribute, attribute.name, value as Json)
  if (op === 'replace') return sent
  if (op === 'remove') return before.filter((each) => !sent.some((one) => one['value'] === each['value']))
  const added = sent.filter((one) => !before.some((each) => sameValue(each, one)))
  return [...before, ...added]
}

/** The value that was made primary by a change is the only one. */
function withNewPrimary(before: readonly Complex[], after: readonly Complex[]): readonly Complex[] {
  const isNew = (each: Complex) => each['primary'] === true && !before.some((old) => sameValue(old, each))
  const chosen = after.findLastIndex(isNew)
  if (chosen < 0) return withOnePrimary(after)
  return after.map((each, n) => (each['primary'] === true && n !== chosen ? { ...each, primary: false } : each))
}

function changed(before: Attributes, change: Change): Value | undefined {
  const { attribute } = change.path
  if (!attribute.multiValued) {
    const value = changedSingle(before, change)
    return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value
  }
  const list = listAt(before, attribute.key)
  const after = withNewPrimary(list, changedList(list, change)).filter((each) => Object.keys(each).length > 0)
  if (after.length > valuesMax) throw bad('invalidValue', `${attribute.name} can have at most ${valuesMax} values.`)
  return after.length === 0 ? undefined : after
}

/**
 * Returns the attributes after the changes, one after the other.
 * @throws ScimError invalidValue, mutability
 */
export function applyChanges(type: ResourceType, before: Attributes, changes: readonly Change[]): Attributes {
  const after = new Map<string, Value>(Object.entries(before))
  for (const change of changes) {
    const { key } = change.path.attribute
    const present = after.get(key)
    const value = changed(present === undefined ? {} : { [key]: present }, change)
    if (value === undefined) after.delete(key)
    else after.set(key, value)
  }
  const attributes = Object.fromEntries(after)
  assertComplete(type, attributes, 'mutability')
  return attributes
}
