// Checks a request against its operation's schemas and lists every broken rule.
import { type Endpoint, type Issue, formats, permissionFlags } from '@bailiwick/contract'
import type * as ajvModule from 'ajv'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { levenshtein } from '../../startup/levenshtein.ts'
import { loadLater } from '../../startup/load-later.ts'
import { ApiError } from '../api-error.ts'
import { pointer, structuralIssues } from './json-body.ts'
import { withoutNulls } from './optional-nulls.ts'

const issuesMax = 100

const ajvLibrary = loadLater<typeof ajvModule>('ajv')

const options: ajvModule.Options = {
  allErrors: true,
  // A broken rule is described by its schema.
  verbose: true,
  discriminator: true,
  strict: true,
  strictTypes: false,
  allowUnionTypes: true,
  // Operations apply defaults themselves, and no value is coerced.
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  validateFormats: true,
}

function createAjv(): Ajv {
  const ajv = new (ajvLibrary().Ajv)(options)
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate: format.test })
  ajv.addKeyword({ keyword: 'x-secret', schemaType: 'boolean' })
  ajv.addKeyword({ keyword: 'x-harmless', schemaType: 'boolean' })
  ajv.addKeyword({
    keyword: 'x-bytes-max',
    schemaType: 'number',
    validate: (bytesMax: number, value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '') <= bytesMax,
    errors: false,
  })
  return ajv
}

let ajv: Ajv | undefined
const compile = (schema: TSchema) => (ajv ??= createAjv()).compile(schema)

interface Validators {
  readonly params: ValidateFunction | undefined
  readonly query: ValidateFunction | undefined
  readonly body: ValidateFunction | undefined
}

const nothing: TSchema = { type: 'object', additionalProperties: false }
const compiled = new WeakMap<Endpoint, Validators>()

/** Compiled on first use, because compiling all at the start would double the start-up time. */
function validatorsOf(endpoint: Endpoint): Validators {
  let validators = compiled.get(endpoint)
  if (validators === undefined) {
    validators = {
      params: endpoint.params && compile(endpoint.params),
      query: compile(endpoint.query ?? nothing),
      body: endpoint.body && compile(endpoint.body),
    }
    compiled.set(endpoint, validators)
  }
  return validators
}

const compiledSchemas = new WeakMap<TSchema, ValidateFunction>()

/** Returns the problems of a single value, such as one line of a stream. */
export function issuesOf(schema: TSchema, value: unknown): Issue[] {
  let validate = compiledSchemas.get(schema)
  if (validate === undefined) {
    validate = compile(schema)
    compiledSchemas.set(schema, validate)
  }
  const issues: Issue[] = []
  collect(validate, value, issues)
  return issues
}

const stringOf = (value: unknown) => String(value)

const patternRule = (pattern: string) => (pattern === '\\S' ? 'must not be blank' : `must match ${pattern}`)

interface Discriminated {
  readonly oneOf?: readonly { readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>> }[]
}

const typesOf = (schema: unknown, tag: string): string[] =>
  ((schema as Discriminated | undefined)?.oneOf ?? []).flatMap(({ properties }) => properties?.[tag]?.enum ?? [])

const shownLengthMax = 100

/**
 * Returns the message for a value outside an enumeration: all allowed values or, if the enumeration has a title because it is long, the
 * nearest one.
 */
function enumRule({ params, parentSchema, data }: ErrorObject): string {
  const values = (params['allowedValues'] as unknown[]).map((value) => stringOf(value))
  const { title } = parentSchema as { readonly title?: string }
  if (title === undefined) return `must be one of ${values.join(', ')}`
  if (typeof data !== 'string') return `must be a known ${title}`
  const given = data.slice(0, shownLengthMax)
  return `must be a known ${title}: ${JSON.stringify(given)} does not exist; did you mean ${JSON.stringify(levenshtein().closest(given, values))}?`
}

type Params = ErrorObject['params']
type IssueRule = (error: ErrorObject, params: Params) => Omit<Issue, 'path'> & { readonly at?: unknown }

/** Makes the rule of a limit: `must have at most 20 items`. */
const limit =
  (code: Issue['code'], words: string, unit = ''): IssueRule =>
  (_, params) => ({ code, message: `must ${words} ${stringOf(params['limit'])}${unit}` })

