// Makes OpenAPI 3.1 from the contract. The schemas are JSON Schema already, so this only arranges them.
import type { TObject, TSchema } from 'typebox'
import type { BinaryEndpoint } from './binary-endpoints.ts'
import { Deleted, type Endpoint, recordWithoutDeleted } from './endpoint.ts'
import { type ErrorCode, commonErrorCodes, errorCatalogue } from './errors.ts'
import type { Interface } from './interfaces.ts'
import {
  type Answer,
  type Components,
  type Parameter,
  answerWriter,
  createComponents,
  nameOf,
  parameterWriter,
  pascalCase,
} from './openapi-components.ts'
import { ErrorBody, PageMeta } from './shapes.ts'

type Described = Endpoint & { readonly flow?: string } & Partial<Binary>
type Binary = Pick<BinaryEndpoint, 'bodyTypes' | 'answers'>

/** Descriptions by name, for parameters whose schema has none. */
const parameterDescriptions: Readonly<Record<string, string>> = {
  id: 'The id of the record',
  tenantId: 'The id of the tenant',
  userId: 'The id of the user',
  secretId: 'The id of the secret',
  uid: 'The id of the interaction, from the URL of the page',
  organizationId: 'The id of the organization',
  domainId: 'The id of the domain',
  groupId: 'The id of the group',
  memberId: 'The id of the membership',
  invitationId: 'The id of the invitation',
  roleId: 'Only users who have the role with this id',
  publicKey: "The tenant's public key (pk_…)",
  slug: "The tenant's slug; not case-sensitive",
  domain: 'A domain that the tenant has verified',
  token: 'The token at the end of the link in the invitation (oi_…)',
  environment: 'Only tenants of this environment',
  status: 'Only users with this status',
  type: 'Only records of this type',
  query: 'Only users whose name, username, e-mail address or phone number matches',
  scope:
    '`public` leaves out the secret key, `secret` returns only the secret key. Without it the response contains everything that the caller can see',
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

/** The headers in which callers without a cookie jar send the token of a flow. */
function flowHeaders(flow: string | undefined) {
  if (flow === undefined) return []
  const transport = {
    name: 'x-session-transport',
    in: 'header',
    description: '`body` returns the tokens in the response instead of in cookies, for callers without cookies',
    required: false,
    schema: { type: 'string', enum: ['body'] },
  }
  const token = {
    name: 'x-flow-token',
    in: 'header',
    description: 'The `flowToken` of the attempt, for callers without cookies',
    required: false,
    schema: { type: 'string' },
  }
  return flow === 'begins' ? [transport] : [transport, token]
}

/** Returns the parameter for a request header. */
const headerParameters = (requestHeaders: Readonly<Record<string, string>> = {}) =>
  Object.entries(requestHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    required: false,
    schema: { type: 'string' },
  }))

const parametersOf = ({ params, query, flow, requestHeaders, example }: Described): readonly Parameter[] => [
  ...parameters('path', params, example.params),
  ...parameters('query', query, example.query),
  ...flowHeaders(flow),
  ...headerParameters(requestHeaders),
]

function descriptionOf(schema: object, name: string) {
  const description = 'description' in schema ? schema.description : parameterDescriptions[name]
  return description === undefined ? {} : { description }
}

type ErrorStatus = (typeof errorCatalogue)[ErrorCode]['status']

/** The names of the error answers in the document, by status. */
const statusNames: Readonly<Record<ErrorStatus, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  421: 'MisdirectedRequest',
  422: 'Unprocessable',
  429: 'RateLimited',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  501: 'NotImplemented',
  503: 'Unavailable',
}

/** Returns `Conflict` for the codes that all operations share, and `ConflictEmailTaken` if one more is possible. */
function nameOfErrors(status: ErrorStatus, codes: readonly ErrorCode[], common: readonly ErrorCode[]) {
  const own = codes.filter((code) => !common.includes(code)).map(pascalCase)
  const name = statusNames[status]
  return own.join('') === name ? name : name + own.join('Or')
}

