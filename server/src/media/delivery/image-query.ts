// Parses what an image's address requests: a named transformation or parameters, and the signature.
import {
  type Issue,
  type OutputFormat,
  type ResizeMode,
  codePointLength,
  isWellFormedText,
  outputFormats,
  resizeModes,
} from '@bailiwick/contract'
import { ApiError } from '../../platform/http/api-error.ts'
import { pointer } from '../../platform/http/body/json-body.ts'
import type { ImageDefinition } from '../engine/definition.ts'

export interface ImageQuery {
  readonly transformation: string | undefined
  /** Whether anything besides a name was requested. */
  readonly parameters: ImageDefinition | undefined
  /** The hash of the definition that the address was made for. */
  readonly version: string | undefined
  readonly expiresAtSeconds: number | undefined
  readonly signature: string | undefined
}

const names = ['t', 'w', 'h', 'rm', 'q', 'c', 'f', 'v', 'e', 's'] as const
type Name = (typeof names)[number]

/** Lower than the limit of stored definitions, because anybody with the address may ask, not only the tenant's administrators. */
const sideMax = 4096
const qualityDefault = 80
const compressionDefault = 20
const nameLengthMax = 64
const issuesMax = 100

/** The definition for an address without parameters. */
export const plainDefinition: ImageDefinition = {
  outputFormat: 'auto',
  outputQuality: qualityDefault,
  outputCompression: compressionDefault,
  outputWidth: 0,
  outputHeight: 0,
  outputResizeMode: 'maximum',
  steps: [],
}

/** Returns what an address requests, and an issue for each rule that it breaks. */
class Given {
  readonly issues: Issue[] = []
  readonly #texts: Partial<Record<Name, string>> = {}

  constructor(query: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(query)) {
      const known = names.find((each) => each === name)
      if (known === undefined) this.refuse(name, 'unknown_property', 'is not a known parameter')
      else if (typeof value === 'string' && isWellFormedText(value)) this.#texts[known] = value
      else this.refuse(name, 'invalid_type', 'must appear once')
    }
  }

  refuse(name: string, code: string, message: string): undefined {
    if (this.issues.length < issuesMax) this.issues.push({ path: pointer('', name), code, message })
  }

  text(name: Name): string | undefined {
    return this.#texts[name]
  }

  wholeNumber(name: Name, maximum: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text)
    if (/^\d{1,12}$/.test(text) && value <= maximum) return value
    return this.refuse(name, 'invalid_value', `must be a whole number from 0 to ${maximum}`)
  }

  oneOf<Value extends string>(name: Name, values: readonly Value[]): Value | undefined {
    const text = this.text(name)
    const found = values.find((value) => value === text)
    if (text === undefined || found !== undefined) return found
    return this.refuse(name, 'invalid_value', `must be one of ${values.join(', ')}`)
  }
}

/** The parameters that are allowed without a name. */
const parameterNames = ['w', 'h', 'rm', 'q', 'c', 'f'] as const

/** The size in which components show the picture of a user or an organization: one more image of each file, in any deployment. */
const isSmallPicture = (given: Given, asked: readonly Name[]) =>
  asked.length === 3 && given.text('w') === '64' && given.text('h') === '64' && given.text('rm') === 'crop'

function parametersOf(given: Given, areTaken: boolean): ImageDefinition | undefined {
  const asked = parameterNames.filter((name) => given.text(name) !== undefined)
  if (asked.length === 0) return undefined
  if (!areTaken && !isSmallPicture(given, asked))
    for (const name of asked)
      given.refuse(name, 'not_allowed', 'is not accepted by this deployment; name a transformation with t')
  else if (given.text('t') !== undefined) given.refuse('t', 'not_allowed', 'cannot be combined with other parameters')
  return {
    outputFormat: given.oneOf<OutputFormat>('f', outputFormats) ?? 'auto',
    outputQuality: given.wholeNumber('q', 100) ?? qualityDefault,
    outputCompression: given.wholeNumber('c', 100) ?? compressionDefault,
    outputWidth: given.wholeNumber('w', sideMax) ?? 0,
    outputHeight: given.wholeNumber('h', sideMax) ?? 0,
    outputResizeMode: given.oneOf<ResizeMode>('rm', resizeModes) ?? 'maximum',
    steps: [],
  }
}

function transformationOf(given: Given): string | undefined {
  const name = given.text('t')
  if (name === undefined || (name !== '' && codePointLength(name) <= nameLengthMax)) return name
  return given.refuse('t', 'invalid_value', `must have 1 to ${nameLengthMax} characters`)
}

/**
 * @param areParametersTaken whether parameters are accepted, or only names.
 * @throws ApiError validation_failed, with every broken rule.
 */
export function parseImageQuery(query: Readonly<Record<string, unknown>>, areParametersTaken: boolean): ImageQuery {
  const given = new Given(query)
  const parsed = {
    transformation: transformationOf(given),
    parameters: parametersOf(given, areParametersTaken),
    version: given.text('v'),
    expiresAtSeconds: given.wholeNumber('e', 999_999_999_999),
    signature: given.text('s'),
  }
  if (given.issues.length > 0) throw new ApiError('validation_failed', { issues: given.issues })
  return parsed
}
