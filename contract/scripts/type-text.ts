// A schema of the contract as a TypeScript type, for what is generated for people and for the SDK.

interface Schema {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | null)[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
}

export interface TypeTextOptions {
  /** The indentation of the type; if given, each property of an object has a line of its own, two spaces further in. */
  readonly indentation?: string
  /** Whether descriptions become docstrings of the properties that have a line of their own. */
  readonly isDescribed?: boolean
  /** Returns the name of a schema that is used instead of writing it out, if it has one. */
  readonly nameOf?: (schema: object) => string | undefined
  /** The most values of an enumeration that are written out; a longer one is written as a string. */
  readonly valuesMax?: number
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
const keyText = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** Returns a TypeScript type. With an indentation, each property of an object has a line of its own. */
export function typeText(given: object, options: TypeTextOptions = {}): string {
  const name = options.nameOf?.(given)
  if (name !== undefined) return name
  const schema = given as Schema
  if (schema.enum !== undefined && schema.enum.length <= (options.valuesMax ?? Number.POSITIVE_INFINITY)) {
    return schema.enum.map((value) => (value === null ? 'null' : quoted(value))).join(' | ')
  }
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return 'unknown'
  return types.map((type) => scalars[type] ?? structureText(type, schema, options)).join(' | ')
}

function structureText(type: string, schema: Schema, options: TypeTextOptions): string {
  const { items = {}, properties, additionalProperties } = schema
  if (type === 'array') {
    const item = typeText(items, options)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (type !== 'object') throw new Error(`no TypeScript type is known for the type ${type}`)
  if (properties !== undefined) return objectText(properties, schema.required ?? [], options)
  return `Record<string, ${typeof additionalProperties === 'object' ? typeText(additionalProperties, options) : 'unknown'}>`
}

function objectText(
  properties: NonNullable<Schema['properties']>,
  required: readonly string[],
  options: TypeTextOptions,
): string {
  const { indentation } = options
  const inner = indentation === undefined ? undefined : `${indentation}  `
  const within = inner === undefined ? options : { ...options, indentation: inner }
  const members = Object.entries(properties).map(
    ([name, schema]) => `${keyText(name)}${required.includes(name) ? '' : '?'}: ${typeText(schema, within)}`,
  )
  if (members.length === 0) return 'Record<string, never>'
  if (inner === undefined) return `{ ${members.join('; ')} }`
  const docs = Object.values(properties).map(({ description }) =>
    options.isDescribed && description !== undefined ? `${inner}/** ${description.replaceAll('*/', '*\\/')} */\n` : '',
  )
  return `{\n${members.map((member, index) => `${docs[index]}${inner}${member}\n`).join('')}${indentation}}`
}
