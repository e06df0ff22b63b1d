// The few of TypeBox's builders that the shapes are made with: the same schemas under TypeBox's own types. The library brings a whole type
// system along, and loading it takes 5 MB of memory and a fifth of the service's start (docs/decisions/0017-speed-tricks.md).
import type { TArray, TObject, TOptional, TProperties, TSchema, TUnion, TUnsafe } from 'typebox'

type Rules = Readonly<Record<string, unknown>>

/** TypeBox's marks: its own functions tell schemas apart by them, JSON does not show them. */
function marked(schema: object, name: `~${string}`, value: unknown): object {
  return Object.defineProperty(schema, name, { value, configurable: true, writable: true, enumerable: false })
}

export const Type = {
  /** Any JSON Schema, with the type said beside it. */
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

  /** The same schema, for a property that may be left out. */
  Optional: <S extends TSchema>(schema: S): TOptional<S> => marked(copyOf(schema), '~optional', true) as TOptional<S>,
}

/** With its hidden marks. */
const copyOf = (schema: object): object => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
