// How far a long command is, on standard error, because standard output belongs to its result: a bar on a terminal, otherwise a line every few
// seconds. A command that ends before the first of these lines is due prints none.
import type { Writable } from 'node:stream'

/** Says that a step has done so much, of a total if that is known. Called as often as one likes. */
export type Tell = (step: string, done: number, total?: number) => void

export interface Progress {
  readonly tell: Tell
  /** Removes the bar, before anything else is printed. */
  readonly end: () => void
}

interface Terminal extends Pick<Writable, 'write'> {
  readonly isTTY?: boolean
  readonly columns?: number
}

const drawEveryMs = 100
const lineEveryMs = 5000
const barWidthMax = 30
const counted = new Intl.NumberFormat('en')
/** Goes to the beginning of the line and clears it (ECMA-48: CR, EL). */
const clearLine = '\r\u001b[K'

const amountOf = (done: number, total: number | undefined) =>
  total === undefined ? counted.format(done) : `${counted.format(done)} of ${counted.format(total)}`

const shareOf = (done: number, total: number) => (total === 0 ? 1 : Math.min(done / total, 1))

function bar(step: string, done: number, total: number | undefined, columns: number): string {
  const text = `${step}: ${amountOf(done, total)}`
  if (total === undefined) return text.slice(0, columns - 1)
  const percent = `${Math.floor(shareOf(done, total) * 100)} %`.padStart(5)
  const width = Math.min(barWidthMax, columns - text.length - percent.length - 5)
  if (width < 5) return `${text}${percent}`.slice(0, columns - 1)
  const filled = Math.round(shareOf(done, total) * width)
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]${percent}  ${text}`
}

/**
 * @param isJson whether lines are JSON, as the command's result is: `{"progress": {"step", "done", "total"}}`.
 * @param nowMs milliseconds of a clock that only advances.
 */
export function startProgress(
  isJson: boolean,
  terminal: Terminal = process.stderr,
  nowMs: () => number = () => performance.now(),
): Progress {
  const isBar = terminal.isTTY === true && !isJson
  const everyMs = isBar ? drawEveryMs : lineEveryMs
  // A bar is there at once; lines are for what takes long.
  let lastMs = isBar ? -Infinity : nowMs()
  let isDrawn = false
  return {
    tell(step, done, total) {
      const now = nowMs()
      if (now - lastMs < everyMs) return
      lastMs = now
      if (isBar) {
        isDrawn = true
        terminal.write(clearLine + bar(step, done, total, terminal.columns ?? 80))
      } else if (isJson) {
        terminal.write(`${JSON.stringify({ progress: { step, done, total } })}\n`)
      } else terminal.write(`${step}: ${amountOf(done, total)}\n`)
    },
    end() {
      if (isDrawn) terminal.write(clearLine)
      isDrawn = false
    },
  }
}
