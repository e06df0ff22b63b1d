// The part of JSON Schema that the contract uses, as forms read it.
import { translate } from '../texts/translate.ts'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly (string | null)[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly 'x-secret'?: boolean
}

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat())

export const isNullable = (schema: Schema): boolean => typesOf(schema).includes('null')
export const isSecret = (schema: Schema): boolean => schema.format === 'password' || schema['x-secret'] === true

/** The kind of input for a value. */
export type FieldKind = 'text' | 'secret' | 'choice' | 'flag' | 'number' | 'choices' | 'lines' | 'json'

export function kindOf(schema: Schema): FieldKind {
  if (isSecret(schema)) return 'secret'
  if (schema.enum !== undefined) return 'choice'
  const [type] = typesOf(schema).filter((each) => each !== 'null')
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string') return 'text'
  if (type === 'array' && schema.items?.enum !== undefined) return 'choices'
  if (type === 'array' && schema.items !== undefined && typesOf(schema.items).includes('string')) return 'lines'
  return 'json'
}

/** The schema at a path such as `providerSettings/host`; any JSON if the schema does not mention it. */
export function schemaAt(schema: Schema | undefined, path: string): Schema {
  return path.split('/').reduce<Schema>((found, name) => found.properties?.[name] ?? {}, schema ?? {})
}

export function isRequiredAt(schema: Schema | undefined, path: string): boolean {
  const names = path.split('/')
  const parent = names.slice(0, -1).join('/')
  const holder = parent === '' ? schema : schemaAt(schema, parent)
  return holder?.required?.includes(names.at(-1) ?? '') === true
}

/** The rules for a text that a browser can check before it is sent. */
export interface Constraints {
  readonly type?: string
  readonly required?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly min?: number
  readonly max?: number
  readonly step?: number | 'any'
  readonly pattern?: string
}

const inputTypes: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'tel',
  password: 'password',
  date: 'date',
}

/**
 * JSON Schema finds a pattern anywhere in the value; in HTML it must match the whole value. One that browsers cannot read is left to the
 * service.
 */
function wholePattern(pattern: string): string | undefined {
  const body = `${pattern.startsWith('^') ? '' : '.*'}${pattern.replace(/^\^/, '').replace(/\$$/, '')}${pattern.endsWith('$') ? '' : '.*'}`
  try {
    return new RegExp(`^(?:${body})$`, 'v').source === '' ? undefined : body
  } catch {
    return undefined
  }
}

const present = <Value extends object>(value: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<Value>

/** The rules of a schema as attributes of an input. */
export function constraintsOf(schema: Schema, isRequired: boolean): Constraints {
  const isNumber = kindOf(schema) === 'number'
  return present({
    type: isNumber ? 'number' : (inputTypes[schema.format ?? ''] ?? (isSecret(schema) ? 'password' : 'text')),
    required: isRequired ? true : undefined,
    minLength: schema.minLength,
    maxLength: schema.maxLength,
    min: schema.minimum,
    max: schema.maximum,
    step: isNumber ? (typesOf(schema).includes('integer') ? 1 : ('any' as const)) : undefined,
    pattern: schema.pattern === undefined ? undefined : wholePattern(schema.pattern),
  }) as Constraints
}

/** Values that are abbreviations, which are written in capitals. */
const abbreviations = new Set(['jpeg', 'png', 'svg', 'gif', 'avif', 'us', 'eu', 'sms', 'jwt'])
const capitalised = (value: string) =>
  value === 'email'
    ? 'E-mail'
    : abbreviations.has(value)
      ? value.toUpperCase()
      : value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ')

/** The values that a schema allows, as choices with names that people read. */
export const namedChoicesOf = (schema: Schema): readonly { readonly value: string; readonly label: string }[] =>
  choicesOf(schema).map(({ value }) => ({ value, label: translate(capitalised(value)) }))

/** The values that a schema allows, as choices. */
export const choicesOf = (schema: Schema): readonly { readonly value: string; readonly label: string }[] =>
  (schema.enum ?? []).flatMap((value) => (value === null ? [] : [{ value, label: value }]))
