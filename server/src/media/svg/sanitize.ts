// SVG is a program as much as a picture, so only the output of a sanitiser is stored. It runs in threads of its own: a document that makes
// it fail ends only its thread. Threads are kept for a while after a success, because starting one takes fifty times as long as an icon.
import { Worker } from 'node:worker_threads'
import { type Turns, createTurns } from '../../platform/turns/turns.ts'
import { ready } from './drawn-elements.ts'

/** Larger SVG is not an icon or logo, and its document would fill the thread's memory. */
export const svgBytesMax = 2 * 1024 * 1024

export interface SanitizerSettings {
  readonly timeoutMs: number
  readonly threadsMax: number
  /** How long an idle thread is kept: it holds about 120 MB, and starting one takes fifty times as long as an icon. */
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

/** How much a thread may read before it is replaced, so that no tenant is affected by what others left in its memory. */
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
  /** Resolves once the thread can read documents, or never will. */
  readonly #loaded: Promise<void>
  /** Resolves once its memory has been released. */
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
    // Out of memory or out of stack: in either case, the document is the cause.
    const lost = () => {
      this.#isGone = true
      this.#settle?.({ problem: 'must be an SVG that can be processed with 384 MiB of memory' })
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
        // An idle thread does not keep the service alive.
        this.#worker.unref()
        resolve(answer)
      }
      // The time for starting a thread does not count against the document.
      void this.#loaded.then(() => {
        if (this.#settle === undefined) return
        timer = setTimeout(() => {
          this.end()
          this.#settle?.({ problem: 'must be a simpler SVG, because processing it takes too long' })
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
    // One thread is always left for other owners, so that one owner's slow documents hold up nobody else.
    const atOnceOfOwnerMax = Math.max(1, atOnceMax - 1)
    this.#inTurn = createTurns({ atOnceMax, atOnceOfOwnerMax, waitingMax, waitingOfOwnerMax })
  }

  /** Resolves once no thread is left. */
  async ended(): Promise<void> {
    while (this.#threads.size > 0) await Promise.all([...this.#threads].map(({ gone }) => gone))
  }

  /**
   * Returns the picture as UTF-8, without anything that could run, load or lead elsewhere.
   * @param owner whose turn is taken: a tenant.
   * @param load returns the bytes when it is their turn.
   * @throws SvgRefused for input that is not well-formed SVG, or too large; TooManyWaiting; errors of `load`
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
  if (bytes > svgBytesMax) throw new SvgRefused(`must be at most ${svgBytesMax / 1024 / 1024} MiB for SVG`)
}

const sanitizer = new SvgSanitizer()

/** Like `SvgSanitizer.sanitize`, with the threads of this process. */
export const sanitizeSvg = (owner: string, load: () => Promise<Uint8Array>) => sanitizer.sanitize(owner, load)
