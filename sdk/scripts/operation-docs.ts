// Writes what editors show of each operation: what it does, an example from the contract, and the codes of its errors.
import type { Endpoint } from '@bailiwick/contract'
import type { OperationGroups } from './operation-groups.ts'

/** As the formatter breaks lines. */
const lineWidth = 120

const sampleId = /^cm[a-z0-9]{23}$/
const sampleIds: string[] = []

/** Returns a short id in place of one of the contract's samples, which say nothing and take much of the package. */
function shortened(text: string): string {
  if (!sampleId.test(text)) return text
  if (!sampleIds.includes(text)) sampleIds.push(text)
  return `c${String(sampleIds.indexOf(text) + 1).padStart(10, '0')}`
}

/** Returns a JSON value as a literal, in one line if it fits. */
function literal(value: unknown, indentation: string, room: number): string {
  const isList = Array.isArray(value)
  if (typeof value === 'string') return `'${shortened(value).replaceAll(/['\\]/g, '\\$&')}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indentation}  `
  const parts = (place: string, width: number) =>
    Object.entries(value).map(([name, each]) => {
      const key = isList ? '' : `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`}: `
      return key + literal(each, place, width - key.length)
    })
  const [open, close, gap] = isList ? ['[', ']', ''] : ['{', '}', ' ']
  const flat = parts('', Infinity)
  if (flat.length === 0) return `${open}${close}`
  const line = `${open}${gap}${flat.join(', ')}${gap}${close}`
  if (line.length <= room) return line
  return `${open}\n${parts(inner, lineWidth - inner.length)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indentation}${close}`
}

/** Whoever wants to know everything reads the reference; the package has a limit. */
const sentencesMax = 1
const beginning = (text: string) =>
  text
    .split(/(?<=[.:]) (?=[A-Z`])/)
    .slice(0, sentencesMax)
    .join(' ')

const pick = (value: object | undefined, names: readonly string[]) =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => names.includes(name)))
const omit = (value: object | undefined, names: readonly string[]) =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !names.includes(name)))
const isFilled = (value: object) => Object.keys(value).length > 0

/** The names of the ids that a function of a group takes as `params`, though the interface has them elsewhere. */
const movedIds = (schema: unknown, names: readonly string[]) =>
  ((schema as { readonly required?: readonly string[] } | undefined)?.required ?? []).filter((name) =>
    names.includes(name),
  )

/** Returns the input of the example, as a function of a group takes it if `isGrouped`. */
function exampleInput({ body: bodySchema, bodyType, example, query: querySchema }: Endpoint, isGrouped: boolean) {
  const { body, params, query } = example
  const queryIds = isGrouped ? movedIds(querySchema, ['id', 'tenantId']) : []
  const bodyIds = isGrouped && bodyType === undefined ? movedIds(bodySchema, ['id']) : []
  const parts = {
    params: { ...params, ...pick(query, queryIds), ...pick(body, bodyIds) },
    query: omit(query, queryIds),
    body: omit(body, bodyIds),
  }
  // The records of a body that is sent line by line are in a list.
  const sent = bodyType === undefined ? parts : { ...parts, body: [body ?? {}] }
  return Object.fromEntries(Object.entries(sent).filter(([, part]) => isFilled(part)))
}

/** Returns the lines of a call of the operation, as its example in the contract says; none if it cannot be written down. */
export function exampleLines(endpoint: Endpoint, call: string, isGrouped: boolean): string[] {
  const { bodyType, responseType } = endpoint
  if (bodyType === 'multipart/form-data') return []
  const input = exampleInput(endpoint, isGrouped)
  const isStream = responseType !== undefined && responseType !== 'image/*'
  const start = `${isStream ? 'for await (const part of ' : 'const answer = await '}bailiwick.${call}(`
  // The line begins with the docstring's own signs.
  const room = lineWidth - start.length - (isStream ? 28 : 7)
  const text = isFilled(input) ? literal(input, '', room) : ''
  return `${start}${text})${isStream ? ') console.log(part)' : ''}`.split('\n')
}

function docstring(endpoint: Endpoint, call: string, isGrouped: boolean): string {
  const { description, errors, example: sample, summary } = endpoint
  // An example that shows nothing but ids is the one of the group, without the group.
  const isPlain = !isGrouped && sample.body === undefined && sample.query === undefined
  const example = isPlain ? [] : exampleLines(endpoint, call, isGrouped)
  const lines = [
    `${summary}.`,
    ...(description === undefined ? [] : ['', beginning(description)]),
    ...(example.length === 0 ? [] : ['@example', '```ts', ...example, '```']),
    ...(errors.length === 0 ? [] : [`@throws BailiwickError ${errors.join(', ')}`]),
  ]
  const text = lines.map((line) => `   *${line === '' ? '' : ` ${line.replaceAll('*/', '*\\/')}`}\n`)
  return `  /**\n${text.join('')}   */\n`
}

/**
 * Writes types alone, because nothing of this is needed at run time. What is said twice about an operation stands close together, so that the
 * package stays small.
 */
export function writeOperationDocs(groups: OperationGroups): string {
  const parts = [...groups].map(([group, names]) => {
    const all = [...names]
    const flat = all.map(
      ([, endpoint]) => `${docstring(endpoint, endpoint.id, false)}  ${endpoint.id}: '${endpoint.id}'\n`,
    )
    const grouped = all.map(
      ([name, endpoint]) => `${docstring(endpoint, `${group}.${name}`, true)}  ${name}: '${endpoint.id}'\n`,
    )
    const type = `${group.charAt(0).toUpperCase()}${group.slice(1)}Group`
    return {
      member: `  ${group}: ${type}\n`,
      text: `\nexport interface OperationDocs {\n${flat.join('')}}\n\nexport interface ${type} {\n${grouped.join('')}}\n`,
    }
  })
  return `// Generated by scripts/generate.ts from the contract.
// Of each operation, what editors show; \`OperationDocs\` is declared in parts.
${parts.map(({ text }) => text).join('')}
/** The operations by group. */
export interface OperationGroups {
${parts.map(({ member }) => member).join('')}}
`
}