/** What each keyword of ajv means; `at` is the property that it speaks of, if that is below the value. */
const rules: Readonly<Record<string, IssueRule>> = {
  required: (_, params) => ({ at: params['missingProperty'], code: 'required', message: 'is required' }),
  additionalProperties: (_, params) => ({
    at: params['additionalProperty'],
    code: 'unknown_property',
    message: 'is not a known property',
  }),
  type: (_, params) => {
    const types = [params['type']].flat().map((type) => (type === 'integer' ? 'whole number' : stringOf(type)))
    return { code: 'invalid_type', message: `must be ${types.join(' or ')}` }
  },
  enum: (error) => ({ code: 'invalid_value', message: enumRule(error) }),
  discriminator: ({ parentSchema }, params) => ({
    at: params['tag'],
    code: 'invalid_value',
    message: `must be one of ${typesOf(parentSchema, stringOf(params['tag'])).join(', ')}`,
  }),
  minLength: limit('too_short', 'have at least', ' characters'),
  maxLength: limit('too_long', 'have at most', ' characters'),
  minimum: limit('too_small', 'be at least'),
  maximum: limit('too_large', 'be at most'),
  maxItems: limit('too_many', 'have at most', ' items'),
  maxProperties: limit('too_many', 'have at most', ' properties'),
  minItems: limit('too_few', 'have at least', ' items'),
  format: (_, params) => ({
    code: 'invalid_format',
    message: formats[stringOf(params['format'])]?.rule ?? 'has the wrong form',
  }),
  pattern: (_, params) => ({ code: 'invalid_format', message: patternRule(stringOf(params['pattern'])) }),
  uniqueItems: () => ({ code: 'duplicate', message: 'must not have the same item twice' }),
  'x-bytes-max': () => ({ code: 'too_large', message: 'must be smaller than 16 KiB as JSON' }),
}

const otherwise: IssueRule = ({ message }) => ({ code: 'invalid', message: message ?? 'is not valid' })

/** Translates one ajv error. */
function issueOf(error: ErrorObject): Issue {
  const { keyword, instancePath, params } = error
  const { at, code, message } = (rules[keyword] ?? otherwise)(error, params)
  return { path: at === undefined ? instancePath : pointer(instancePath, stringOf(at)), code, message }
}

/** Whether an enumeration refuses a value that the same schema has already refused for its type, which would be reported twice. */
const isToldAlready = ({ keyword, instancePath, parentSchema }: ErrorObject, before: ErrorObject | undefined) =>
  keyword === 'enum' &&
  before?.keyword === 'type' &&
  before.instancePath === instancePath &&
  before.parentSchema === parentSchema

function collect(validate: ValidateFunction | undefined, value: unknown, issues: Issue[]) {
  if (validate === undefined || validate(value)) return
  const errors = validate.errors ?? []
  for (const [index, error] of errors.entries()) {
    if (issues.length === issuesMax) return
    if (!isToldAlready(error, errors[index - 1])) issues.push(issueOf(error))
  }
}

/** Whether an object has properties. Most requests have neither parameters nor a query, so nothing is prepared for those. */
function hasProperty(value: unknown): boolean {
  for (const _name in value as object) return true
  return false
}

/**
 * Checks the body. One that breaks a rule is checked again without two harmless things that clients send: null for a property that may be
 * left out and cannot be null, which is removed for good, and the id of the record's tenant.
 * @returns the tenant id that the body names unnecessarily; the caller compares it with the record's tenant.
 */
function collectFromBody(endpoint: Endpoint, validate: ValidateFunction, body: unknown, issues: Issue[]) {
  if (validate(body)) return undefined
  if (withoutNulls(endpoint.body, body) && validate(body)) return undefined
  const claimed = claimedTenant(endpoint, body)
  if (claimed !== undefined) {
    const { tenantId: _claimed, ...rest } = body as Record<string, unknown>
    if (validate(rest)) {
      delete (body as Record<string, unknown>)['tenantId']
      return claimed
    }
  }
  collect(validate, body, issues)
  return undefined
}

function claimedTenant(endpoint: Endpoint & { readonly session?: string }, body: unknown): string | undefined {
  const isOfTenant = endpoint.session !== undefined || endpoint.permission in permissionFlags
  if (!isOfTenant || endpoint.isBodyExact === true || typeof body !== 'object' || body === null) return undefined
  const { tenantId } = body as { readonly tenantId?: unknown }
  return typeof tenantId === 'string' ? tenantId : undefined
}

/**
 * @returns the tenant id that the body names unnecessarily, if any.
 * @throws ApiError validation_failed with every rule that parameters, query and body break.
 */
export function validateRequest(
  endpoint: Endpoint,
  params: unknown,
  query: unknown,
  body: unknown,
): string | undefined {
  const validators = validatorsOf(endpoint)
  // The body's structure was checked while it was read.
  const issues: Issue[] = []
  let claimed: string | undefined
  if (hasProperty(params)) issues.push(...structuralIssues(params))
  if (hasProperty(query)) issues.push(...structuralIssues(query))
  collect(validators.params, params, issues)
  collect(validators.query, query, issues)
  // Each line of a streamed body is checked when it arrives.
  if (endpoint.bodyType !== undefined) {
    if (body === undefined) issues.push({ path: '', code: 'required', message: 'a body is required' })
  } else if (validators.body === undefined) {
    const isEmpty = body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)
    if (!isEmpty) issues.push({ path: '', code: 'unexpected_body', message: 'this operation does not accept a body' })
  } else if (body === undefined) {
    issues.push({ path: '', code: 'required', message: 'a JSON body is required' })
  } else {
    claimed = collectFromBody(endpoint, validators.body, body, issues)
  }
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  return claimed
}
