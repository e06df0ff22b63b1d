// OpenAPI 3.1 from the contract: the schemas are JSON Schema already, so this only arranges them.
import type { TObject, TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { type ErrorCode, commonErrorCodes, errorCatalogue } from './errors.ts'
import { nullableBaseOf } from './schema.ts'
import * as shapes from './shapes.ts'

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const errorRef = schemaRef('ErrorBody')
const namesOfShapes = new Map<unknown, string>(Object.entries(shapes).map(([name, shape]) => [shape, name]))

/** The schema with every named shape in it replaced by a reference. */
function withReferences(schema: unknown, isRoot = false): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const name = namesOfShapes.get(schema)
  if (name !== undefined && !isRoot) return schemaRef(name)
  const base = nullableBaseOf(schema)
  if (base !== undefined) return { anyOf: [withReferences(base), { type: 'null' }] }
  if (Array.isArray(schema)) return schema.map((each) => withReferences(each))
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withReferences(value)]))
}

/** Of parameters whose schema says nothing more: what their name says, as a sentence. */
const parameterDescriptions: Readonly<Record<string, string>> = {
  id: 'The id of the record',
  tenantId: 'The id of the tenant',
  userId: 'The id of the user',
  organizationId: 'The id of the organization',
  domainId: 'The id of the domain',
  memberId: 'The id of the membership',
  invitationId: 'The id of the invitation',
  roleId: 'The id of a role: only those who have it',
  publicKey: "The tenant's public key (pk_…)",
  slug: "The tenant's slug, in any case",
  domain: 'A domain that the tenant has verified',
  token: 'What the link in the invitation ends with (oi_…)',
  environment: 'Only tenants of this environment',
  status: 'Only users with this status',
  type: 'Only those of this type',
  query: 'Only users whose name, username, e-mail address or phone number matches',
  scope: '`public` leaves the secret out, `secret` gives the secret alone; all that the caller may see unless said',
}

const parameters = (place: 'path' | 'query', shape: TObject | undefined, values: object | undefined) =>
  Object.entries<TSchema>(shape?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || (shape?.required as readonly string[] | undefined)?.includes(name) === true,
    ...descriptionOf(schema, name),
    schema,
    ...(values !== undefined && name in values ? { example: (values as Record<string, unknown>)[name] } : {}),
  }))

/** The headers by which callers without a cookie jar hold the token of a flow. */
function flowHeaders(flow: string | undefined) {
  if (flow === undefined) return []
  const transport = {
    name: 'x-session-transport',
    in: 'header',
    description: '`body` hands tokens over in the answer instead of in cookies, for callers without a cookie jar',
    required: false,
    schema: { type: 'string', enum: ['body'] },
  }
  const token = {
    name: 'x-flow-token',
    in: 'header',
    description: 'The flowToken that the attempt began with, for callers without a cookie jar',
    required: false,
    schema: { type: 'string' },
  }
  return flow === 'begins' ? [transport] : [transport, token]
}

function descriptionOf(schema: object, name: string) {
  const description = 'description' in schema ? schema.description : parameterDescriptions[name]
  return description === undefined ? {} : { description }
}

/** Answers by status; the codes of one status are listed in its description. */
function errorResponses(codes: readonly ErrorCode[]) {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorCatalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    entries.map(([status, names]) => [
      String(status),
      {
        description: names.map((name) => `\`${name}\`: ${errorCatalogue[name].message}`).join(' '),
        content: { 'application/json': { schema: errorRef } },
      },
    ]),
  )
}

/** Whether it asks for no credential; one of the frontend interface says so by its session. */
const isOpen = (endpoint: Endpoint & { readonly session?: string }) =>
  endpoint.session === undefined && endpoint.permission === 'public'

/** What a caller of the management interface must hold. */
function rightOf(endpoint: Endpoint & { readonly session?: string }): string | undefined {
  if (endpoint.session !== undefined) return undefined
  switch (endpoint.permission) {
    case 'public':
      return 'Needs no credential.'
    case 'console-user':
      return "Needs a console user's session."
    case 'create-tenant':
      return "Needs the operator's key or a console user's session."
    case 'authenticated':
      return 'Needs any credential, which decides what is seen.'
    case 'operator':
      return "Needs the operator's key."
    default:
      return `Needs the permission \`${endpoint.permission}\`.`
  }
}

