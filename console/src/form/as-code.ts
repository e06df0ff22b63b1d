// A request as a command for a shell, and as code with the SDK. The documentation site writes its examples with it, too.

export interface CodePlace {
  /** Such as `https://id.example.com/api/v0`. */
  readonly baseUrl: string
  /** The key that the request needs: none if the service accepts callers on this machine without one. */
  readonly key: 'none' | 'tenant' | 'operator' | 'session'
}

interface CodedRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The variable of the key, and the option of the SDK. */
const keys = {
  tenant: { variable: 'BAILIWICK_SECRET_KEY', option: 'secretKey' },
  operator: { variable: 'BAILIWICK_OPERATOR_KEY', option: 'operatorKey' },
  session: { variable: 'BAILIWICK_SESSION_TOKEN', option: 'token' },
}

/** Single quotes keep everything unchanged except a single quote (POSIX Shell 2.2.2). */
export const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function targetOf(path: string, { params, query }: CodedRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

export function asCurl(
  state: CodedRequest,
  { method, path }: { readonly method: string; readonly path: string },
  { baseUrl, key }: CodePlace,
): string {
  const parts = [
    `curl -X ${method} ${quoted(baseUrl + targetOf(path, state))}`,
    ...(key === 'none' ? [] : [`-H "authorization: Bearer $${keys[key].variable}"`]),
    ...(state.body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(state.body, null, 2))}`]),
  ]
  return parts.join(' \\\n  ')
}

const identifier = /^[A-Za-z_$][\w$]*$/

/** Returns a value as JavaScript writes it: names without quotes, texts in single ones. */
export function literal(value: unknown, indent: string): string {
  const inner = `${indent}  `
  if (typeof value === 'string') {
    const escaped = JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)
    return `'${escaped}'`
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((each) => `${inner}${literal(each, inner)},\n`).join('')}${indent}]`
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return '{}'
    const lines = entries.map(([name, each]) => {
      const key = identifier.test(name) ? name : literal(name, inner)
      return `${inner}${key}: ${literal(each, inner)},\n`
    })
    return `{\n${lines.join('')}${indent}}`
  }
  return JSON.stringify(value)
}

const isFilled = (values: object | undefined) => values !== undefined && Object.keys(values).length > 0

export function asSdkCode(
  { operationId, params, query, body }: CodedRequest & { readonly operationId: string },
  { baseUrl, key }: CodePlace,
): string {
  const input = {
    ...(isFilled(params) ? { params } : {}),
    ...(isFilled(query) ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  }
  const credential = key === 'none' ? '' : `, ${keys[key].option}: process.env.${keys[key].variable}`
  return [
    `import { Bailiwick } from '@bailiwick/sdk'`,
    '',
    `const bailiwick = new Bailiwick({ baseUrl: ${literal(baseUrl, '')}${credential} })`,
    '',
    `const answer = await bailiwick.${operationId}(${isFilled(input) ? literal(input, '') : ''})`,
    'console.log(answer)',
    '',
  ].join('\n')
}