/** Returns references to the error answers by status; the codes of one status are listed in its description. */
function errorResponses(codes: readonly ErrorCode[], { common, components }: Context) {
  const byStatus = new Map<ErrorStatus, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorCatalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    entries.map(([status, names]) => {
      const description = names.map((name) => `\`${name}\`: ${errorCatalogue[name].message}`).join(' ')
      return [status, errorResponse(nameOfErrors(status, names, common), description, components)]
    }),
  )
}

const errorResponse = (name: string, description: string, { add, schema }: Components) =>
  add('responses', name, {
    description,
    content: { 'application/json': { schema: schema(ErrorBody, 'ErrorBody') } },
  })

/** Whether it needs no credential; operations of the frontend interface say so by their session. */
const isOpen = (endpoint: Endpoint & { readonly session?: string }) =>
  endpoint.session === undefined && endpoint.permission === 'public'

/** Describes what a caller of the management interface needs. */
function rightOf(endpoint: Endpoint & { readonly session?: string }): string | undefined {
  if (endpoint.session !== undefined) return undefined
  switch (endpoint.permission) {
    case 'public':
      return 'Needs no credential.'
    case 'console-user':
      return 'Needs the session of an administrator.'
    case 'create-tenant':
      return "Needs the operator's key or the session of an administrator."
    case 'authenticated':
      return 'Needs any credential; the response depends on it.'
    case 'operator':
      return "Needs the operator's key."
    default:
      return `Needs the permission \`${endpoint.permission}\`.`
  }
}

/** The parts that all operations of one document share. */
interface Context {
  readonly components: Components
  /** The error codes of every operation of the interface. */
  readonly common: readonly ErrorCode[]
  readonly writeParameters: ReturnType<typeof parameterWriter>
  readonly writeAnswer: ReturnType<typeof answerWriter>
}

/** Returns the answer's schema. Lists and envelopes are named after their content, other answers after their operation. */
function answerSchema({ id, response }: Endpoint, { schema }: Components) {
  const operationName = pascalCase(id)
  const record = recordWithoutDeleted(response)
  if (record !== undefined && nameOf(record) !== undefined) {
    return { allOf: [schema(record, operationName), schema(Deleted, 'Deleted')] }
  }
  const { status, data, meta, ...others } = propertiesOf(response)
  const isEnvelope = status !== undefined && data !== undefined && Object.keys(others).length === 0
  if (nameOf(response) !== undefined || !isEnvelope) return schema(response, `${operationName}Answer`)
  if (meta === PageMeta) return schema(response, `PageOf${nameOf(itemsOf(data)) ?? operationName}`)
  const name = nameOf(data) ?? nameOfData(data, operationName)
  return schema(response, `EnvelopeOf${name}`, { data: name })
}

/** Returns the name of an envelope's data: `ListOfUser`, `UserData` if a user is its only content, or `CreateUserData`. */
function nameOfData(data: TSchema, operationName: string) {
  const { meta, ...others } = propertiesOf(data)
  const [only, ...more] = Object.values(others)
  if (only === undefined || more.length > 0) return `${operationName}Data`
  const item = nameOf(itemsOf(only))
  if (meta === PageMeta && item !== undefined) return `ListOf${item}`
  const name = nameOf(only)
  return meta === undefined && name !== undefined ? `${name}Data` : `${operationName}Data`
}

const propertiesOf = (schema: TSchema) => ('properties' in schema ? (schema as TObject).properties : {})
const itemsOf = (schema: TSchema): unknown => ('items' in schema ? schema.items : undefined)

const headersOf = (headers: Readonly<Record<string, string>> | undefined) =>
  headers === undefined
    ? {}
    : {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
        ),
      }

/** Returns the successful answers with a status other than 200, and those without a body. */
const furtherAnswers = ({ answers = {}, ...endpoint }: Described, components: Components) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, { description, headers, hasBody }]) => [
      status,
      {
        description,
        ...headersOf(headers),
        ...(hasBody === true ? { content: answerOf(endpoint, components).content } : {}),
      },
    ]),
  )

const answerOf = (endpoint: Described, components: Components): Answer => ({
  description: 'Success',
  ...headersOf(endpoint.headers),
  content: {
    [endpoint.responseType ?? 'application/json']: {
      schema: answerSchema(endpoint, components),
      example: endpoint.example.response,
    },
  },
})

