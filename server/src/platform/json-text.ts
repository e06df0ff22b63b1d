// JSON as the database keeps it: text whose type says what it holds.

declare const held: unique symbol

/** JSON of such a value. Only a type: at run time it is text like any other. */
export type JsonText<Value> = string & { readonly [held]: Value }

/** What is read from JSON is the reader's own: its lists may be changed. */
type Read<Value> = Value extends readonly (infer Each)[] ? Each[] : Value

export const toJson = <Value>(value: Value) => JSON.stringify(value) as JsonText<Read<Value>>

export const fromJson = <Value>(text: JsonText<Value>): Value => JSON.parse(text) as Value

/** What a tenant keeps with a record in `publicMeta` and `privateMeta`: any JSON, `{}` if none was ever sent. */
export const metaText = (value: unknown): JsonText<unknown> => toJson(value === undefined ? {} : value)

/** What an update leaves out stays as it is. */
export const metaTextOr = (value: unknown, before: JsonText<unknown>): JsonText<unknown> =>
  value === undefined ? before : toJson(value)
