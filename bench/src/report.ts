// The result as people read it: a table on the terminal, and RESULTS.md.
import type { ResultRow } from './results.ts'
import { method, methodHeading } from './method.ts'

const columns = ['measure', 'ours', 'reference', 'ratio (lowest–highest round)', 'budget', 'met?'] as const

const met = ({ isMet }: ResultRow) => (isMet === undefined ? '' : isMet ? 'yes' : '**no**')

const cells = (row: ResultRow) => [row.measure, row.ours, row.reference, row.ratio, row.budget, met(row)]

export const titles = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const

export interface RunDescription {
  readonly date: string
  readonly commit: string
  readonly command: string
  readonly machine: string
}

export const lineOf = (row: ResultRow) =>
  `${titles[row.engine].padEnd(10)}  ${[row.measure, row.ours, row.reference, row.ratio, row.budget].filter((text) => text !== '').join(' | ')}${
    row.isMet === undefined ? '' : row.isMet ? ' | met' : ' | NOT MET'
  }`

function table(rows: readonly ResultRow[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows.map(cells)]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function verdict(rows: readonly ResultRow[]): string {
  const budgeted = rows.filter(({ isMet }) => isMet !== undefined)
  const missed = budgeted.filter(({ isMet }) => isMet === false)
  const count = `${budgeted.length - missed.length} of ${budgeted.length} budgets are met.`
  if (missed.length === 0) return count
  const list = missed.map(
    (row) => `${row.measure} on ${titles[row.engine]} (${row.ratio || row.ours}, budget ${row.budget})`,
  )
  return `${count} Missed: ${list.join('; ')}.`
}

const tablesOf = (rows: readonly ResultRow[], level: string) =>
  [...new Set(rows.map(({ engine }) => engine))]
    .map((engine) => `${level} ${titles[engine]}\n\n${table(rows.filter((row) => row.engine === engine))}\n`)
    .join('\n')

const described = ({ date, commit, machine }: RunDescription) =>
  `- Date: ${date}\n- Commit: ${commit}\n- Machine: ${machine}`

export function markdown(rows: readonly ResultRow[], run: RunDescription): string {
  return `# Benchmark results

Written by \`${run.command}\`; do not edit.

${described(run)}

${verdict(rows)}

${tablesOf(rows, '##')}
${method}`
}

const againHeading = '## Measured again\n'

/** RESULTS.md with what some measures alone have found since, in the place of what the last such run had; a full run drops it. */
export function withAgain(results: string, rows: readonly ResultRow[], run: RunDescription): string {
  const [tables = '', rest = ''] = results.split(methodHeading)
  const [full = ''] = tables.split(againHeading)
  return `${full}${againHeading}
By \`${run.command}\`, some measures alone; how they were taken stands below. What is above is older.

${described(run)}

${verdict(rows)}

${tablesOf(rows, '###')}
${methodHeading}${rest}`
}
