// The few TypeBox builders that the shapes use: they make the same schemas with TypeBox's own types. The library contains a whole type
// system, and loading it takes 5 MB of memory and a fifth of the service's start (docs/decisions/0017-speed-tricks.md).
import type { TArray, TObject, TOptional, TProperties, TSchema, TUnion, TUnsafe } from 'typebox'

type Rules = Readonly<Record<string, unknown>>

/** TypeBox's marks, by which its functions tell schemas apart; JSON does not contain them. */
function marked(schema: object, name: `~${string}`, value: unknown): object {
  return Object.defineProperty(schema, name, { value, configurable: true, writable: true, enumerable: false })
}

export const Type = {
  /** Any JSON Schema with an explicit type. */
  Unsafe: <T>(schema: object): TUnsafe<T> => marked(copyOf(schema), '~unsafe', null) as TUnsafe<T>,

  Object<P extends TProperties>(properties: P, rules: Rules = {}): TObject<P> {
    const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] ?? {}, '~optional'))
    const schema = { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...rules }
    return marked(schema, '~kind', 'Object') as TObject<P>
  },

  Array: <S extends TSchema>(items: S, rules: Rules = {}): TArray<S> =>
    marked({ type: 'array', items, ...rules }, '~kind', 'Array') as TArray<S>,

  Union: <const S extends TSchema[]>(anyOf: S, rules: Rules = {}): TUnion<S> =>
    marked({ anyOf, ...rules }, '~kind', 'Union') as TUnion<S>,

  /** The same schema for a property that may be left out. */
  Optional: <S extends TSchema>(schema: S): TOptional<S> => marked(copyOf(schema), '~optional', true) as TOptional<S>,
}

/** Copies the schema with its hidden marks. */
const copyOf = (schema: object): object => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
