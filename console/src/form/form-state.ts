// The content of a form is the request that it makes. Everything else is derived from this one value.
import type { OperationId } from '../api/operations.ts'

export interface FormState {
  readonly operationId: OperationId
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** Values by their names, such as the body of a request. */
export type Values = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value at a path such as `providerSettings/host`. */
export const valueAt = (values: unknown, path: string): unknown =>
  path.split('/').reduce((found, name) => (isObject(found) ? found[name] : undefined), values)

/** Returns a copy with the value at the path; undefined takes it out. */
export function withValueAt(values: Values, path: string, value: unknown): Values {
  const [name = '', ...rest] = path.split('/')
  const inner =
    rest.length === 0 ? value : withValueAt(isObject(values[name]) ? values[name] : {}, rest.join('/'), value)
  const { [name]: _replaced, ...others } = values
  return inner === undefined ? others : { ...others, [name]: inner }
}

/** One field that somebody has changed. */
export interface Edit {
  readonly value: unknown
  /** What the record had when the change began, to tell when somebody else has changed it meanwhile. */
  readonly base: unknown
}

export type Edits = ReadonlyMap<string, Edit>

/** Returns the body that is sent: the fixed values and the form's initial ones, overridden by what was typed. */
export function bodyOf(start: Values, edits: Edits): Values {
  let body = start
  for (const [path, { value }] of edits) body = withValueAt(body, path, value)
  return body
}

export const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Returns the edits with one more. A field of a record that again has the record's value is no longer edited. */
export function withEdit(edits: Edits, record: object | undefined, name: string, value: unknown): Edits {
  const next = new Map(edits)
  const edit = edits.get(name)
  const base = edit === undefined ? valueAt(record, name) : edit.base
  if (record !== undefined && isSame(value ?? null, base ?? null)) next.delete(name)
  else next.set(name, { value, base })
  return next
}
