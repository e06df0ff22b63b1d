// The SCIM of better-auth, a second implementation, is sent the same requests. It is not installed with this repository, because it asks for other
// versions than ours of what it shares: `npm install --legacy-peer-deps better-auth@1.7.5 @better-auth/scim@1.7.5` in a folder that
// BETTER_AUTH_SCIM names.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { scimWorld } from '../../../test/harness/people/scim.ts'
import { type ComparedRequest, comparedRequests } from '../../../test/harness/scim/compared-requests.ts'
import { describeService } from '../../../test/harness/service.ts'

const folder = process.env['BETTER_AUTH_SCIM'] ?? ''
const skip = folder === '' ? { skip: 'did not run: BETTER_AUTH_SCIM names no folder with @better-auth/scim' } : {}

interface Answer {
  readonly status: number
  readonly body: unknown
}
type Send = (request: Omit<ComparedRequest, 'body' | 'keeps'> & { readonly body?: string }) => Promise<Answer>

/** Where the two answer differently, and why ours is as it is. RFC 7643 and 7644. */
const differences: Readonly<Record<string, string>> = {
  'create without schemas': '7644 table 9, invalidSyntax: "did not conform to the request schema"',
  'Users: active eq true': 'more attributes can be filtered here',
  'Users: userName eq and active': 'more attributes can be filtered here',
  'Users: in parentheses': '7644 3.4.2.2: "Boolean expressions MAY be grouped using parentheses"',
  'remove it': '7644 3.5.2.2: "the values matching the filter are removed"',
  'change what no filter finds': 'follows from "remove it"',
  'change the department': 'follows from "remove it"',
  'remove the display name':
    '7644 3.5.2.2: "the attribute and all its associated values are removed"; better-auth derives it',
  'an unknown operation': '7644 table 9, invalidSyntax',
  'no operations': 'follows from "remove it" and "remove the display name"',
  'patch without schemas': '7644 table 9, invalidSyntax',
  'create a group of the same name': '7643 8.7.1: the displayName of groups has "uniqueness": "none"',
  'Groups: displayName eq "engineering"': 'follows from "create a group of the same name"',
  'Groups: members.value eq': 'more attributes can be filtered here',
  'create the deleted user again': '7644 3.6: "SHOULD NOT fail with a 409 error due to userName conflict"',
  search: '7644 3.4.3',
  'search everything': '7644 3.4.3',
  bulk: '7644 3.12: 501, "Service provider does not support the request operation, e.g., PATCH"',
  me: '7644 3.11: "SHALL respond with HTTP status code 501 (Not Implemented)"',
  'an unknown resource': '7644 3.12: errors have a body of the schema Error',
  'the configuration': 'ETags are supported here; 200 resources in a page',
  'a filter of the schemas': '7644 4: "SHOULD respond with HTTP status code 403 (Forbidden)"',
  'a list as body': '7644 table 9, invalidSyntax',
}

const ignored = new Set([
  'meta',
  'detail',
  '$ref',
  'status',
  'display',
  'description',
  'specUri',
  'attributes',
  'schemaExtensions',
])
/** Names and texts that are the service's own. */
const own = new Set(['authenticationSchemes'])

/** What is compared of an answer: ids by their names, without times, addresses and texts for people. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => !ignored.has(name) && !own.has(name) && !(name === 'primary' && each === false))
      .map(([name, each]) => [name, comparable(each)]),
  )
}

async function collectAnswers(requests: readonly ComparedRequest[], send: Send): Promise<ReadonlyMap<string, unknown>> {
  const ids = new Map<string, string>()
  const fill = (text: string) =>
    text.replaceAll(/(?:\{|%7B)(\w+)(?:\}|%7D)/g, (whole, name: string) => ids.get(name) ?? whole)
  const answers = new Map<string, unknown>()
  for (const request of requests) {
    const { body: sent, keeps, ...rest } = request
    const text = sent === undefined ? undefined : fill(typeof sent === 'string' ? sent : JSON.stringify(sent))
    const { status, body } = await send({
      ...rest,
      path: fill(rest.path),
      ...(text === undefined ? {} : { body: text }),
    })
    const { id } = (body ?? {}) as { readonly id?: string }
    if (id !== undefined && status === 201) ids.set(keeps ?? `id ${ids.size}`, id)
    const named = [...ids].reduce(
      (json, [name, each]) => json.replaceAll(each, `{${name}}`),
      JSON.stringify(body ?? null),
    )
    answers.set(rest.name, { status, body: comparable(JSON.parse(named)) })
  }
  return answers
}

/** Starts better-auth with one connection. */
async function startBetterAuth(): Promise<Send> {
  const require = createRequire(join(folder, 'index.js'))
  const load = async (name: string) =>
    (await import(pathToFileURL(require.resolve(name)).href)) as Record<string, unknown>
  const { betterAuth } = (await load('better-auth')) as {
    betterAuth: (options: object) => { handler: (request: Request) => Promise<Response> }
  }
  const { getMigrations } = (await load('better-auth/db/migration')) as {
    getMigrations: (options: object) => Promise<{ runMigrations: () => Promise<void> }>
  }
  const { scim } = (await load('@better-auth/scim')) as { scim: (options: object) => unknown }
  const credentials = [{ type: 'bearer', id: 'one', token: 'only-for-this-test' }]
  const options = {
    baseURL: 'http://other.test',
    secret: 'only for this test, with 32 characters',
    database: new DatabaseSync(':memory:'),
    logger: { disabled: true },
    telemetry: { enabled: false },
    plugins: [scim({ connections: [{ id: 'acme', credentials }] })],
  }
  await (await getMigrations(options)).runMigrations()
  const auth = betterAuth(options)
  return async ({ method, path, body, headers }) => {
    const answer = await auth.handler(
      new Request(`http://other.test/api/auth/scim/v2${path}`, {
        method,
        headers: { authorization: 'Bearer only-for-this-test', 'content-type': 'application/scim+json', ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    )
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return { status: answer.status, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : {} }
  }
}

describeService('better-auth, asked the same', (service) => {
  it('answers alike, except where the RFC lets both be right or only ours', skip, async () => {
    const { directory, domain } = await scimWorld(service())
    const requests = comparedRequests(domain)
    const ours = await collectAnswers(requests, ({ method, path, body, headers }) =>
      directory.call(method, path, body, headers),
    )
    const theirs = await collectAnswers(requests, await startBetterAuth())
    const different = requests
      .map(({ name }) => name)
      .filter((name) => JSON.stringify(sorted(ours.get(name))) !== JSON.stringify(sorted(theirs.get(name))))
    assert.deepEqual(different.toSorted(), Object.keys(differences).toSorted())
  })
})

/** The same with the names of objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}
