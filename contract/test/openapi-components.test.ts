// Checks that the documents state each thing once, under a name, and with the contract's meaning.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BinaryEndpoint, type Endpoint, binaryEndpoints, endpoints, frontendEndpoints } from '@bailiwick/contract'
import { type Parameter, createComponents, parameterWriter, pascalCase } from '../src/openapi-components.ts'
import {
  type Json,
  dereferenced,
  isObject,
  objectsIn,
  parseDocument,
  readDocument,
  resolve,
} from './openapi-document.ts'

interface Operation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema: Json
  }[]
  readonly requestBody?: { readonly content: Json }
  readonly responses: Readonly<Record<string, { readonly content: Json }>>
}

/** Returns the answers of an operation that are neither its 200 nor errors. */
const furtherAnswersOf = (id: string) =>
  (binaryEndpoints as Readonly<Record<string, BinaryEndpoint>>)[id]?.answers ?? {}

/** Returns a schema in a form that the contract and the documents share: null as a type, and no names of components. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (!isObject(schema)) return schema
  const [base, none] = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as readonly unknown[]) : []
  if (isObject(base) && base['type'] === 'object' && isObject(none) && none['type'] === 'null') {
    return { ...(plain(base) as Json), type: ['object', 'null'] }
  }
  const { mapping: _names, ...rest } = 'propertyName' in schema ? schema : { ...schema, mapping: undefined }
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, plain(value)]))
}

/** Returns the schema of the one media type of a body or an answer. */
function schemaOf(content: Json) {
  const [media, ...more] = Object.values(content)
  assert.ok(isObject(media) && more.length === 0)
  return media['schema']
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const documents = { 'openapi.json': endpoints, 'openapi-frontend.json': frontendEndpoints }

for (const [file, catalogue] of Object.entries<Readonly<Record<string, Endpoint>>>(documents)) {
  const source = readDocument(file)
  const { document, components, paths } = parseDocument<Operation>(source)

  describe(`${file}: the components`, () => {
    it('are all referred to, and have names that OpenAPI allows', () => {
      for (const kind of ['schemas', 'responses', 'parameters'] as const) {
        assert.ok(Object.keys(components[kind]).length > 10, kind)
        for (const name of Object.keys(components[kind])) {
          assert.match(name, /^[A-Z][a-zA-Z0-9]*$/)
          assert.ok(source.includes(`"$ref": "#/components/${kind}/${name}"`), `${name} is never referred to`)
        }
      }
    })

    it('contain every shape', () => {
      const elsewhere = [...objectsIn(document)].filter(
        ([pointer, value]) =>
          isObject(value['properties']) &&
          // A map of properties may have one that is called "properties".
          [value['type']].flat().includes('object') &&
          !/\/example\b/.test(pointer) &&
          !/^#\/components\/schemas\/\w+$/.test(pointer),
      )
      assert.deepEqual(
        elsewhere.map(([pointer]) => pointer),
        [],
      )
    })

    it('contain every error answer', () => {
      const operations = Object.values(document['paths'] as Json).flatMap((item) => Object.values(item as Json))
      for (const { operationId, responses } of operations as { operationId: string; responses: Json }[]) {
        for (const [status, answer] of Object.entries(responses)) {
          const isError = status !== '200' && !(status in furtherAnswersOf(operationId))
          if (isError) assert.deepEqual(Object.keys(answer as Json), ['$ref'], `${operationId} ${status}`)
        }
      }
    })

    it('contain the property that distinguishes the variants of each union', () => {
      for (const [pointer, { discriminator, oneOf }] of objectsIn(components.schemas)) {
        if (!isObject(discriminator) || !Array.isArray(oneOf)) continue
        const mapping = Object.entries(discriminator['mapping'] as Readonly<Record<string, string>>)
        assert.deepEqual(
          mapping.map(([, reference]) => ({ $ref: reference })),
          oneOf,
          pointer,
        )
        for (const [value, reference] of mapping) {
          const { properties } = resolve(document, reference) as { properties: Readonly<Record<string, Json>> }
          assert.deepEqual(properties[String(discriminator['propertyName'])]?.['enum'], [value])
        }
      }
    })
  })

  describe(`${file}: the operations, once their references are followed`, () => {
    for (const { id, path, method, params, query, body, response } of Object.values(catalogue)) {
      it(`${id} has the schemas of its endpoint`, () => {
        const operation = paths[path]?.[method.toLowerCase()]
        assert.ok(operation !== undefined)
        const { parameters, requestBody, responses } = operation
        const expected: Readonly<Record<string, object>> = {
          path: params?.properties ?? {},
          query: query?.properties ?? {},
        }
        for (const [place, properties] of Object.entries(expected)) {
          const described = parameters.filter((each) => each.in === place)
          // What a schema says in words is at the parameter.
          const wholeSchema = ({ name, description, schema }: (typeof described)[number]) =>
            'description' in (Reflect.get(properties, name) as object) ? { ...schema, description } : schema
          const schemas = Object.fromEntries(described.map((each) => [each.name, wholeSchema(each)]))
          assert.deepEqual(schemas, asJson(properties))
        }
        assert.equal(requestBody === undefined, body === undefined)
        if (requestBody !== undefined) assert.deepEqual(plain(schemaOf(requestBody.content)), plain(asJson(body)))
        assert.deepEqual(plain(schemaOf(responses['200']?.content ?? {})), plain(asJson(response)))
      })
    }
  })
}

describe('the names of the components', () => {
  it('mean the same shape in both documents', () => {
    const [management, frontend] = Object.keys(documents).map((file) => parseDocument(readDocument(file)))
    assert.ok(management !== undefined && frontend !== undefined)
    const shared = Object.keys(management.components.schemas).filter((name) => name in frontend.components.schemas)
    assert.ok(shared.includes('ErrorBody'))
    for (const name of shared) {
      const one = dereferenced(management.document, management.components.schemas[name])
      const other = dereferenced(frontend.document, frontend.components.schemas[name])
      assert.deepEqual(one, other, name)
    }
  })

  it('cannot be given to two different values', () => {
    const { add, schema } = createComponents()
    assert.deepEqual(add('responses', 'Gone', { description: 'a' }), { $ref: '#/components/responses/Gone' })
    assert.deepEqual(add('responses', 'Gone', { description: 'a' }), { $ref: '#/components/responses/Gone' })
    assert.throws(() => add('responses', 'Gone', { description: 'b' }), /Two different responses are called Gone/)
    schema({ type: 'object', properties: { a: { type: 'string' } } }, 'Place')
    assert.throws(() => schema({ type: 'object', properties: {} }, 'Place'), /Two different schemas are called Place/)
  })

  it('are given to the parameter that most operations have, and to none that only one has', () => {
    const perPage = (description: string): Parameter & Json => ({ name: 'perPage', in: 'query', description })
    const [common, rare, single] = [[perPage('common')], [perPage('rare')], [perPage('single')]] as const
    const id = [{ name: 'id', in: 'path' }]
    const all = [rare, rare, common, common, common, single].map((parameters) => ({ path: '/users', parameters }))
    const components = createComponents()
    const write = parameterWriter(
      [...all, { path: '/users/{id}', parameters: id }, { path: '/users/{id}/end', parameters: id }],
      components,
    )
    assert.deepEqual(write('/users', common), [{ $ref: '#/components/parameters/PerPage' }])
    assert.deepEqual(write('/users', rare), rare)
    assert.deepEqual(write('/users', single), single)
    assert.deepEqual(write('/users/{id}', id), [{ $ref: '#/components/parameters/UsersId' }])
    assert.deepEqual(write('/files/{id}', id), id)
    assert.deepEqual(components.byKind()['parameters'], { PerPage: common[0], UsersId: id[0] })
  })

  it('follow one convention', () => {
    for (const text of ['create-user', 'create_user', 'createUser', '/create/user', '_create user'])
      assert.equal(pascalCase(text), 'CreateUser')
  })
})
