// Runs tests of interfaces that Runscope (now BlazeMeter) has exported, such as those that Okta publishes for SCIM: requests with variables in
// braces, assertions on the answers, and variables that are taken from them. Times are not measured.
import assert from 'node:assert/strict'
import { runInNewContext } from 'node:vm'

type Source = 'response_status' | 'response_json' | 'response_time'

interface Assertion {
  readonly comparison: string
  readonly source: Source
  readonly property?: string
  readonly value: string | number | null
}

interface RequestStep {
  readonly step_type: 'request'
  readonly skipped?: boolean
  readonly note: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly assertions: readonly Assertion[]
  readonly variables: readonly { readonly name: string | null; readonly source: Source; readonly property: string }[]
  readonly scripts: readonly string[]
}

export interface Suite {
  readonly name: string
  readonly steps: readonly (RequestStep | { readonly step_type: 'pause' })[]
}

export interface SuiteRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface SuiteAnswer {
  readonly status: number
  readonly text: string
}

/** What a step has required in vain. */
export interface Failure {
  readonly step: string
  readonly required: string
  readonly answer: string
}

/** Returns what is at a path such as `Resources[0].name.givenName`. */
function read(json: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
    .reduce((value, key) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[key], json)
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const comparisons: Readonly<Record<string, (value: unknown, expected: string) => boolean>> = {
  equal: (value, expected) => String(value) === expected,
  equal_number: (value, expected) => Number(value) === Number(expected),
  not_empty: (value) => !isEmpty(value),
  is_a_number: (value) => typeof value === 'number',
  has_value: (value, expected) => Array.isArray(value) && value.includes(expected),
  contains: (value, expected) => (Array.isArray(value) ? value.includes(expected) : String(value).includes(expected)),
}

const parsed = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

function holds({ comparison, source, property = '' }: Assertion, expected: string, answer: SuiteAnswer): boolean {
  if (source === 'response_time') return true
  const compare = comparisons[comparison]
  if (compare === undefined) throw new Error(`there is no comparison ${comparison}`)
  return compare(source === 'response_status' ? answer.status : read(parsed(answer.text), property), expected)
}

/** Returns why a script of a step is not content. */
function scriptProblem(script: string, { text }: SuiteAnswer): string | undefined {
  try {
    runInNewContext(script, { response: { body: text }, assert, log: () => undefined }, { timeout: 1000 })
    return undefined
  } catch (error) {
    return String(error)
  }
}

/**
 * Runs the steps of a suite in their order.
 * @param variables what the suite expects to be set before it.
 */
export async function runSuite(
  { steps }: Suite,
  variables: Readonly<Record<string, string>>,
  send: (request: SuiteRequest) => Promise<SuiteAnswer>,
): Promise<readonly Failure[]> {
  const known = new Map(Object.entries(variables))
  const fill = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = known.get(name)
      if (value === undefined) throw new Error(`the suite has not set ${name}`)
      return value
    })
  const failures: Failure[] = []
  for (const step of steps) {
    if (step.step_type !== 'request' || step.skipped === true) continue
    const answer = await send({
      method: step.method,
      url: fill(step.url),
      headers: Object.fromEntries(
        Object.entries(step.headers).map(([name, value]) => [name.toLowerCase(), fill([value].flat().join(', '))]),
      ),
      body: step.body === undefined || step.body === '' ? undefined : fill(step.body),
    })
    const fail = (required: string) =>
      failures.push({ step: step.note, required, answer: `${answer.status} ${answer.text}` })
    for (const assertion of step.assertions) {
      const expected = fill(String(assertion.value ?? ''))
      const { comparison, source, property = source } = assertion
      if (!holds(assertion, expected, answer)) fail(`${property} ${comparison} ${expected}`)
    }
    for (const script of step.scripts) {
      const problem = scriptProblem(script, answer)
      if (problem !== undefined) fail(problem)
    }
    for (const { name, property } of step.variables)
      if (name !== null) known.set(name, String(read(parsed(answer.text), property)))
  }
  return failures
}
