// What an image's address asks for: a transformation by its name, or parameters; and by what right.
import {
  type OutputFormat,
  type ResizeMode,
  codePointLength,
  isWellFormedText,
  outputFormats,
  resizeModes,
} from '@bailiwick/contract'
import { invalid } from '../../http/api-error.ts'
import type { ImageDefinition } from '../engine/definition.ts'

export interface ImageQuery {
  readonly transformation: string | undefined
  /** Where anything was asked for beside a name. */
  readonly parameters: ImageDefinition | undefined
  /** Of the definition that the address was made for. */
  readonly version: string | undefined
  readonly expiresAtSeconds: number | undefined
  readonly signature: string | undefined
}

const names = ['t', 'w', 'h', 'rm', 'q', 'c', 'f', 'v', 'e', 's'] as const
type Name = (typeof names)[number]
type Given = Partial<Record<Name, string>>

/** Smaller than a stored definition may say: whoever has the address asks, not who administers the tenant. */
const sideMax = 4096
const qualityDefault = 80
const compressionDefault = 20
const nameLengthMax = 64

/** What is delivered where nothing is asked for. */
export const plainDefinition: ImageDefinition = {
  outputFormat: 'auto',
  outputQuality: qualityDefault,
  outputCompression: compressionDefault,
  outputWidth: 0,
  outputHeight: 0,
  outputResizeMode: 'maximum',
  steps: [],
}

function givenOf(query: Readonly<Record<string, unknown>>): Given {
  const given: Given = {}
  for (const [name, value] of Object.entries(query)) {
    const known = names.find((each) => each === name)
    if (known === undefined) throw invalid(`/${name}`, 'unknown_property', 'is not a parameter of an image')
    if (typeof value !== 'string' || !isWellFormedText(value))
      throw invalid(`/${name}`, 'invalid_type', 'must be given once, as text')
    given[known] = value
  }
  return given
}

function wholeNumber(given: Given, name: Name, maximum: number): number | undefined {
  const text = given[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^\d{1,12}$/.test(text) || value > maximum) {
    throw invalid(`/${name}`, 'invalid_value', `must be a whole number from 0 to ${maximum}`)
  }
  return value
}

function oneOf<Value extends string>(given: Given, name: Name, values: readonly Value[]): Value | undefined {
  const text = given[name]
  if (text === undefined) return undefined
  const found = values.find((value) => value === text)
  if (found === undefined) throw invalid(`/${name}`, 'invalid_value', `must be one of ${values.join(', ')}`)
  return found
}

function parametersOf(given: Given): ImageDefinition | undefined {
  if (!(['w', 'h', 'rm', 'q', 'c', 'f'] as const).some((name) => given[name] !== undefined)) return undefined
  if (given.t !== undefined) throw invalid('/t', 'not_allowed', 'goes without further parameters')
  return {
    outputFormat: oneOf<OutputFormat>(given, 'f', outputFormats) ?? 'auto',
    outputQuality: wholeNumber(given, 'q', 100) ?? qualityDefault,
    outputCompression: wholeNumber(given, 'c', 100) ?? compressionDefault,
    outputWidth: wholeNumber(given, 'w', sideMax) ?? 0,
    outputHeight: wholeNumber(given, 'h', sideMax) ?? 0,
    outputResizeMode: oneOf<ResizeMode>(given, 'rm', resizeModes) ?? 'maximum',
    steps: [],
  }
}

/** @throws ApiError validation_failed */
export function parseImageQuery(query: Readonly<Record<string, unknown>>): ImageQuery {
  const given = givenOf(query)
  if (given.t !== undefined && (given.t === '' || codePointLength(given.t) > nameLengthMax)) {
    throw invalid('/t', 'invalid_value', `must have 1 to ${nameLengthMax} characters`)
  }
  return {
    transformation: given.t,
    parameters: parametersOf(given),
    version: given.v,
    expiresAtSeconds: wholeNumber(given, 'e', 999_999_999_999),
    signature: given.s,
  }
}
