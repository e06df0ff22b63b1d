// Checks the lines of a file of users in the browser, before anything is sent.
import { line as lineSchema } from 'virtual:imported-user'
import { problemsOf } from '../../form/check-value.ts'
import { type Line, linesOf } from './file-text.ts'

export interface Finding {
  readonly line: number
  readonly problem: string
}

export interface DryRun {
  readonly users: number
  readonly findings: readonly Finding[]
  /** The number of further lines with a problem, beyond those that are listed. */
  readonly further: number
}

const findingsMax = 100

function problemsOfLine({ text }: Line, seen: Set<string>): readonly string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return ['is not JSON']
  }
  const { email } = (value ?? {}) as { readonly email?: unknown }
  const key = typeof email === 'string' ? email.toLowerCase() : undefined
  const isRepeated = key !== undefined && seen.has(key)
  if (key !== undefined) seen.add(key)
  return [...problemsOf(lineSchema, value), ...(isRepeated ? ['/email is on an earlier line, too'] : [])]
}

/** Checks a file in this browser; nothing is sent. */
export async function dryRun(file: Blob, signal: AbortSignal, onLine: (count: number) => void): Promise<DryRun> {
  const findings: Finding[] = []
  const seen = new Set<string>()
  let users = 0
  let further = 0
  for await (const line of linesOf(file, signal)) {
    if (line.text.trim() === '') continue
    users++
    const problems = problemsOfLine(line, seen)
    if (problems.length > 0 && findings.length < findingsMax) {
      findings.push({ line: line.number, problem: problems.join('; ') })
    } else if (problems.length > 0) further++
    if (users % 1000 === 0) onLine(users)
  }
  return { users, findings, further }
}
