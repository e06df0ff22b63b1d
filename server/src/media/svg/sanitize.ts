// SVG is a program as much as a picture. What is kept of one is what a sanitiser makes of it, in threads that do nothing else:
// a document that makes it run wild takes down nothing but its thread. One that has done well is kept for a while, for the
// start takes fifty times as long as an icon.
import { Worker } from 'node:worker_threads'
import { type Turns, createTurns } from '../../platform/turns/turns.ts'
import { ready } from './sanitizer-ready.ts'

/** SVG of more than this is no icon or logo, and its document would fill the thread's memory. */
export const svgBytesMax = 2 * 1024 * 1024

export interface SanitizerSettings {
  readonly timeoutMs: number
  readonly threadsMax: number
  /** How long a thread is kept that has nothing to do: it holds about 120 MB, and takes fifty times as long to start as an icon. */
  readonly idleMs: number
}

const defaults: SanitizerSettings = { timeoutMs: 10_000, threadsMax: 2, idleMs: 3000 }
const waitingMax = 128
const waitingOfOwnerMax = 64

export class SvgRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SvgRefused'
  }
}

export type SanitizerAnswer = { readonly svg: string } | { readonly problem: string }

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
  readonly #timeoutMs: number
  /** Once it can read documents, or never will. */
  readonly #loaded: Promise<void>
  /** Once its memory has been given back. */
  readonly gone: Promise<void>

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    this.gone = new Promise((resolve) => this.#worker.once('exit', () => resolve()))
    this.#loaded = new Promise((resolve) => {
      this.#worker.once('message', () => resolve())
      void this.gone.then(resolve)
    })
    this.#worker.on('message', (answer: SanitizerAnswer | typeof ready) => {
      if (answer !== ready) this.#settle?.(answer)
    })
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
      let timer: NodeJS.Timeout | undefined
      this.#settle = (answer) => {
        this.#settle = undefined
        clearTimeout(timer)
        // An idle thread does not keep the service from ending.
        this.#worker.unref()
        resolve(answer)
      }
      // How long a thread takes to start is no fault of the document.
      void this.#loaded.then(() => {
        if (this.#settle === undefined) return
        timer = setTimeout(() => {
          this.end()
          this.#settle?.({ problem: 'must be simpler: reading it takes too long' })
        }, this.#timeoutMs)
      })
      this.#worker.postMessage(text, [])
    })
  }

  end() {
    this.#isGone = true
    void this.#worker.terminate()
  }
}

export class SvgSanitizer {
  readonly #settings: SanitizerSettings
  readonly #inTurn: Turns
  readonly #idle = new Map<SanitizerThread, NodeJS.Timeout>()
  readonly #threads = new Set<SanitizerThread>()

  constructor(settings: Partial<SanitizerSettings> = {}) {
    this.#settings = { ...defaults, ...settings }
    const { threadsMax: atOnceMax } = this.#settings
    // One thread is always left to others: what one owner has made to take long holds up nobody else.
    const atOnceOfOwnerMax = Math.max(1, atOnceMax - 1)
    this.#inTurn = createTurns({ atOnceMax, atOnceOfOwnerMax, waitingMax, waitingOfOwnerMax })
  }

  /** Resolves once no thread is left. */
  async ended(): Promise<void> {
    while (this.#threads.size > 0) await Promise.all([...this.#threads].map(({ gone }) => gone))
  }

  /**
   * The picture without what could run, load or lead elsewhere, as UTF-8.
   * @param owner whose turn it takes: a tenant.
   * @param load gives the bytes when it is their turn.
   * @throws SvgRefused for what is no well-formed SVG, or too much of it; TooManyWaiting; what `load` throws
   */
  async sanitize(owner: string, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const answer = await this.#inTurn(owner, async () => {
      const bytes = await load()
      checkSvgSize(bytes.length)
      return this.#runThread(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    })
    if ('problem' in answer) throw new SvgRefused(answer.problem)
    return Buffer.from(answer.svg, 'utf8')
  }

  async #runThread(text: string): Promise<SanitizerAnswer> {
    const thread = this.#takeThread()
    try {
      return await thread.run(text)
    } finally {
      this.#rest(thread)
    }
  }

  #takeThread(): SanitizerThread {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(thread)
      if (thread.isFit) return thread
    }
    const thread = new SanitizerThread(this.#settings.timeoutMs)
    this.#threads.add(thread)
    void thread.gone.then(() => this.#threads.delete(thread))
    return thread
  }

  #rest(thread: SanitizerThread) {
    if (!thread.isFit) return thread.end()
    const timer = setTimeout(() => {
      this.#idle.delete(thread)
      thread.end()
    }, this.#settings.idleMs)
    this.#idle.set(thread, timer.unref())
  }
}

/** @throws SvgRefused */
export function checkSvgSize(bytes: number) {
  if (bytes > svgBytesMax) throw new SvgRefused(`must be at most ${svgBytesMax / 1024 / 1024} MiB as SVG`)
}

const sanitizer = new SvgSanitizer()

/** As `SvgSanitizer.sanitize`, in the threads of this process. */
export const sanitizeSvg = (owner: string, load: () => Promise<Uint8Array>) => sanitizer.sanitize(owner, load)
