// Checks every answer of every test against the contract: a status or code that the operation does not declare, or a body that does not
// match its schema, fails the test.
import assert from 'node:assert/strict'
import { type Endpoint, ErrorBody, commonErrorCodes, errorCatalogue, formats, isTimestamp } from '@bailiwick/contract'
import { Ajv, type ValidateFunction } from 'ajv'

// Each process compiles most of the contract's schemas, and optimizing the code takes as long as compiling it.
const ajv = new Ajv({ allErrors: true, strict: false, code: { optimize: false } })
for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate: format.test })
ajv.addFormat('date-time', { type: 'string', validate: isTimestamp })

const validators = new Map<object, ValidateFunction>()

export function assertMatches(schema: object, value: unknown, what: string) {
  let validate = validators.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    validators.set(schema, validate)
  }
  assert.ok(validate(value), `${what} breaks its schema: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`)
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export function assertDeclared(endpoint: Endpoint, { status, headers, body }: Answered) {
  if (status === 200) {
    const parts = endpoint.responseType === 'application/x-ndjson' ? (body as unknown[]) : [body]
    for (const part of parts) if (part !== undefined) assertMatches(endpoint.response, part, `${endpoint.id}'s answer`)
    return
  }
  assertMatches(ErrorBody, body, `${endpoint.id}'s error`)
  const { code, requestId } = body as ErrorBody
  const declared: readonly string[] = [...commonErrorCodes, ...endpoint.errors]
  assert.ok(declared.includes(code), `${endpoint.id} answered ${code}, which it does not declare`)
  assert.equal(errorCatalogue[code as keyof typeof errorCatalogue].status, status)
  assert.equal(headers['x-request-id'], requestId)
  assert.ok(status < 500 || code === 'unavailable', `${endpoint.id} answered ${status}`)
}
