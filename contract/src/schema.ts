// The building blocks of the shapes: plain JSON Schema together with its TypeScript type.
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { idPattern } from './formats/id.ts'
import { Type } from './type.ts'

/** Nullable types are written `type: [x, 'null']`, which validates and serialises several times faster than `anyOf`. */
type Json = Readonly<Record<string, unknown>>

export const text = (rules: Json = {}) => Type.Unsafe<string>({ type: 'string', ...rules })
export const nullableText = (rules: Json = {}) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...rules })
export const integer = (rules: Json = {}) => Type.Unsafe<number>({ type: 'integer', ...rules })
export const number = (rules: Json = {}) => Type.Unsafe<number>({ type: 'number', ...rules })
export const boolean = (rules: Json = {}) => Type.Unsafe<boolean>({ type: 'boolean', ...rules })
export const nullableBoolean = (rules: Json = {}) =>
  Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], ...rules })
export const nullableInteger = (rules: Json = {}) => Type.Unsafe<number | null>({ type: ['integer', 'null'], ...rules })
export const nullableNumber = (rules: Json = {}) => Type.Unsafe<number | null>({ type: ['number', 'null'], ...rules })

export const oneOf = <const V extends string>(values: readonly V[], rules: Json = {}) =>
  Type.Unsafe<V>({ type: 'string', enum: values, ...rules })
export const nullableOneOf = <const V extends string>(values: readonly V[], rules: Json = {}) =>
  Type.Unsafe<V | null>({ type: ['string', 'null'], enum: [...values, null], ...rules })

/** An id in a request, in the form of the service's own ids. */
export const id = (rules: Json = {}) => text({ pattern: idPattern, maxLength: 64, ...rules })
export const nullableId = (rules: Json = {}) => nullableText({ pattern: idPattern, maxLength: 64, ...rules })
/** An id that may be any text. A request with an unknown one is well-formed, but finds nothing. */
export const plainId = (rules: Json = {}) => text({ minLength: 1, maxLength: 256, ...rules })
export const timestamp = (rules: Json = {}) => text({ format: 'date-time', ...rules })
export const nullableTimestamp = (rules: Json = {}) => nullableText({ format: 'date-time', ...rules })
/** Arbitrary JSON, without a limit; see `metaJson` for the limit in requests. */
export const anyJson = (rules: Json = {}) => Type.Unsafe<unknown>({ ...rules })
export const metaJson = (rules: Json = {}) => anyJson({ 'x-bytes-max': 16_384, ...rules })

/** An object without additional properties. */
export const object = <P extends TProperties>(properties: P, rules: Json = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...rules })

export const array = <S extends TSchema>(items: S, rules: Json = {}) => Type.Array(items, rules)

/** The schema that `nullable` was made from, so that the OpenAPI document can name it. */
const nullableBases = new WeakMap<object, TObject>()
/** The schema that `optional` was made from, for the same purpose. */
const originals = new WeakMap<object, object>()

export function optional<S extends TSchema>(schema: S) {
  const copy = Type.Optional(schema)
  originals.set(copy, schema)
  const base = nullableBases.get(schema)
  if (base !== undefined) nullableBases.set(copy, base)
  return copy
}

/** `object` or null, as one schema, which serialises faster. */
export function nullable<P extends TProperties>(shape: TObject<P>) {
  const schema = Type.Unsafe<Static<TObject<P>> | null>({ ...shape, type: ['object', 'null'] })
  nullableBases.set(schema, shape)
  return schema
}

export const nullableBaseOf = (schema: object): TObject | undefined => nullableBases.get(schema)
/** Returns the schema that an optional one was made from, or any other schema unchanged. */
export const originalOf = (schema: object): object => originals.get(schema) ?? schema

/** The position of a page in its list. */
export const pageMeta = object({
  total: integer({ description: 'The number of all rows of the list' }),
  count: integer({ description: 'The number of rows on this page' }),
  numPages: integer({ description: 'The number of pages of the list with this `perPage`' }),
  perPage: integer({ description: 'The maximum number of rows on a page' }),
  prev: nullableTimestamp({ description: 'The cursor of the previous page; null on the first page' }),
  next: nullableTimestamp({ description: 'The cursor of the next page; null on the last page' }),
})

/** The envelope of lists: the rows and `meta`. */
export const page = <S extends TSchema>(items: S) =>
  object({
    status: oneOf(['success', 'error']),
    data: array(items),
    meta: pageMeta,
  })

const pageQueryOf = (perPageDefault: number) =>
  object({
    cursor: optional(
      text({ format: 'cursor', description: 'The page to read: `next` or `prev` of another page of the list' }),
    ),
    perPage: optional(
      text({
        format: 'per-page',
        description: `The maximum number of rows on the page, 1 to 100. Default: ${perPageDefault}`,
      }),
    ),
  })

/** Query parameters of lists that can be filtered by the time at which their rows were created. */
export const createdRange = {
  createdAfter: optional(
    text({ format: 'cursor', description: 'Only records that were created at this time or later' }),
  ),
  createdBefore: optional(text({ format: 'cursor', description: 'Only records that were created before this time' })),
}

/** The query of changes of one record, by which no edit of somebody else is overwritten unseen. */
export const recordBasis = {
  ifUpdatedAt: optional(
    text({
      format: 'cursor',
      description:
        'The `updatedAt` of the record on which the change is based. If the record has changed since, the response is 409 `changed_meanwhile` with the present record in `current`',
    }),
  ),
}

/** The same for documents of which every change is a version. */
export const documentBasis = {
  ifVersion: optional(
    text({
      pattern: '^(?:0|[1-9][0-9]{0,8})$',
      description:
        'The number of the version on which the change is based. If there is a newer one, the response is 409 `changed_meanwhile` with the present document in `current`',
    }),
  ),
}

/** The note about the total of lists with filters. */
export const narrowedTotal = 'With a filter `meta.total` counts at most 1,000 rows; if there are more, it is 1,001.'

/** The query of every paginated list. */
export const pageQuery = pageQueryOf(20)
/** The query of lists that are short for nearly everybody, so that a client that does not page gets the whole list. */
export const shortListQuery = pageQueryOf(100)
