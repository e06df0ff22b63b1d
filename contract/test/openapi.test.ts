// Checks that the committed description matches the contract, and is a valid OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.1).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type BinaryEndpoint,
  type Endpoint,
  type Interface,
  binaryEndpoints,
  commonErrorCodes,
  endpoints,
  errorCatalogue,
  frontendEndpoints,
  frontendInterface,
  managementInterface,
  openApiDocument,
  openApiText,
} from '@bailiwick/contract'
import packageJson from '../package.json' with { type: 'json' }
import { type Json, isObject, objectsIn, parseDocument, readDocument, resolve } from './openapi-document.ts'

interface Operation extends Json {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Json
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Json }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Json; readonly headers?: Json }>
  >
  readonly security?: readonly Json[]
}

interface Description extends Json {
  readonly openapi: string
  readonly info: Json
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly security: readonly Json[]
}

function checkDescription(file: string, catalogue: Record<string, Endpoint>, shown: Interface) {
  const source = readDocument(file)
  const { document, components, paths } = parseDocument<Operation>(source)
  const description = document as Description
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  const allEndpoints: readonly (Endpoint & Partial<BinaryEndpoint>)[] = Object.values(catalogue)

  const types = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'])
  /** The keywords of JSON Schema 2020-12 that the contract uses; anything else is a typing error or an extension. */
  const keywords = new Set(
    `$ref type enum const anyOf oneOf allOf items properties patternProperties required additionalProperties minProperties maxProperties minLength maxLength pattern format
  minimum maximum minItems maxItems uniqueItems title description discriminator`.split(/\s+/),
  )

  /** JSON Schema's own rules, for the keywords that the contract uses. */
  function assertSchema(schema: unknown, at: string): void {
    if (typeof schema === 'boolean') return
    assert.ok(isObject(schema), `${at} is no schema`)
    for (const keyword of Object.keys(schema)) {
      assert.ok(keywords.has(keyword) || keyword.startsWith('x-'), `${at} has the unknown keyword ${keyword}`)
    }
    const {
      type,
      enum: values,
      pattern,
      properties = {},
      patternProperties = {},
      required = [],
      items,
      additionalProperties,
    } = schema
    for (const each of type === undefined ? [] : [type].flat()) assert.ok(types.has(each), `${at}/type`)
    if (values !== undefined) assert.ok(Array.isArray(values) && values.length === new Set(values).size, `${at}/enum`)
    if (typeof pattern === 'string') assert.doesNotThrow(() => new RegExp(pattern, 'u'), `${at}/pattern`)
    for (const [low, high] of [
      ['minLength', 'maxLength'],
      ['minimum', 'maximum'],
      ['minItems', 'maxItems'],
      ['minProperties', 'maxProperties'],
    ] as const) {
      const [from = -Infinity, to = Infinity] = [schema[low], schema[high]]
      assert.ok(typeof from === 'number' && typeof to === 'number' && from <= to, `${at}/${low}`)
    }
    assert.ok(isObject(properties) && Array.isArray(required), at)
    for (const name of required) assert.ok(Object.hasOwn(properties, String(name)), `${at} requires ${String(name)}`)
    for (const [name, each] of Object.entries(properties)) assertSchema(each, `${at}/properties/${name}`)
    for (const [name, each] of Object.entries(patternProperties as Json)) assertSchema(each, `${at}/${name}`)
    if (items !== undefined) assertSchema(items, `${at}/items`)
    if (additionalProperties !== undefined) assertSchema(additionalProperties, `${at}/additionalProperties`)
    for (const combiner of ['anyOf', 'oneOf', 'allOf']) {
      const branches = schema[combiner]
      if (branches === undefined) continue
      assert.ok(Array.isArray(branches) && branches.length > 0, `${at}/${combiner}`)
      for (const [index, each] of branches.entries()) assertSchema(each, `${at}/${combiner}/${index}`)
    }
  }

  describe(`${file}: the description of the interface`, () => {
    it('matches the contract', () => {
      assert.deepEqual(description, JSON.parse(JSON.stringify(openApiDocument(catalogue, shown, packageJson.version))))
      assert.equal(source, openApiText(description))
    })

    it('has every operation of the contract and no other', () => {
      const described = operations.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`)
      const declared = Object.entries(catalogue).map(
        ([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path}`,
      )
      assert.deepEqual(described.toSorted(), declared.toSorted())
      for (const [name, { id }] of Object.entries(catalogue)) assert.equal(id, name)
    })

    it('has the fields that OpenAPI requires of a document, and no others', () => {
      assert.match(description.openapi, /^3\.1\.\d+$/)
      for (const field of ['title', 'version']) assert.equal(typeof description.info[field], 'string')
      const fields = ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components']
      assert.deepEqual(Object.keys(description).toSorted(), fields.toSorted())
      for (const { url } of description.servers) assert.match(url, /\/api\/v0$/)
    })

    it('refers to nothing outside the document, and every reference can be resolved', () => {
      for (const [pointer, value] of objectsIn(description)) {
        if (typeof value['$ref'] !== 'string' || pointer.endsWith('/properties')) continue
        assert.ok(isObject(resolve(document, value['$ref'])), `${pointer} refers to ${value['$ref']}`)
        assert.deepEqual(Object.keys(value), ['$ref'], `${pointer} says more beside its reference`)
      }
    })

    it('has no keyword of OpenAPI 3.0 or of drafts before 2020-12', () => {
      for (const [pointer, value] of objectsIn(description)) {
        if (pointer.endsWith('/properties') || pointer.includes('/example')) continue
        for (const keyword of ['nullable', 'definitions', 'dependencies', 'id', '$recursiveRef', 'additionalItems']) {
          assert.ok(!Object.hasOwn(value, keyword), `${pointer}/${keyword}`)
        }
        assert.notEqual(typeof value['exclusiveMinimum'], 'boolean', pointer)
        assert.notEqual(typeof value['exclusiveMaximum'], 'boolean', pointer)
      }
    })

    for (const [name, schema] of Object.entries(components.schemas)) {
      it(`has a valid schema ${name}`, () => assertSchema(schema, `#/components/schemas/${name}`))
    }

    it('has paths that differ in more than the names of their parameters', () => {
      const shapes = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
      assert.equal(new Set(shapes).size, shapes.length)
      for (const path of Object.keys(paths)) assert.match(path, /^(\/([a-z0-9.-]+|\{[a-zA-Z]\w*\}))+$/)
    })

    it('has unique operation ids', () => {
      const ids = operations.map(({ operation }) => operation.operationId)
      assert.equal(new Set(ids).size, ids.length)
    })

    it('requires only credentials that it defines', () => {
      const requirements = [description.security, ...operations.map(({ operation }) => operation.security ?? [])].flat()
      for (const scheme of requirements.flatMap((each) => Object.keys(each))) {
        assert.ok(Object.hasOwn(components.securitySchemes, scheme), scheme)
      }
      for (const scheme of Object.values(components.securitySchemes)) {
        const isHttp = scheme['type'] === 'http' && typeof scheme['scheme'] === 'string'
        // Credentials are never in the query, because addresses are logged and shared.
        const isKey = scheme['type'] === 'apiKey' && /^(header|cookie)$/.test(String(scheme['in'])) && 'name' in scheme
        assert.ok(isHttp || isKey)
      }
    })

    for (const { path, method, operation } of operations) {
      const { operationId, parameters, requestBody, responses } = operation
      const endpoint = allEndpoints.find(({ id }) => id === operationId)

      it(`describes ${operationId} by OpenAPI's rules`, () => {
        assert.match(method, /^(get|put|post|patch|delete)$/)
        assert.notEqual(operation.summary, '')
        for (const tag of operation.tags)
          assert.ok(
            description.tags.some(({ name }) => name === tag),
            tag,
          )

        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
        const described = parameters.filter((each) => each.in === 'path')
        assert.deepEqual(described.map(({ name }) => name).toSorted(), inPath.toSorted())
        assert.ok(described.every(({ required }) => required))
        const places = parameters.map((each) => `${each.in} ${each.name}`)
        assert.equal(new Set(places).size, places.length)
        for (const { name, in: place, schema } of parameters) {
          assert.match(place, /^(path|query|header)$/)
          assertSchema(schema, `${operationId} ${name}`)
        }

        if (requestBody !== undefined) {
          assert.equal(requestBody.required, (endpoint as Endpoint).isBodyOptional !== true)
          assert.notEqual(method, 'get')
          const bodyTypes = endpoint?.bodyTypes ?? [endpoint?.bodyType ?? 'application/json']
          assertContent(requestBody.content, bodyTypes, `${operationId} body`)
        }
        for (const [status, { description: sentence, content, headers = {} }] of Object.entries(responses)) {
          assert.match(status, /^([1-5]\d\d|default)$/)
          assert.notEqual(sentence, '')
          const further = endpoint?.answers?.[Number(status)]
          const hasBytes = status === '200' || further?.hasBody === true
          const type = (hasBytes ? endpoint?.responseType : undefined) ?? 'application/json'
          if (further !== undefined && further.hasBody !== true) assert.equal(content, undefined)
          else assertContent(content ?? {}, [type], `${operationId} ${status}`)
          const declared = status === '200' ? endpoint?.headers : further?.headers
          assert.deepEqual(Object.keys(headers), Object.keys(declared ?? {}))
        }
        assert.ok(responses['200'] !== undefined && responses['default'] !== undefined)
      })

      it(`lists every error of ${operationId} under its status`, () => {
        for (const code of [...commonErrorCodes, ...(endpoint?.errors ?? [])]) {
          const { status, message } = errorCatalogue[code]
          assert.ok(responses[String(status)]?.description.includes(`\`${code}\`: ${message}`), code)
        }
      })
    }

    function assertContent(content: Json, mediaTypes: readonly string[], at: string) {
      assert.deepEqual(Object.keys(content), mediaTypes, at)
      for (const type of mediaTypes) assertSchema((content[type] as Json)['schema'], at)
    }
  })
}

checkDescription('openapi.json', { ...endpoints, ...binaryEndpoints }, managementInterface)
checkDescription('openapi-frontend.json', frontendEndpoints, frontendInterface)

describe('both descriptions together', () => {
  it('have fewer than 35,000 lines, so that a reviewer can read their differences', () => {
    const lines = ['openapi.json', 'openapi-frontend.json'].map((file) => readDocument(file).split('\n').length)
    assert.ok(lines.reduce((sum, each) => sum + each, 0) < 35_000, lines.join(' + '))
  })
})