const bodyTypesOf = ({ bodyTypes, bodyType }: Described): readonly string[] =>
  bodyTypes ?? [bodyType ?? 'application/json']

function operation(endpoint: Described, context: Context) {
  const { body, example } = endpoint
  const { components } = context
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, rightOf(endpoint)].filter((text) => text !== undefined).join(' '),
    ...(isOpen(endpoint) ? { security: [] } : {}),
    'x-permission': endpoint.permission,
    parameters: context.writeParameters(endpoint.path, parametersOf(endpoint)),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: endpoint.isBodyOptional !== true,
            content: Object.fromEntries(
              bodyTypesOf(endpoint).map((type) => [
                type,
                { schema: components.schema(body, `${pascalCase(endpoint.id)}Body`), example: example.body },
              ]),
            ),
          },
        }),
    responses: {
      200: context.writeAnswer(answerOf(endpoint, components)),
      ...furtherAnswers(endpoint, components),
      ...errorResponses([...new Set([...commonErrorCodes, ...endpoint.errors])], context),
      default: errorResponse('OtherError', 'Any other response', components),
    },
  }
}

/**
 * Returns the description of an interface.
 * @param version of the package that provides the interface.
 */
export function openApiDocument(
  endpoints: Record<string, Endpoint>,
  { title, description, serverUrl, security, securitySchemes, commonErrors }: Interface,
  version: string,
) {
  const components = createComponents()
  const all = Object.values(endpoints)
  const context: Context = {
    components,
    common: commonErrors,
    writeParameters: parameterWriter(
      all.map((each) => ({ path: each.path, parameters: parametersOf(each) })),
      components,
    ),
    writeAnswer: answerWriter(
      all.map((each) => answerOf(each, components)),
      components,
    ),
  }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of all) {
    const item = (paths[endpoint.path] ??= {})
    item[endpoint.method.toLowerCase()] = operation(endpoint, context)
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    security,
    tags: [...new Set(all.map((each) => each.tag))].map((name) => ({ name })),
    paths,
    components: { ...components.byKind(), securitySchemes },
  }
}

/** The longest object or list that stays on one line, in characters without its indentation. */
const inlineMax = 100

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.keys(value).length === 1 && '$ref' in value)

const isReference = (value: unknown): boolean => typeof value === 'object' && value !== null && isPlain(value)

/** The longest line on which references share a place, without its indentation: every operation has the same dozen answers. */
const sharedLineMax = 240

/** Joins references that follow each other, as many as a line holds. */
function linesOf(members: readonly string[], values: readonly unknown[]): readonly string[] {
  const lines: string[] = []
  for (const [index, member] of members.entries()) {
    const line = lines.at(-1)
    const mayShare = index > 0 && isReference(values[index]) && isReference(values[index - 1])
    if (line === undefined || !mayShare || line.length + member.length > sharedLineMax) lines.push(member)
    else lines[lines.length - 1] = `${line}, ${member}`
  }
  return lines
}

/** A plain value, or a list of them such as `["string", "null"]`. */
const isShort = (value: unknown) => isPlain(value) || (Array.isArray(value) && value.every(isPlain))

/**
 * Returns a value as JSON: references, and short objects and lists of plain values, on one line. An only member shares the lines of the
 * object or list around it. Everything else is indented as usual.
 */
function jsonText(value: unknown, indentation = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  const inner = entries.length === 1 ? indentation : `${indentation}  `
  const members = entries.map(([name, member]) =>
    isList ? jsonText(member, inner) : `${JSON.stringify(name)}: ${jsonText(member, inner)}`,
  )
  const [start, end] = isList ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return start + end
  const inline = isList ? `[${members.join(', ')}]` : `{ ${members.join(', ')} }`
  if (
    isPlain(value) ||
    entries.length === 1 ||
    (inline.length <= inlineMax && entries.every(([, member]) => isShort(member)))
  )
    return inline
  const lines = linesOf(
    members,
    entries.map(([, member]) => member),
  )
  return `${start}\n${inner}${lines.join(`,\n${inner}`)}\n${indentation}${end}`
}

/** Returns a document as it is committed. */
export const openApiText = (document: object) => `${jsonText(document)}\n`
