// The components of an OpenAPI document: values that are stated once under a name, and referred to elsewhere.
import { nullableBaseOf, originalOf } from './schema.ts'
import * as shapes from './shapes.ts'

type Json = Readonly<Record<string, unknown>>
type Kind = 'schemas' | 'responses' | 'parameters'

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const namesOfShapes = new Map<unknown, string>(
  Object.entries(shapes).flatMap(([name, shape]) => (/^[A-Z]/.test(name) && isObject(shape) ? [[shape, name]] : [])),
)

/** Returns the name under which `shapes.ts` exports a schema, even if it is wrapped as an optional property. */
export const nameOf = (schema: unknown) => (isObject(schema) ? namesOfShapes.get(originalOf(schema)) : undefined)

/** Returns `create-user`, `create_user` and `createUser` as `CreateUser`. */
export const pascalCase = (text: string) =>
  text.replaceAll(/(?:^[^a-zA-Z0-9]*|[^a-zA-Z0-9]+)([a-zA-Z0-9]?)/g, (_match, letter: string) => letter.toUpperCase())

const mapValues = (values: unknown, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(values as Json).map(([key, value]) => [key, change(value, key)]))

const sorted = (values: Json): Json =>
  Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Returns the value of the property that distinguishes a union's variants, if there is one. */
function tagOf(variant: unknown, { discriminator }: Json) {
  if (!isObject(discriminator) || !isObject(variant)) return undefined
  const { enum: values } = (variant['properties'] as Record<string, Json>)[String(discriminator['propertyName'])] ?? {}
  return Array.isArray(values) ? String(values[0]) : undefined
}

export type Components = ReturnType<typeof createComponents>

/** Collects the components of one document. */
export function createComponents() {
  const components: Record<Kind, Record<string, unknown>> = { schemas: {}, responses: {}, parameters: {} }

  /** Adds a component and returns a reference to it. Two different values with one name are an error. */
  function add(kind: Kind, name: string, value: unknown) {
    const present = (components[kind][name] ??= value)
    if (present !== value && JSON.stringify(present) !== JSON.stringify(value)) {
      throw new Error(
        `Two different ${kind} are called ${name}. Export a shape from contract/src/shapes.ts to name it.`,
      )
    }
    return { $ref: `#/components/${kind}/${name}` }
  }

  /**
   * Returns the schema with every shape replaced by a reference. Shapes are the schemas that `shapes.ts` names and those with properties.
   * An unnamed shape is named after its place; `names` overrides the names for some of its properties.
   */
  function schema(value: unknown, place: string, names: Readonly<Record<string, string>> = {}): unknown {
    if (!isObject(value)) return value
    const base = nullableBaseOf(value)
    if (base !== undefined) return { anyOf: [schema(base, place), { type: 'null' }] }
    const name = nameOf(value)
    if (name !== undefined) return add('schemas', name, components.schemas[name] ?? contents(value, name, names))
    return Object.hasOwn(value, 'properties')
      ? add('schemas', place, contents(value, place, names))
      : contents(value, place, names)
  }

  function contents(value: Json, place: string, names: Readonly<Record<string, string>>) {
    return mapValues(value, (rule, keyword) => {
      switch (keyword) {
        case 'properties':
          return mapValues(rule, (each, key) => schema(each, names[key] ?? place + pascalCase(key)))
        case 'items':
          return schema(rule, `${place}Item`)
        case 'additionalProperties':
          return schema(rule, `${place}Value`)
        case 'anyOf':
        case 'oneOf':
          return (rule as unknown[]).map((each, index) => schema(each, placeOfVariant(each, index, value, place)))
        case 'discriminator':
          return { ...(rule as Json), mapping: mappingOf(value, place) }
        default:
          return rule
      }
    })
  }

  const placeOfVariant = (variant: unknown, index: number, union: Json, place: string) =>
    place + pascalCase(tagOf(variant, union) ?? String(index + 1))

  const mappingOf = (union: Json, place: string) =>
    Object.fromEntries(
      (union['oneOf'] as unknown[]).map((variant, index) => {
        const name = nameOf(variant) ?? placeOfVariant(variant, index, union, place)
        return [tagOf(variant, union), `#/components/schemas/${name}`]
      }),
    )

  const byKind = () => mapValues(components, (values) => sorted(values as Json))
  return { add, schema, byKind }
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: unknown
}

