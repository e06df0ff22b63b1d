// Reads an OpenAPI document for the tests: with its references, and with them resolved.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

export type Json = Readonly<Record<string, unknown>>
type Components = Readonly<
  Record<'schemas' | 'responses' | 'parameters' | 'securitySchemes', Readonly<Record<string, Json>>>
>
/** Operations by path and method. */
type Paths<Operation> = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export const readDocument = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Yields every object of a document with its JSON pointer. */
export function* objectsIn(value: unknown, pointer = '#'): Generator<readonly [pointer: string, value: Json]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsIn(item, `${pointer}/${index}`)
  } else if (isObject(value)) {
    yield [pointer, value]
    for (const [key, item] of Object.entries(value)) {
      yield* objectsIn(item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
  }
}

/** Returns the value that a reference within the document leads to. */
export function resolve(document: Json, reference: string): unknown {
  assert.ok(reference.startsWith('#/'), `${reference} leads outside`)
  return reference
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value: unknown, key) => (isObject(value) ? value[key] : undefined), document)
}

/** Returns one schema of objects that says what all of these say. */
function united(parts: readonly Json[]): Json {
  const required = parts.flatMap((part) => part['required'] as readonly string[])
  const properties = Object.assign({}, ...parts.map((part) => part['properties']))
  return { ...parts[0], required, properties }
}

/** Returns a part of the document with its references resolved, and each `allOf` as one schema. */
export function dereferenced(document: Json, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => dereferenced(document, each))
  if (!isObject(part)) return part
  const { $ref: reference } = part
  if (typeof reference === 'string') return dereferenced(document, resolve(document, reference))
  if (Array.isArray(part['allOf'])) return united(part['allOf'].map((each) => dereferenced(document, each) as Json))
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, dereferenced(document, value)]))
}

/** Returns the components of a document, and its operations without references. */
export function parseDocument<Operation>(source: string) {
  const document = JSON.parse(source) as Json
  return {
    document,
    components: document['components'] as Components,
    paths: dereferenced(document, document['paths']) as Paths<Operation>,
  }
}
