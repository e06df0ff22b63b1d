// Junk in queries and path parameters, for every operation that takes them.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type Endpoint, type EndpointId, type ErrorBody, endpoints, errorCatalogue } from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { useSession } from '../harness/people/sessions.ts'
import { type Answer, type CallOptions, describeService, operatorKey } from '../harness/service.ts'
import { endpointIds, requests } from './requests.ts'
import { type World, createWorld } from './world.ts'

/** Listed by the name of the query parameter; a value is always text. */
const badValues: Readonly<Record<string, readonly string[]>> = {
  perPage: ['', '0', '-1', '101', '1e1', '1.0', '+1', '%201', '1%20', '0x1', '01', 'abc', '%00', '١'],
  cursor: ['', 'abc', '0', '2026', '2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', "' OR 1=1--", '%00'],
  environment: ['', 'Production', 'test', 'production,staging', '%00'],
  scope: ['', 'xyz', 'PUBLIC', 'public,secret', 'secret%20', '%00'],
  tenantId: ['', 'x', 'not-an-id', 'c1234-5678', 'c'.repeat(65), 'c12345678%00'],
  type: ['', 'user', 'user.', '.created', 'User.created', 'a.b.c', 'a.'.repeat(60), '%00', 'user.created%00'],
  subject: ['', 'x', 'not-an-id', 'c1234-5678', 'c'.repeat(65), 'c12345678%00'],
  requiredScopes: ['', '%20', '%20a', 'a%20', 'a%20%20b', 'a%09b', '"', '%5C', '%C3%A9', '%00', 'x'.repeat(2049)],
  graceSeconds: ['', '-1', '604801', '999999', '9'.repeat(400), '1.5', '1e3', '0x10', '007', '+1', 'abc', '%00'],
}

interface Rules {
  readonly minLength?: number
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
}

/** What a parameter refuses by its own rules, if the table has nothing more specific. */
const derivedValues = ({ minLength = 0, maxLength, enum: values, format, pattern }: Rules): readonly string[] => [
  '%00',
  'a%00b',
  ...(minLength > 0 ? [''] : []),
  ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ...(values === undefined && (format ?? 'text') === 'text' && pattern === undefined
    ? []
    : ['', '%20', ';', '%E2%80%8B']),
]

const bodyTypeOf = ({ bodyType }: Endpoint) =>
  bodyType === undefined
    ? {}
    : { 'content-type': bodyType === 'multipart/form-data' ? `${bodyType}; boundary=b` : bodyType }

const badIds = ['x', 'not-an-id', 'x12345678', 'c1234567', 'c1234-5678', 'c'.repeat(65), 'c12345678%00', 'c1234%205678']

describeService('junk in addresses', (service) => {
  let world: World
  before(async () => {
    world = await createWorld(service())
  })

  const request = (id: EndpointId, params: Readonly<Record<string, string>>, search: string): Promise<Answer> => {
    const endpoint: Endpoint = endpoints[id]
    const { body, query }: CallOptions = requests[id].valid(world)
    // What the operation requires, besides the junk.
    const needed = new URLSearchParams(query)
    for (const name of new URLSearchParams(search).keys()) needed.delete(name)
    const searchText = `${search}${needed.size === 0 ? '' : `${search === '' ? '?' : '&'}${needed.toString()}`}`
    return service().request({
      method: endpoint.method,
      // Not encoded: the tables contain the values as they are sent.
      url: `/api/v0${endpoint.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => params[name] ?? '')}${searchText}`,
      headers: { host: 'id.test', ...credentialFor(id), ...bodyTypeOf(endpoint) },
      ...(body === undefined ? {} : { payload: endpoint.bodyType === undefined ? (body as object) : '{}\n' }),
    })
  }
  const credentialFor = (id: EndpointId): Readonly<Record<string, string>> => {
    const token = endpoints[id].permission === 'console-user' ? world.consoleToken : operatorKey
    return { authorization: `Bearer ${token}` }
  }
  const pathParameters = (id: EndpointId): Readonly<Record<string, string>> => {
    const { params }: CallOptions = requests[id].valid(world)
    return params ?? {}
  }

  function assertIssueAt(path: string, { status, body, text }: Answer, what: string) {
    const { code, issues } = body as ErrorBody
    assert.deepEqual([status, code], [400, 'validation_failed'], `${what}: ${text}`)
    assert.deepEqual([...new Set(issues?.map((issue) => issue.path))], [path], `${what}: ${text}`)
  }

  for (const id of endpointIds) {
    const endpoint: Endpoint = endpoints[id]
    it(`${id} refuses a query that it does not declare`, async () => {
      if (endpoint.permission === 'console-user') await useSession(service(), world.consoleToken)
      await assertWritesNothing(service().deps.db, async () => {
        for (const [search, path] of [
          ['?unheardOf=1', '/unheardOf'],
          ['?unheardOf', '/unheardOf'],
          ['?__proto__=1', '/__proto__'],
          ['?constructor=1', '/constructor'],
        ] as const) {
          assertIssueAt(path, await request(id, pathParameters(id), search), search)
        }
      })
    })

    for (const [name, rules] of Object.entries<Rules>(endpoint.query?.properties ?? {})) {
      // Guards: cursors
      it(`${id} refuses junk as ${name} with 400 at its place`, async () => {
        const values = badValues[name] ?? derivedValues(rules)
        await assertWritesNothing(service().deps.db, async () => {
          for (const value of [...values, `1&${name}=1`]) {
            const search = `?${name}=${value}`
            assertIssueAt(`/${name}`, await request(id, pathParameters(id), search), search)
          }
        })
      })
    }

    for (const [name, schema] of Object.entries<{ pattern?: string }>(endpoint.params?.properties ?? {})) {
      // Guards: unstorable-values
      it(`${id} refuses junk as the ${name} of its path`, async () => {
        if (endpoint.permission === 'console-user') await useSession(service(), world.consoleToken)
        await assertWritesNothing(service().deps.db, async () => {
          const send = (value: string) => request(id, { ...pathParameters(id), [name]: value }, '')
          if (schema.pattern !== undefined) {
            for (const value of badIds) assertIssueAt(`/${name}`, await send(value), value)
          }
          assertIssueAt(`/${name}`, await send('%00'), 'NUL')
          for (const value of ['%ED%A0%80', '%ff', '%', '%zz', 'x'.repeat(600), 'x'.repeat(5000)]) {
            const { status, body } = await send(value)
            const { code } = body as ErrorBody
            assert.ok([400, 404, 414].includes(status), `${value.slice(0, 10)}: ${status}`)
            assert.equal(errorCatalogue[code as keyof typeof errorCatalogue].status, status)
          }
        })
      })
    }
  }
})
