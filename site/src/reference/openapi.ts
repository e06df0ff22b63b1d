// Reads the committed descriptions of the two interfaces as the pages of operations need them: grouped by tag, references resolved.
import { readSource } from '../documents/sources.ts'
import { toFragment } from '../markup/addresses.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

interface Content {
  readonly schema: Schema
  readonly example?: unknown
}

interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, Content>>
}

interface Reference {
  readonly $ref: string
}

interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description: string
  readonly security?: readonly object[]
  readonly 'x-permission': string
  readonly parameters: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Response | Reference>>
}

interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: Readonly<Record<'schemas' | 'responses' | 'parameters', Readonly<Record<string, unknown>>>>
}

export interface ErrorOfOperation {
  readonly status: string
  readonly code: string
  readonly message: string
}

export interface MediaContent extends Content {
  readonly mediaType: string
}

export interface Operation {
  /** Also the name of the SDK's function. */
  readonly id: string
  readonly tag: string
  readonly method: string
  /** Relative to the base address, with parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** `operator`, `public`, `users:read` and the like. */
  readonly permission: string
  /** Whether the credential of a signed-in user is read. Only for the frontend interface. */
  readonly readsSession: boolean
  readonly parameters: readonly Parameter[]
  readonly body: (MediaContent & { readonly isRequired: boolean }) | undefined
  readonly answer: MediaContent | undefined
  /** The errors that not every operation of the interface has. */
  readonly errors: readonly ErrorOfOperation[]
}

export interface Interface {
  readonly key: 'management' | 'frontend'
  /** Where its pages are: `reference/` or `reference/frontend/`. */
  readonly address: string
  readonly title: string
  /** Markdown. */
  readonly introduction: string
  /** Such as `/api/v0`. */
  readonly baseUrl: string
  readonly version: string
  readonly tags: readonly {
    readonly name: string
    readonly address: string
    readonly operations: readonly Operation[]
  }[]
  readonly schemas: Readonly<Record<string, Schema>>
  /** The errors of every operation. */
  readonly commonErrors: readonly ErrorOfOperation[]
}

const errorPattern = /`(\w+)`: ([^`]*(?:`[^`]*`(?!:)[^`]*)*)/g

export const nameInRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

function readErrors(responses: DocumentedOperation['responses'], find: (each: Response | Reference) => Response) {
  return Object.entries(responses).flatMap(([status, response]) =>
    status < '400' || status === 'default'
      ? []
      : Array.from(find(response).description.matchAll(errorPattern), ([, code = '', message = '']) => ({
          status,
          code,
          message: message.trim(),
        })),
  )
}

function firstContent(content: Readonly<Record<string, Content>> | undefined): MediaContent | undefined {
  const [first] = Object.entries(content ?? {})
  return first === undefined ? undefined : { mediaType: first[0], ...first[1] }
}

export function readInterface(key: Interface['key'], source: string, address: string): Interface {
  const { info, tags, servers, paths, components } = JSON.parse(readSource(source)) as OpenApi
  const component = (kind: keyof OpenApi['components'], each: object) =>
    '$ref' in each ? components[kind][nameInRef((each as Reference).$ref)] : each
  const response = (each: Response | Reference) => component('responses', each) as Response
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const errors = new Map(all.map(({ operation }) => [operation, readErrors(operation.responses, response)]))
  const counts = new Map<string, number>()
  for (const { code } of [...errors.values()].flat()) counts.set(code, (counts.get(code) ?? 0) + 1)
  const operations = all.map(({ path, method, operation }): Operation => {
    const own = errors.get(operation) ?? []
    const body = firstContent(operation.requestBody?.content)
    const success = operation.responses['200']
    return {
      id: operation.operationId,
      tag: operation.tags[0],
      method,
      path,
      summary: operation.summary,
      description: operation.description,
      permission: operation['x-permission'],
      readsSession: own.some(({ code }) => ['token_expired', 'session_token_required'].includes(code)),
      parameters: operation.parameters.map((each) => component('parameters', each) as Parameter),
      body: body && { ...body, isRequired: operation.requestBody?.required === true },
      answer: success === undefined ? undefined : firstContent(response(success).content),
      errors: own.filter(({ code }) => counts.get(code) !== all.length),
    }
  })
  return {
    key,
    address,
    title: key === 'management' ? 'Management interface' : 'Frontend interface',
    introduction: info.description,
    baseUrl: servers[0]?.url ?? '',
    version: info.version,
    tags: tags.map(({ name }) => ({
      name,
      address: `${address}${toFragment(name)}/`,
      operations: operations.filter(({ tag }) => tag === name),
    })),
    schemas: components.schemas as Interface['schemas'],
    commonErrors: [...errors.values()][0]?.filter(({ code }) => counts.get(code) === all.length) ?? [],
  }
}
