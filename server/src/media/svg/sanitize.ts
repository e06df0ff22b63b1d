// SVG is a program as much as a picture. What is kept of one is what a sanitiser makes of it, in threads that do nothing else:
// a document that makes it run wild takes down nothing but its thread. One that has done well is kept for a while, for the
// start takes fifty times as long as an icon.
import { Worker } from 'node:worker_threads'
import { createTurns } from '../turns.ts'

/** SVG of more than this is no icon or logo, and its document would fill the thread's memory. */
export const svgBytesMax = 2 * 1024 * 1024
const timeoutMs = 10_000
const threadsMax = 2
const queueMax = 32

export class SvgRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SvgRefused'
  }
}

export type SanitizerAnswer = { readonly svg: string } | { readonly problem: string }

const inTurn = createTurns(threadsMax, queueMax)
/** As long as an image worker. */
const idleMs = 60_000
/** What a thread may have read before another takes its place, so that nobody pays for what others have left in its memory. */
const charactersMax = 4 * svgBytesMax

class SanitizerThread {
  readonly #worker = new Worker(new URL('./sanitize-worker.ts', import.meta.url), {
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
  })
  #characters = 0
  #isGone = false
  #settle: ((answer: SanitizerAnswer) => void) | undefined

  constructor() {
    this.#worker.on('message', (answer: SanitizerAnswer) => this.#settle?.(answer))
    // Out of memory, out of stack: whatever stops it, the document is the cause.
    const lost = () => {
      this.#isGone = true
      this.#settle?.({ problem: 'must be SVG that can be read within 384 MiB of memory' })
    }
    this.#worker.once('error', lost)
    this.#worker.once('exit', lost)
  }

  get isFit(): boolean {
    return !this.#isGone && this.#characters <= charactersMax
  }

  run(text: string): Promise<SanitizerAnswer> {
    this.#characters += text.length
    this.#worker.ref()
    return new Promise<SanitizerAnswer>((resolve) => {
      const timer = setTimeout(() => {
        this.end()
        this.#settle?.({ problem: 'must be simpler: reading it takes too long' })
      }, timeoutMs)
      this.#settle = (answer) => {
        this.#settle = undefined
        clearTimeout(timer)
        // An idle thread does not keep the service from ending.
        this.#worker.unref()
        resolve(answer)
      }
      this.#worker.postMessage(text, [])
    })
  }

  end() {
    this.#isGone = true
    void this.#worker.terminate()
  }
}

const idle = new Map<SanitizerThread, NodeJS.Timeout>()

function takeThread(): SanitizerThread {
  for (const [thread, timer] of idle) {
    clearTimeout(timer)
    idle.delete(thread)
    if (thread.isFit) return thread
  }
  return new SanitizerThread()
}

function rest(thread: SanitizerThread) {
  if (!thread.isFit) return thread.end()
  const timer = setTimeout(() => {
    idle.delete(thread)
    thread.end()
  }, idleMs)
  idle.set(thread, timer.unref())
}

async function runThread(text: string): Promise<SanitizerAnswer> {
  const thread = takeThread()
  try {
    return await thread.run(text)
  } finally {
    rest(thread)
  }
}

/**
 * The picture without what could run, load or lead elsewhere, as UTF-8.
 * @throws SvgRefused for what is no well-formed SVG, or too much of it; TooManyWaiting
 */
export async function sanitizeSvg(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > svgBytesMax) throw new SvgRefused(`must be at most ${svgBytesMax / 1024 / 1024} MiB as SVG`)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const answer = await inTurn(() => runThread(text))
  if ('problem' in answer) throw new SvgRefused(answer.problem)
  return Buffer.from(answer.svg, 'utf8')
}
