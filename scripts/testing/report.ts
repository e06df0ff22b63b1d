// The reporter of `npm test` and `npm run test:walks`: what Node's own reporter `spec` prints, then every failure again in two lines, so
// that the end of the output says what failed where and why, then the closing lines of the runner. A run that is stopped says the same,
// with the tests that were running.
import { writeSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { type TestEvent, spec } from 'node:test/reporters'

/** The closing lines of a run, which count its tests. */
const closingLine = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/
const reasonCharactersMax = 300
const msPerSecond = 1000

interface Started {
  readonly name: string
  readonly nesting: number
  readonly place: string
  readonly since: number
}

/** What each event of one test carries. */
interface TestData {
  readonly name: string
  readonly nesting: number
  readonly file?: string
  readonly line?: number
  /** The file that the runner has started a process for, in processes with several files. */
  readonly entryFile?: string
}

interface Failure extends TestData {
  readonly details: { readonly error?: unknown; readonly type?: string }
}

const messageText = (value: unknown) =>
  value instanceof Error ? value.message : typeof value === 'string' ? value : ''

/** Returns the first lines of an error's message, without the frame that the runner puts around it. */
function findReason(error: unknown): string {
  const { exitCode, signal } = (error ?? {}) as { readonly exitCode?: number; readonly signal?: string }
  if (typeof signal === 'string') return `its process was ended by ${signal}`
  if (exitCode !== undefined) return `its process ended with status ${exitCode}`
  const cause = error instanceof Error ? error.cause : undefined
  const name = cause instanceof Error && cause.name !== 'Error' ? `${cause.name}: ` : ''
  const reason = `${name}${messageText(cause) || messageText(error)}`.replaceAll(/\s+/g, ' ').trim()
  return reason.length > reasonCharactersMax ? `${reason.slice(0, reasonCharactersMax)} …` : reason
}

const formatPlace = ({ file, line }: TestData) =>
  file === undefined ? '' : `${relative(process.cwd(), file)}${line === undefined ? '' : `:${line}`}`

/** Collects what has failed, and what has started and not ended. */
class Outcomes {
  readonly failures: string[] = []
  /** By process, the outermost first. */
  readonly #started = new Map<string, Started[]>()
  /** The files whose process ended before its tests did. */
  readonly #ended = new Set<string>()
  /** The files in which a test has failed: their process ends with status 1 once all its tests have ended. */
  readonly #failed = new Set<string>()

  add({ type, data }: TestEvent): void {
    if (type === 'test:dequeue') this.#begin(data)
    // Unlike `test:fail`, this comes at once, whatever tests before it are still running in other processes.
    else if (type === 'test:complete') this.#end(data)
  }

  #of({ entryFile = '' }: TestData): Started[] {
    const found = this.#started.get(entryFile) ?? []
    this.#started.set(entryFile, found)
    return found
  }

  #begin(data: TestData): void {
    const { name, nesting } = data
    this.#of(data).push({ name, nesting, place: formatPlace(data), since: performance.now() })
  }

  #end(data: TestData & { readonly details: { readonly passed: boolean; readonly error?: unknown } }): void {
    const started = this.#of(data)
    const at = started.findLastIndex(({ name, nesting }) => name === data.name && nesting === data.nesting)
    const titles = [...started.slice(0, Math.max(at, 0)).filter(({ nesting }) => nesting < data.nesting), data]
    if (at !== -1) started.splice(at, 1)
    if (!data.details.passed) this.#fail(data, titles)
  }

  #fail(data: Failure, titles: readonly { readonly name: string }[]): void {
    const { error } = data.details
    const { exitCode, signal } = (error ?? {}) as { readonly exitCode?: number; readonly signal?: string }
    const isDone = exitCode === 1 && this.#failed.has(resolve(data.name))
    if (typeof signal === 'string' || (exitCode !== undefined && !isDone)) this.#ended.add(resolve(data.name))
    if (data.entryFile !== undefined) this.#failed.add(resolve(data.entryFile))
    // The tests below it have failed by themselves, and are listed.
    if ((error as { failureType?: unknown } | undefined)?.failureType === 'subtestsFailed') return
    const title = titles.map(({ name }) => name).join(' › ')
    this.failures.push(`✖ ${formatPlace(data)} › ${title}\n    ${findReason(error)}`)
  }

  /**
   * Returns the innermost tests that have begun and not ended: those of processes that were ended, or all if the run was stopped. In other
   * processes the runner may leave out the end of a suite.
   */
  #unfinished(isStopped: boolean): string[] {
    const now = performance.now()
    return [...this.#started.entries()]
      .filter(([entryFile]) => entryFile !== '' && (isStopped || this.#ended.has(resolve(entryFile))))
      .flatMap(([, started]) =>
        started
          .filter(({ nesting }, at) => (started[at + 1]?.nesting ?? 0) <= nesting)
          .map(
            ({ name, place, since }) =>
              `✖ ${place} › ${name}\n    began ${Math.round((now - since) / msPerSecond)} s ago and did not end`,
          ),
      )
  }

  text({ isStopped }: { readonly isStopped: boolean }): string {
    const all = [...this.failures, ...this.#unfinished(isStopped)]
    return all.length === 0 ? '' : `\nwhat has failed, again:\n${all.join('\n')}\n\n`
  }
}

/** Node loads this module as a reporter and passes the events of the run to it. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const outcomes = new Outcomes()
  const closing: string[] = []
  let isClosed = false
  process.once('exit', () => {
    if (isClosed) return
    // The runner ends with status 0 when it is stopped by a signal.
    process.exitCode ||= 1
    writeSync(1, `\nThe run was stopped.\n${outcomes.text({ isStopped: true })}`)
  })
  async function* watched() {
    for await (const event of source) {
      outcomes.add(event)
      if (event.type === 'test:diagnostic' && closingLine.test(event.data.message)) closing.push(event.data.message)
      else yield event
    }
  }
  for await (const chunk of Readable.from(watched()).pipe(new spec())) yield String(chunk)
  isClosed = true
  yield outcomes.text({ isStopped: false })
  yield closing.map((line) => `ℹ ${line}\n`).join('')
}
