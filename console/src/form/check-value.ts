// Checks a value against its schema before it is sent: most faulty lines of a file break the schema. The service checks everything.
import type { Schema } from './schema.ts'

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const fits = (value: unknown, types: readonly string[]) => {
  const type = typeOf(value)
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** Returns what is wrong with a value, as sentences that begin with its path. */
export function problemsOf(schema: Schema, value: unknown, path = ''): readonly string[] {
  const at = path === '' ? 'The line' : path
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !fits(value, types)) return [`${at} must be ${types.join(' or ')}`]
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) {
    return [`${at} must be one of ${schema.enum.join(', ')}`]
  }
  if (typeof value === 'string') return problemsOfText(schema, value, at)
  const { properties } = schema
  if (properties === undefined || typeof value !== 'object' || value === null) return []
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => `${path}/${name} is required`),
    ...Object.entries(value).flatMap(([name, each]) => {
      const own = properties[name]
      return own === undefined ? [`${path}/${name} is not known`] : problemsOf(own, each, `${path}/${name}`)
    }),
  ]
}

function problemsOfText({ minLength = 0, maxLength = Infinity, format }: Schema, value: string, at: string) {
  if (value.length < minLength) return [`${at} must have at least ${minLength} characters`]
  if (value.length > maxLength) return [`${at} must have at most ${maxLength} characters`]
  if (format === 'email' && !/^[^@\s]+@[^@\s]+$/.test(value)) return [`${at} must be an e-mail address`]
  return []
}
