// A request as a command for a shell, and as code with the SDK.
import type { OperationFacts } from 'virtual:operations'
import type { FormState } from './form-state.ts'

export interface CodePlace {
  /** Such as `https://id.example.com/api/v0`. */
  readonly baseUrl: string
  /** Whether the service accepts callers on this machine without a credential. */
  readonly needsNoKey: boolean
}

/** Single quotes keep everything unchanged except a single quote (POSIX Shell 2.2.2). */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function targetOf(path: string, { params, query }: FormState): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

export function asCurl(state: FormState, { method, path }: OperationFacts, { baseUrl, needsNoKey }: CodePlace): string {
  const parts = [
    `curl -X ${method} ${quoted(baseUrl + targetOf(path, state))}`,
    ...(needsNoKey ? [] : ['-H "authorization: Bearer $BAILIWICK_SECRET_KEY"']),
    ...(state.body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(state.body, null, 2))}`]),
  ]
  return parts.join(' \\\n  ')
}

const identifier = /^[A-Za-z_$][\w$]*$/

/** Returns a value as JavaScript writes it: names without quotes, texts in single ones. */
function literal(value: unknown, indent: string): string {
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

export function asSdkCode({ operationId, params, query, body }: FormState, { baseUrl, needsNoKey }: CodePlace): string {
  const input = {
    ...(isFilled(params) ? { params } : {}),
    ...(isFilled(query) ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  }
  const key = needsNoKey ? '' : ', secretKey: process.env.BAILIWICK_SECRET_KEY'
  return [
    `import { Bailiwick } from '@bailiwick/sdk'`,
    '',
    `const bailiwick = new Bailiwick({ baseUrl: ${literal(baseUrl, '')}${key} })`,
    '',
    `const answer = await bailiwick.${operationId}(${isFilled(input) ? literal(input, '') : ''})`,
    'console.log(answer)',
    '',
  ].join('\n')
}
