// The section that import-export.ts writes into RESULTS.md: every step at every size, and how much memory more users take.
import type { EngineName } from './data/store.ts'
import { titles } from './report.ts'
import { megabytes, perSecond } from './results.ts'
import type { Transfer } from './transfer.ts'

export interface TransferRun {
  readonly engine: EngineName
  readonly users: number
  /** Whether Node's heap was limited. */
  readonly isHeld: boolean
  readonly steps: readonly Transfer[]
}

export interface TransferDescription {
  readonly date: string
  readonly commit: string
  readonly command: string
  readonly machine: string
  /** The load of the machine at the beginning and at the end, averaged over one minute. */
  readonly load: readonly [number, number]
  /** How the heap was limited. */
  readonly heldHeap: string
}

const heading = '## Import and export in constant memory'
const columns = ['users', 'step', 'time', 'rate', 'CPU a user', 'peak of own memory', 'peak with mapped files'] as const

const count = (users: number) => users.toLocaleString('en')

function lines({ users, isHeld, steps }: TransferRun): string[][] {
  return steps.map(({ name, seconds, cpuSeconds, ownMegabytes, residentMegabytes }) => [
    count(users) + (isHeld ? ', heap held' : ''),
    name,
    `${seconds.toFixed(1)} s`,
    perSecond(users / seconds),
    `${((cpuSeconds / users) * 1e6).toFixed(0)} µs`,
    megabytes(ownMegabytes),
    megabytes(residentMegabytes),
  ])
}

function table(runs: readonly TransferRun[]): string {
  return [columns, columns.map(() => '---'), ...runs.flatMap(lines)].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

const peak = ({ steps }: TransferRun) => Math.max(...steps.map(({ ownMegabytes }) => ownMegabytes))

/** Compares the memory of the largest and the smallest of the runs that differ only in the number of their users. */
function growth(runs: readonly TransferRun[]): string {
  const ordered = runs.toSorted((one, other) => one.users - other.users)
  const [fewest, most] = [ordered[0], ordered.at(-1)]
  if (fewest === undefined || most === undefined || fewest.users === most.users) return ''
  const held = most.isHeld ? ' with the heap held' : ''
  const times = (most.users / fewest.users).toPrecision(2)
  const ratio = (peak(most) / peak(fewest)).toPrecision(3)
  return `${times} times the users took ${ratio}x the own memory${held}: ${megabytes(peak(most))} after ${megabytes(peak(fewest))}.`
}

/** Returns the section, with the empty line before it. */
export function transferSection(runs: readonly TransferRun[], description: TransferDescription): string {
  const { date, commit, command, machine, load, heldHeap } = description
  const sections = [...new Set(runs.map(({ engine }) => engine))].map((engine) => {
    const own = runs.filter((run) => run.engine === engine)
    const growths = [false, true].map((isHeld) => growth(own.filter((run) => run.isHeld === isHeld)))
    return `### ${titles[engine]}\n\n${growths.filter((text) => text !== '').join(' ')}\n\n${table(own)}\n`
  })
  return `
${heading}

Written by \`${command}\`; \`npm run bench\` leaves it as it is.

- Date: ${date}
- Commit: ${commit}
- Machine: ${machine}; load average ${load.map((each) => each.toFixed(1)).join(' at the beginning, ')} at the end
- Own memory is what the process has not mapped from files (RssAnon), looked at every 50 ms; each size in a process of its own. On a
  machine with much memory Node lets the young part of its heap grow to 128 MB, whoever fills it, before it collects more often, and
  its old part by what it thinks is cheap: this is what a longer run takes more. Where the heap is said to be held, it ran with
  \`NODE_OPTIONS="${heldHeap}"\`. On SQLite the page cache of the connection that reads, 16 MB, is
  used once the file has outgrown the 256 MB of it that are mapped.

${sections.join('\n')}`
}

/** Returns the result without the section, and the section alone. */
export function withoutTransfers(results: string): { readonly rest: string; readonly section: string } {
  const start = results.indexOf(`\n${heading}\n`)
  if (start === -1) return { rest: results, section: '' }
  const next = results.indexOf('\n## ', start + 1)
  const end = next === -1 ? results.length : next
  return { rest: results.slice(0, start) + results.slice(end), section: results.slice(start, end) }
}

/** The sections that other commands than `npm run bench` write, or that are written by hand; they are the last ones. */
export function sectionsOfOthers(results: string): string {
  const starts = [heading, '## Long runs'].map((each) => results.indexOf(`\n${each}\n`)).filter((at) => at !== -1)
  return starts.length === 0 ? '' : results.slice(Math.min(...starts))
}
