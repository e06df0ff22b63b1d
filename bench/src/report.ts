// The result as people read it: a table on the terminal, and RESULTS.md.
import { method, methodHeading } from './method.ts'
import type { ResultRow } from './results.ts'

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

export const formatLine = (row: ResultRow) =>
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

const formatTables = (rows: readonly ResultRow[], level: string) =>
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

${formatTables(rows, '##')}
${method}`
}

const againHeading = '## Measured again\n'
const againText = `${againHeading}
Some measures alone, the latest run first. What a later run has measured too is only there, and what is above is older.
`
const runHeading = '\n### By '

/** Returns what identifies a table's line in different runs: the engine, the measure and the reference that it is compared with. */
const describeSubject = (engine: string, measure: string, reference: string) =>
  [engine, measure, reference.replace(/:[^:]*$/, '')].join('|')

/**
 * Returns an earlier run without the lines that were measured again; empty if none is left. Its verdict is removed, because it was about
 * all lines.
 */
function withoutMeasured(run: string, measured: ReadonlySet<string>): string {
  let engine = ''
  let isAny = false
  const kept = run.split('\n').filter((line) => {
    if (line.startsWith('#### ')) engine = line.slice('#### '.length)
    if (/^\d+ of \d+ budgets are met/.test(line)) return false
    const [, measure = '', , reference = ''] = line.split('|').map((cell) => cell.trim())
    if (!line.startsWith('| ') || measure === columns[0] || measure === '---') return true
    const isKept = !measured.has(describeSubject(engine, measure, reference))
    isAny ||= isKept
    return isKept
  })
  const text = kept.join('\n').replaceAll(/\n#### [^\n]*\n\n\| measure [^\n]*\n\| --- [^\n]*\n(?!\|)/g, '')
  return isAny ? text.replaceAll(/\n{3,}/g, '\n\n').trimEnd() : ''
}

/** Returns RESULTS.md with the results of some measures, beside those of earlier partial runs; a full run removes them all. */
export function withAgain(results: string, rows: readonly ResultRow[], run: RunDescription): string {
  const [tables = '', rest = ''] = results.split(methodHeading)
  const [full = '', again = ''] = tables.split(againHeading)
  const measured = new Set(rows.map((row) => describeSubject(titles[row.engine], row.measure, row.reference)))
  const [, ...runs] = again.split(runHeading)
  const earlier = runs.map((each) => withoutMeasured(each, measured)).filter((each) => each !== '')
  const latest =
    `\`${run.command}\`\n\n${described(run)}\n\n${verdict(rows)}\n\n${formatTables(rows, '####')}`.trimEnd()
  return `${full}${againText}${[latest, ...earlier].map((each) => `${runHeading}${each}\n`).join('')}
${methodHeading}${rest}`
}
