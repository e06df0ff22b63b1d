// The values of attributes: whether they keep to their type. Pure functions.
import { isDeepStrictEqual } from 'node:util'
import type { Attribute, Issue } from '@bailiwick/contract'
import { ApiError } from '../../../platform/http/api-error.ts'
import { isAskedAtSignUp, lengthMaxByDefault } from './document.ts'

export type AttributeValues = Readonly<Record<string, unknown>>

/** The limit of publicMeta in requests. */
export const metaBytesMax = 16_384

type Problem = Pick<Issue, 'code' | 'message'> | undefined

const problem = (code: string, message: string): Problem => ({ code, message })

const isDate = (value: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)

function textProblem({ minLength = 0, maxLength = lengthMaxByDefault }: Attribute, value: string): Problem {
  const { length } = Array.from(value)
  if (length > maxLength) return problem('too_long', `must have at most ${maxLength} characters`)
  if (length < minLength) return problem('too_short', `must have at least ${minLength} characters`)
  // Control characters, and those that turn the direction of what follows, would spoil the lists that show it.
  return /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(value.replaceAll('\n', ''))
    ? problem('invalid_format', 'must not contain control characters')
    : undefined
}

function numberProblem({ minimum, maximum }: Attribute, value: number): Problem {
  if (minimum !== undefined && value < minimum) return problem('too_small', `must be at least ${minimum}`)
  if (maximum !== undefined && value > maximum) return problem('too_large', `must be at most ${maximum}`)
  return undefined
}

const kinds = { text: 'string', number: 'number', boolean: 'boolean', choice: 'string', date: 'string' } as const

/** Returns why an attribute cannot have a value; undefined if it can. */
export function valueProblem(attribute: Attribute, value: unknown): Problem {
  const { type, choices = [] } = attribute
  if (typeof value !== kinds[type]) return problem('invalid_type', `must be ${kinds[type]}`)
  switch (type) {
    case 'text':
      return textProblem(attribute, value as string)
    case 'number':
      return numberProblem(attribute, value as number)
    case 'choice': {
      const values = choices.map((each) => each.value)
      const isOne = values.some((each) => each === value)
      return isOne ? undefined : problem('invalid_value', `must be one of: ${values.join(', ')}`)
    }
    case 'date':
      return isDate(value as string) ? undefined : problem('invalid_format', 'must be a date, such as 2026-11-27')
    default:
      return undefined
  }
}

/** Returns the value that a text stands for. What stands for none of the type stays text, in which {@link valueProblem} finds it. */
export function valueFromText({ type }: Attribute, text: string): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return type === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Returns the values of attributes in metadata, which may be any JSON. */
export const valuesIn = (meta: unknown): AttributeValues =>
  typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? (meta as AttributeValues) : {}

const valueAt = (values: AttributeValues, key: string): unknown =>
  Object.hasOwn(values, key) ? (values[key] ?? undefined) : undefined

/** Returns whether a user lacks what an attribute demands: a value or, for a boolean, true. */
export const isLacking = ({ key, type }: Attribute, values: AttributeValues): boolean => {
  const value = valueAt(values, key)
  return value === undefined || value === '' || (type === 'boolean' && value !== true)
}

/** Returns the attributes that new users must give. */
export const demandedAttributes = (attributes: readonly Attribute[]): readonly Attribute[] =>
  attributes.filter((each) => each.required === true && isAskedAtSignUp(each))

/** Returns the issues of new metadata. What has not changed is left alone, because its type may have changed since. */
export const metaIssues = (attributes: readonly Attribute[], meta: unknown, before: unknown = {}): Issue[] => {
  const [values, earlier] = [valuesIn(meta), valuesIn(before)]
  return attributes.flatMap((attribute) => {
    const { key } = attribute
    const value = valueAt(values, key)
    if (value === undefined || isDeepStrictEqual(value, valueAt(earlier, key))) return []
    const found = valueProblem(attribute, value)
    return found === undefined ? [] : [{ path: `/publicMeta/${key}`, ...found }]
  })
}

/** @throws ApiError validation_failed, with the field of each value that breaks its type. */
export function assertMeta(attributes: readonly Attribute[], meta: unknown, before?: unknown): void {
  if (meta === undefined || attributes.length === 0) return
  const issues = metaIssues(attributes, meta, before)
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

/**
 * Returns the values of a user after the user has written some; null removes one.
 * @throws ApiError validation_failed for a key that users do not write, a value that breaks its type, or a required one that is removed.
 */
export function withOwnValues(attributes: readonly Attribute[], before: AttributeValues, input: AttributeValues) {
  const after: Record<string, unknown> = { ...before }
  const issues: Issue[] = []
  for (const [key, value] of Object.entries(input)) {
    const path = `/attributes/${key}`
    const attribute = attributes.find((each) => each.key === key)
    if (attribute === undefined || attribute.writableBy !== 'user') {
      issues.push({ path, code: 'unknown_property', message: 'is not an attribute that users write' })
      continue
    }
    if (value === null || value === '') delete after[key]
    else after[key] = value
    const isNew = !isDeepStrictEqual(valueAt(after, key), valueAt(before, key))
    const found = isNew && Object.hasOwn(after, key) ? valueProblem(attribute, value) : undefined
    if (found !== undefined) issues.push({ path, ...found })
    else if (isNew && attribute.required === true && isLacking(attribute, after))
      issues.push({ path, code: 'required', message: 'is required by this tenant' })
  }
  if (Buffer.byteLength(JSON.stringify(after)) > metaBytesMax)
    issues.push({
      path: '/attributes',
      code: 'too_large',
      message: 'must leave publicMeta smaller than 16 KiB as JSON',
    })
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  return after
}
