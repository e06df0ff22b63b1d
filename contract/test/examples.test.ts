// Checks that the examples that people copy are right: each is validated, by another validator than the server's, against its schema both
// as the contract has it and as the published description has it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Endpoint, endpoints, frontendEndpoints, formats, isTimestamp } from '@bailiwick/contract'
import { Set as setFormat } from 'typebox/format'
import { Compile, type XSchema } from 'typebox/schema'
import { type Json, parseDocument, readDocument } from './openapi-document.ts'

const description = parseDocument<unknown>(readDocument('openapi.json'))
const frontendDescription = parseDocument<unknown>(readDocument('openapi-frontend.json'))

function assertMatches(schema: object, value: unknown, what: string) {
  const [isValid, errors] = Compile(schema as XSchema).Errors(value)
  assert.ok(isValid, `${what}: ${JSON.stringify(errors)}`)
}

/** Returns the schema and the example of the one media type in the description. */
function published(content: unknown) {
  const [media, ...more] = Object.values(content as Readonly<Record<string, { schema: Json; example: unknown }>>)
  assert.ok(media !== undefined && more.length === 0)
  return media
}

interface Described {
  readonly endpoint: Endpoint
  readonly paths: (typeof description)['paths']
}

/** Both interfaces may have an operation of the same name. */
const everyEndpoint: readonly Described[] = [
  ...Object.values(endpoints).map((endpoint) => ({ endpoint, paths: description.paths })),
  ...Object.values(frontendEndpoints).map((endpoint) => ({ endpoint, paths: frontendDescription.paths })),
]

describe('the examples of the contract', () => {
  before(() => {
    for (const [name, format] of Object.entries(formats)) setFormat(name, format.test)
    setFormat('date-time', isTimestamp)
  })

  it('are checked by a validator that refuses wrong values', () => {
    const operation = description.paths['/tenants/{id}']?.['get'] as { responses: { 200: { content: unknown } } }
    const { schema } = published(operation.responses[200].content)
    for (const value of [{}, null, { id: 1 }, [], { ...endpoints.getTenant.example.response, id: 'no' }]) {
      assert.equal(Compile(schema as XSchema).Check(value), false, JSON.stringify(value))
    }
    assert.equal(Compile({ type: 'string', format: 'email' }).Check('not an address'), false)
  })

  for (const { endpoint, paths } of everyEndpoint) {
    const { id, method, path, params, query, body, response, example } = endpoint
    it(`${id} has valid examples of its input and its answer`, () => {
      assert.equal(example.params === undefined, params === undefined, 'an example of the path parameters')
      assert.equal(example.body === undefined, body === undefined, 'an example of the body')
      if (params !== undefined) assertMatches(params, example.params, 'params')
      if (query !== undefined) assertMatches(query, example.query ?? {}, 'query')
      if (body !== undefined) assertMatches(body, example.body, 'body')
      assertMatches(response, example.response, 'response')
    })

    it(`${id} has the same examples in the description`, () => {
      const operation = paths[path]?.[method.toLowerCase()]
      assert.ok(operation !== undefined)
      const { responses, requestBody } = operation as {
        responses: { 200: { content: unknown } }
        requestBody?: { content: unknown }
      }
      const answered = published(responses[200].content)
      assert.deepEqual(answered.example, example.response)
      assertMatches(answered.schema, answered.example, 'response')
      assert.equal(requestBody === undefined, body === undefined)
      if (requestBody === undefined) return
      const sent = published(requestBody.content)
      assert.deepEqual(sent.example, example.body)
      assertMatches(sent.schema, sent.example, 'body')
    })
  }
})