function operation(endpoint: Endpoint & { readonly flow?: string }) {
  const { body, example } = endpoint
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, rightOf(endpoint)].filter((text) => text !== undefined).join(' '),
    ...(isOpen(endpoint) ? { security: [] } : {}),
    'x-permission': endpoint.permission,
    parameters: [
      ...parameters('path', endpoint.params, example.params),
      ...parameters('query', endpoint.query, example.query),
      ...flowHeaders(endpoint.flow),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [endpoint.bodyType ?? 'application/json']: { schema: withReferences(body), example: example.body },
            },
          },
        }),
    responses: {
      200: {
        description: 'Success',
        content: {
          [endpoint.responseType ?? 'application/json']: {
            schema: withReferences(endpoint.response),
            example: example.response,
          },
        },
      },
      ...errorResponses([...commonErrorCodes, ...endpoint.errors]),
      default: { description: 'Any other result', content: { 'application/json': { schema: errorRef } } },
    },
  }
}

/** What the description of an interface says beside its operations. */
export interface Interface {
  readonly title: string
  readonly description: string
  /** The base address that the paths are relative to. */
  readonly serverUrl: string
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly security: readonly object[]
}

export const managementInterface: Interface = {
  title: 'Bailiwick',
  description: 'Multi-tenant identity: tenants, their users, roles, organizations, sign-in rules and brand.',
  serverUrl: '/api/v0',
  security: [{ bearer: [] }, { publicKey: [], secretKey: [] }, { consoleCookie: [] }, {}],
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        "The operator key (op_…), a tenant's secret key (sk_…), an API key (ak_…) or a console user's session (se_…, or a JWT that was made for it)",
    },
    publicKey: { type: 'apiKey', in: 'header', name: 'x-public-key' },
    secretKey: { type: 'apiKey', in: 'header', name: 'x-secret-key' },
    consoleCookie: { type: 'apiKey', in: 'cookie', name: '__Host-console' },
  },
}

export const frontendInterface: Interface = {
  title: 'Bailiwick for end users',
  description:
    "What end users' browsers and apps call: sign-up, sign-in, their account and organizations. The tenant comes from the verified " +
    'domain that the request was sent to, or from the header x-public-key. Browsers are signed in by cookies that no script can read. ' +
    'Callers without a cookie jar send x-session-transport: body with every request that begins or continues a sign-in or sign-up; ' +
    'what would be cookies is then in the answer: flowToken (sent back as x-flow-token with every further step), sessionToken (sent ' +
    'back as Authorization: Bearer) and deviceToken (sent back as x-device-token at later sign-ins, it tells a known device). A JWT of ' +
    'the session as Authorization: Bearer reads, and changes nothing.',
  serverUrl: '/frontend/api/v0',
  security: [{ publicKey: [], sessionCookie: [] }, { publicKey: [], bearer: [] }, { publicKey: [] }],
  securitySchemes: {
    publicKey: { type: 'apiKey', in: 'header', name: 'x-public-key' },
    sessionCookie: { type: 'apiKey', in: 'cookie', name: '__Host-sid' },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'A session token (se_…); for GET also a JWT of the session',
    },
  },
}

/** The named shapes that a text refers to, and those that they refer to themselves. */
function namedSchemas(text: string): Record<string, unknown> {
  const all = Object.entries(shapes).map(([name, shape]) => [name, withReferences(shape, true)] as const)
  const used = new Set<string>()
  for (let before = -1, texts = text; before !== used.size;) {
    before = used.size
    for (const [name] of all) if (texts.includes(`"${schemaRef(name).$ref}"`)) used.add(name)
    texts = text + JSON.stringify(all.filter(([name]) => used.has(name)))
  }
  return Object.fromEntries(all.filter(([name]) => used.has(name)))
}

/** The description of an interface; `serverUrl` where it is not the usual one. */
export function openApiDocument(
  endpoints: Record<string, Endpoint>,
  { title, description, serverUrl, security, securitySchemes }: Interface = managementInterface,
) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of Object.values(endpoints)) {
    const item = (paths[endpoint.path] ??= {})
    item[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    security,
    tags: [...new Set(Object.values(endpoints).map((each) => each.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: namedSchemas(JSON.stringify(paths)),
      securitySchemes,
    },
  }
}