/**
 * Returns the name of a parameter's component: `Cursor` for a query parameter or header, and `AuthUsersId`, with the preceding path, for a
 * path parameter.
 */
function nameOfParameter({ name, in: place }: Parameter, path: string) {
  if (place !== 'path') return pascalCase(name)
  const before = path.slice(0, path.indexOf(`{${name}}`)).replaceAll(/\{\w+\}/g, '')
  return pascalCase(`${before}-${name}`)
}

export interface Answer {
  readonly description: string
  readonly content: Readonly<Record<string, { readonly schema: unknown; readonly example: unknown }>>
}

interface Use {
  readonly name: string
  readonly value: object
}

/**
 * Returns a function that writes values that operations may share: as a reference if two or more have exactly the same value, otherwise the
 * value itself. If different values have one name, such as `perPage` with another default, the most frequent one is shared.
 */
function sharing(kind: Kind, all: readonly Use[], { add }: Components) {
  const uses = new Map<string, number>()
  const keyOf = ({ name, value }: Use) => `${name} ${JSON.stringify(value)}`
  for (const use of all.map(keyOf)) uses.set(use, (uses.get(use) ?? 0) + 1)
  const shared = new Map<string, string>()
  for (const [use, count] of [...uses].toSorted(([, a], [, b]) => b - a)) {
    const [name = ''] = use.split(' ')
    if (count > 1 && !shared.has(name)) shared.set(name, use)
  }
  return (use: Use) => (shared.get(use.name) === keyOf(use) ? add(kind, use.name, use.value) : use.value)
}

/** Returns a function that writes the parameters of a path. */
export function parameterWriter(
  all: readonly { readonly path: string; readonly parameters: readonly Parameter[] }[],
  components: Components,
) {
  const withReference = (value: Parameter) => {
    const name = nameOf(value.schema)
    if (name !== undefined) return { ...value, schema: components.schema(value.schema, name) }
    if (!isObject(value.schema)) return value
    // The parameter itself is described, in the same words.
    const { description: _description, ...schema } = value.schema
    return { ...value, schema }
  }
  const usesOf = (path: string, parameters: readonly Parameter[]) =>
    parameters.map((value) => ({ name: nameOfParameter(value, path), value: withReference(value) }))
  const uses = all.flatMap(({ path, parameters }) => usesOf(path, parameters))
  const write = sharing('parameters', uses, components)
  return (path: string, parameters: readonly Parameter[]) => usesOf(path, parameters).map(write)
}

/** Returns a function that writes successful answers, named after their schema if it is a component. */
export function answerWriter(all: readonly Answer[], components: Components) {
  const useOf = (value: Answer) => ({ name: nameOfAnswer(value), value })
  const write = sharing('responses', all.map(useOf), components)
  return (answer: Answer) => (nameOfAnswer(answer) === '' ? answer : write(useOf(answer)))
}

/** Returns the component name of an answer's schema, or undefined if it is not a component. */
function nameOfAnswer({ content }: Answer) {
  const [media] = Object.values(content)
  const { $ref: reference, anyOf } = isObject(media?.schema) ? media.schema : {}
  if (typeof reference === 'string') return nameIn(reference)
  const [base] = Array.isArray(anyOf) ? (anyOf as readonly unknown[]) : []
  return isObject(base) && typeof base['$ref'] === 'string' ? `${nameIn(base['$ref'])}OrNull` : ''
}

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)
