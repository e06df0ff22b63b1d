// The example of an operation's request, as a command for a shell and as code with the SDK.
import { asCurl, asSdkCode, literal, quoted } from '../../../console/src/form/as-code.ts'
import { connectionPaths } from '../../../sdk/src/connection-operations.gen.ts'
import { frontendPaths } from '../../../sdk/src/frontend-operations.gen.ts'
import { operations } from '../../../sdk/src/operations.gen.ts'
import type { Interface, Operation } from './openapi.ts'

/** What the examples contain until a reader's own values replace it (`browser/own-values.ts`). */
export const sampleOrigin = 'http://127.0.0.1:4000'

const jsonType = 'application/json'
const linesType = 'application/x-ndjson'
const streamTypes = [linesType, 'text/event-stream']

type Values = Readonly<Record<string, unknown>>

function valuesIn(operation: Operation, place: 'path' | 'query'): Record<string, string> {
  const named = operation.parameters.filter((each) => each.in === place && (place === 'path' || 'example' in each))
  return Object.fromEntries(
    named.map(({ name, example }) => [name, typeof example === 'string' ? example : JSON.stringify(example ?? name)]),
  )
}

const bodyIn = ({ body }: Operation): Values | undefined =>
  body?.mediaType === jsonType ? (body.example as Values | undefined) : undefined

const keyFor = (permission: string) =>
  permission === 'public'
    ? 'none'
    : permission === 'operator'
      ? 'operator'
      : permission === 'console-user'
        ? 'session'
        : 'tenant'

const headerLine = (text: string) => ` \\\n  -H ${text}`

/** What curl sends beside JSON: lines, a form or bytes, which it reads from a file. */
function fileLines({ body }: Operation): string {
  if (body === undefined || body.mediaType === jsonType) return ''
  if (body.mediaType === linesType)
    return `${headerLine(quoted(`content-type: ${linesType}`))} \\\n  --data-binary @users.ndjson`
  if (body.mediaType !== 'multipart/form-data')
    return `${headerLine(quoted('content-type: image/png'))} \\\n  --data-binary @picture.png`
  return Object.entries((body.example ?? {}) as Values)
    .map(
      ([name, value]) => ` \\\n  -F ${quoted(name === 'file' ? 'file=@tenant.archive' : `${name}=${String(value)}`)}`,
    )
    .join('')
}

export function curlSample(operation: Operation, { key, baseUrl }: Interface): string {
  const { method, path, permission, parameters, readsSession, answer } = operation
  const body = bodyIn(operation)
  const input = { params: valuesIn(operation, 'path'), query: valuesIn(operation, 'query'), body }
  const place = { baseUrl: sampleOrigin + baseUrl, key: key === 'management' ? keyFor(permission) : 'none' } as const
  const command = asCurl(input, { method, path }, place)
  const names = new Set(parameters.map(({ name }) => name))
  const frontendHeaders =
    key === 'management'
      ? ['"x-api-key: $CALLER_KEY"'].filter(() => names.has('x-api-key'))
      : [
          quoted('x-public-key: pk_dev_8sT2qLx0VbN4mYw7Rk1ZcJ'),
          ...(names.has('x-session-transport') ? [quoted('x-session-transport: body')] : []),
          ...(names.has('x-flow-token') ? ['"x-flow-token: $FLOW_TOKEN"'] : []),
          ...(readsSession ? ['"authorization: Bearer $SESSION_TOKEN"'] : []),
        ]
  const isStream = streamTypes.includes(answer?.mediaType ?? '')
  const isFile = ['application/octet-stream', 'image/*'].includes(answer?.mediaType ?? '')
  const flags = `${isStream ? ' -N' : ''}${isFile ? ' -o answer.bin' : ''}`
  return command.replace('curl', `curl${flags}`) + frontendHeaders.map(headerLine).join('') + fileLines(operation)
}

function sdkSample(operation: Operation, { baseUrl }: Interface): string | undefined {
  const { id, permission, body, answer } = operation
  if (!Object.hasOwn(operations, id) || body?.mediaType === 'multipart/form-data') return undefined
  const input = {
    operationId: id,
    params: valuesIn(operation, 'path'),
    query: valuesIn(operation, 'query'),
    body: body?.mediaType === linesType ? [body.example] : bodyIn(operation),
  }
  const code = asSdkCode(input, { baseUrl: sampleOrigin + baseUrl, key: keyFor(permission) }).trimEnd()
  if (!streamTypes.includes(answer?.mediaType ?? '')) return code
  return code.replace(
    /const answer = await (bailiwick\.[\s\S]*)\nconsole\.log\(answer\)$/,
    'for await (const each of $1) console.log(each)',
  )
}

function frontendSample(operation: Operation, { baseUrl }: Interface): string | undefined {
  const has = (paths: object) => Object.values(paths).some((ids: object) => Object.hasOwn(ids, operation.id))
  const isRare = has(connectionPaths)
  if (!isRare && !has(frontendPaths)) return undefined
  const input = Object.entries({
    params: valuesIn(operation, 'path'),
    query: valuesIn(operation, 'query'),
    body: bodyIn(operation),
  }).filter(([, values]) => values !== undefined && Object.keys(values).length > 0)
  const options = [`  baseUrl: '${sampleOrigin}${baseUrl}',`, `  publicKey: 'pk_dev_8sT2qLx0VbN4mYw7Rk1ZcJ',`]
  const client = isRare
    ? [
        "import { createFrontendClient } from '@bailiwick/sdk/frontend'",
        "import { connectionOperations } from '@bailiwick/sdk/organization-connections'",
        '',
        'const options = {',
        ...options,
        '}',
        'const auth = createFrontendClient(options, connectionOperations)',
      ]
    : [
        "import { BailiwickFrontend } from '@bailiwick/sdk/frontend'",
        '',
        'const auth = new BailiwickFrontend({',
        ...options,
        '})',
      ]
  return [
    ...client,
    '',
    `const answer = await auth.${operation.id}(${input.length === 0 ? '' : literal(Object.fromEntries(input), '')})`,
    'console.log(answer)',
  ].join('\n')
}

/** Returns undefined for an operation that the SDK leaves to other means, such as an upload by a form. */
export const typeScriptSample = (operation: Operation, all: Interface): string | undefined =>
  all.key === 'management' ? sdkSample(operation, all) : frontendSample(operation, all)
