// The result as people read it: a table on the terminal, and RESULTS.md.
import { method, methodHeading } from './method.ts'
import type { ResultRow } from './results.ts'

const columns = ['measure', 'ours', 'reference', 'ratio (lowest–highest round)', 'budget', 'met?', 'run'] as const
const runColumns = ['run', 'date', 'commit', 'command', 'machine'] as const

export const titles = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const

export interface RunDescription {
  readonly date: string
  readonly commit: string
  readonly command: string
  readonly machine: string
}

/** A row, and the run that measured it. */
export interface MeasuredRow extends ResultRow {
  readonly run: RunDescription
}

const met = ({ isMet }: ResultRow) => (isMet === undefined ? '' : isMet ? 'yes' : '**no**')

export const formatLine = (row: ResultRow) =>
  `${titles[row.engine].padEnd(10)}  ${[row.measure, row.ours, row.reference, row.ratio, row.budget].filter((text) => text !== '').join(' | ')}${
    row.isMet === undefined ? '' : row.isMet ? ' | met' : ' | NOT MET'
  }`

const formatTable = (heads: readonly string[], lines: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')

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

const runsHeading = '## Runs\n'

function format(rows: readonly MeasuredRow[], runs: readonly RunDescription[]): string {
  const used = runs.filter((run) => rows.some((row) => row.run === run))
  const line = (row: MeasuredRow) => [
    row.measure,
    row.ours,
    row.reference,
    row.ratio,
    row.budget,
    met(row),
    String(used.indexOf(row.run) + 1),
  ]
  const tables = (['sqlite', 'postgresql'] as const)
    .map((engine) => ({ engine, own: rows.filter((row) => row.engine === engine) }))
    .filter(({ own }) => own.length > 0)
    .map(({ engine, own }) => `## ${titles[engine]}\n\n${formatTable(columns, own.map(line))}\n`)
  const runLines = used.map(({ date, commit, command, machine }, index) => [
    String(index + 1),
    date,
    commit,
    `\`${command}\``,
    machine,
  ])
  return `# Benchmark results

Written by \`npm run bench\`; do not edit. Each row is the latest measurement; its last column says which run made it.

${verdict(rows)}

${tables.join('\n')}
${runsHeading}
${formatTable(runColumns, runLines)}

${method}`
}

/** Returns RESULTS.md of a full run, up to the sections that other commands write. */
export const markdown = (rows: readonly ResultRow[], run: RunDescription): string =>
  format(
    rows.map((row) => ({ ...row, run })),
    [run],
  )

const cellsIn = (line: string) => line.slice(2, -2).split(' | ')

function readRuns(results: string): RunDescription[] {
  const [, list = ''] = results.split(runsHeading)
  const lines = (list.split(methodHeading)[0] ?? '').split('\n').filter((line) => /^\| \d/.test(line))
  return lines.map((line) => {
    const [, date = '', commit = '', command = '', machine = ''] = cellsIn(line)
    return { date, commit, command: command.slice(1, -1), machine }
  })
}

function readRows(results: string, runs: readonly RunDescription[]): MeasuredRow[] {
  const rows: MeasuredRow[] = []
  let engine: ResultRow['engine'] = 'sqlite'
  for (const line of (results.split(runsHeading)[0] ?? '').split('\n')) {
    if (line === `## ${titles.postgresql}`) engine = 'postgresql'
    const [measure = '', ours = '', reference = '', ratio = '', budget = '', isMet = '', number] = cellsIn(line)
    const run = runs[Number(number) - 1]
    if (run === undefined) continue
    rows.push({
      engine,
      measure,
      ours,
      reference,
      ratio,
      budget,
      isMet: isMet === '' ? undefined : isMet === 'yes',
      run,
    })
  }
  return rows
}

/** Returns what identifies a row in every run: the engine, the measure, and what it is compared with, without the counts of the run. */
function subject({ engine, measure, reference, ratio }: ResultRow): string {
  const uncounted = measure.replaceAll(/\([^)]*\)/g, (text) => text.replaceAll(/\d/g, ''))
  const compared = ratio === '' ? '' : reference.replace(/:[^:]*$/, '').replaceAll(/\d/g, '')
  return [engine, uncounted, compared].join('|')
}

/** Returns RESULTS.md with the rows of a run in the place of those that measured the same before; new ones follow those of their run. */
export function withAgain(results: string, measured: readonly ResultRow[], run: RunDescription): string {
  const runs = readRuns(results)
  const rows = readRows(results, runs)
  let next = rows.length
  for (const row of measured) {
    const known = rows.findIndex((each) => subject(each) === subject(row))
    rows.splice(known === -1 ? next : known, known === -1 ? 0 : 1, { ...row, run })
    next = (known === -1 ? next : known) + 1
  }
  const end = results.indexOf('\n## ', results.indexOf(methodHeading))
  return format(rows, [run, ...runs]) + (end === -1 ? '' : results.slice(end))
}
