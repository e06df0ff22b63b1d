// Parses a JSON body and refuses input that no handler should see: ill-formed text, deep nesting, prototype keys.
import { isUtf8 } from 'node:buffer'
import { type Issue, isWellFormedText } from '@bailiwick/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.ts'

const depthMax = 20
const keysMax = 1000
const itemsMax = 1000
const issuesMax = 100
/** `Object.assign` and similar functions turn an own `__proto__` of parsed JSON into the prototype. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
const contentType = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

export const pointer = (parent: string, key: string | number) =>
  `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Returns how many properties well-formed JSON contains: each has one colon outside of strings. */
function propertiesWritten(text: string): number {
  let properties = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === ':') properties++
    else if (character === '"') {
      for (index++; text[index] !== '"'; index++) if (text[index] === '\\') index++
    }
  }
  return properties
}

/**
 * Walks parsed JSON once and reports every broken rule with its JSON pointer.
 * @param text the source of the parsed value, to find repeated names. Programs differ on which of two equal names they use (RFC 8259 §4),
 * so one value could be checked here and the other used elsewhere.
 */
export function structuralIssues(root: unknown, text?: string): Issue[] {
  const issues: Issue[] = []
  let keys = 0
  /** The current position; turned into a pointer only when an issue is reported. */
  const way: (string | number)[] = []
  const found = (code: string, message: string) => {
    if (issues.length < issuesMax) issues.push({ path: way.reduce<string>(pointer, ''), code, message })
  }
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      if (!isWellFormedText(value)) found('invalid_text', 'must not contain NUL or lone surrogates')
      return
    }
    if (typeof value === 'number') {
      if (!Number.isFinite(value))
        found('invalid_number', 'must be a number that fits into a 64-bit floating-point number')
      return
    }
    if (typeof value === 'bigint') {
      return found(
        'invalid_number',
        'must not have more digits than a 64-bit floating-point number can store; send it as a string',
      )
    }
    if (typeof value !== 'object' || value === null) return
    if (way.length >= depthMax) return found('too_deep', `must not nest deeper than ${depthMax} levels`)
    if (Array.isArray(value)) {
      if (value.length > itemsMax) return found('too_many', `must not have more than ${itemsMax} items`)
      for (let index = 0; index < value.length; index++) {
        way.push(index)
        walk(value[index])
        way.pop()
      }
      return
    }
    for (const key of Object.keys(value)) {
      if (++keys > keysMax) return found('too_many', `must not have more than ${keysMax} properties in total`)
      way.push(key)
      if (forbiddenKeys.has(key)) found('forbidden_property', 'is a reserved property name')
      else if (!isWellFormedText(key)) found('invalid_text', 'must not contain NUL or lone surrogates')
      else walk((value as Record<string, unknown>)[key])
      way.pop()
    }
  }
  walk(root)
  if (text !== undefined && issues.length === 0 && propertiesWritten(text) !== keys) {
    found('duplicate_property', 'must not have the same property twice in one object')
  }
  return issues
}

/** Keeps the whole numbers that a double rounds: what is checked and stored would not be what was sent (RFC 8259 §6). */
function wholeAsWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source = '' } = context ?? {}
  if (typeof value !== 'number' || !Number.isFinite(value) || !/^-?\d+$/.test(source)) return value
  const whole = BigInt(source)
  // Programs write the shortest digits that lead back to the same number, which are not always all of its digits.
  return String(value) === source || whole === BigInt(value) ? value : whole
}

function parseJson(request: FastifyRequest, bytes: Buffer): unknown {
  if (!contentType.test(request.headers['content-type'] ?? '')) throw new ApiError('unsupported_media_type')
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new ApiError('malformed_json')
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = /\d{16}/.test(text) ? JSON.parse(text, wholeAsWritten) : JSON.parse(text)
  } catch (cause) {
    throw new ApiError('malformed_json', { cause })
  }
  const issues = structuralIssues(value, text)
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  return value
}

/** Makes `application/json` in UTF-8 the only body that the interface accepts. */
export function acceptJsonBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseJson(request, body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}
