// The result as people read it: a table on the terminal, and RESULTS.md.
import type { ResultRow } from './results.ts'
import { method } from './method.ts'

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

export function markdown(rows: readonly ResultRow[], { date, commit, command, machine }: RunDescription): string {
  const engines = [...new Set(rows.map(({ engine }) => engine))]
  const tables = engines.map(
    (engine) => `## ${titles[engine]}\n\n${table(rows.filter((row) => row.engine === engine))}\n`,
  )
  return `# Benchmark results

Written by \`${command}\`; do not edit.

- Date: ${date}
- Commit: ${commit}
- Machine: ${machine}

${verdict(rows)}

${tables.join('\n')}
${method}`
}
