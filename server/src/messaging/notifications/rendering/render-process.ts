// A process that renders templates, as the service sees it: one task at a time, and a limit on every task.
import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readProcessorMs } from '../../../platform/startup/processor-time.ts'
import { memoryMegabytesMax, timeMsMax, tooBig, tooSlow, type TemplatePart } from './limits.ts'
import { TemplateError } from './liquid.ts'
import { RenderError } from './render-error.ts'
import type { Report, RenderResult, RenderTask } from './render-messages.ts'

const workerFile = fileURLToPath(new URL('render-worker.ts', import.meta.url))
/** With `--single-threaded` all its work counts as its own processor time; so little JavaScript needs no helper threads. */
const nodeOptions = [`--max-old-space-size=${memoryMegabytesMax}`, '--max-semi-space-size=4', '--single-threaded']
/** Rendering does not depend on the machine's location: times in templates are UTC unless they say otherwise. */
const environment = { TZ: 'UTC', UV_THREADPOOL_SIZE: '1' }
/** Answers that need no template come first. */
const niceness = 10
/** Limits waiting even on a machine so busy that the process gets no time to run. */
const waitMsMax = 60_000
/** After this time a process ends itself, because the service that should have ended it is gone. */
const taskMsMax = waitMsMax + 10_000
/** How often a task is checked when its time is nearly over. */
const lookMsMin = 20

export interface RenderedTask {
  readonly result: RenderResult
  /** Processor time. */
  readonly usedMs: number
}

interface Pending {
  readonly resolve: (task: RenderedTask) => void
  readonly reject: (error: Error) => void
  readonly givenAt: number
  /** The part that it is rendering. */
  part: TemplatePart
  /** When the part began, by the clock and by the processor time of the process. */
  begun: { readonly at: number; readonly cpuMs: number } | undefined
  timer: NodeJS.Timeout | undefined
}

/** Gives the process a low priority, and makes it the first to be ended when memory is short. */
function makeUnimportant(pid: number): void {
  try {
    setPriority(pid, niceness)
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // The process has ended already, or the system does not allow this; the other limits still apply.
  }
}

export class RenderProcess {
  readonly #child: ChildProcess
  #pending: Pending | undefined
  /** Why the process was killed. */
  #verdict: 'too slow' | 'no time' | undefined
  readonly #isReady: Promise<void>
  readonly gone: Promise<void>

  constructor() {
    this.#child = fork(workerFile, [String(taskMsMax)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: nodeOptions,
      // The process gets nothing of the service's environment, which contains its secrets.
      env: environment,
    })
    const { pid } = this.#child
    if (pid !== undefined) makeUnimportant(pid)
    this.#isReady = new Promise((resolve) => {
      this.#child.on('message', (report: Report) => {
        if (report.type === 'ready') resolve()
        else this.#hear(report)
      })
    })
    this.gone = new Promise((resolve) => {
      const lost = (error: () => Error) => {
        this.#settle((pending) => pending.reject(error()))
        resolve()
      }
      this.#child.once('error', (cause) => lost(() => new RenderError('lost', 'no process starts', { cause })))
      this.#child.once('exit', (status, signal) => lost(() => this.#reason(status, signal)))
    })
    this.#hold(false)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** @throws TemplateError for a template that exceeds a limit; RenderError lost */
  run(task: RenderTask): Promise<RenderedTask> {
    if (this.#pending !== undefined) throw new Error('a process renders one template at a time')
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject, givenAt: performance.now(), part: 'body', begun: undefined, timer: undefined }
      this.#hold(true)
      this.#lookIn(timeMsMax)
      // If the process is gone, its exit event reports that.
      void this.#isReady.then(() => this.#child.connected && this.#child.send(task, () => {}))
    })
  }

  end(): void {
    // Callers that wait for `gone` must be told.
    this.#child.ref()
    this.#child.kill('SIGKILL')
  }

  #hear(report: Exclude<Report, { type: 'ready' }>): void {
    const pending = this.#pending
    if (pending === undefined) return
    if (report.type === 'begins') {
      pending.part = report.part
      pending.begun ??= { at: performance.now(), cpuMs: report.cpuMs }
      return
    }
    const usedMs = report.cpuMs - (pending.begun?.cpuMs ?? report.cpuMs)
    this.#settle(({ resolve }) => resolve({ result: report.result, usedMs }))
  }

  #lookIn(ms: number): void {
    if (this.#pending !== undefined) this.#pending.timer = setTimeout(() => this.#look(), ms)
  }

  /** Ends a task that has used up its time. Processor time counts, so that templates do not fail on a busy machine. */
  #look(): void {
    const pending = this.#pending
    if (pending === undefined) return
    const waitedMs = performance.now() - pending.givenAt
    const usedMs = this.#usedMs(pending)
    if (usedMs < timeMsMax && waitedMs < waitMsMax) return this.#lookIn(Math.max(timeMsMax - usedMs, lookMsMin))
    this.#verdict = usedMs < timeMsMax ? 'no time' : 'too slow'
    this.#child.kill('SIGKILL')
  }

  #usedMs({ begun }: Pending): number {
    if (begun === undefined) return 0
    const cpuMs = readProcessorMs(this.pid)
    return cpuMs === undefined ? performance.now() - begun.at : cpuMs - begun.cpuMs
  }

  #reason(status: number | null, signal: NodeJS.Signals | null): Error {
    const pending = this.#pending
    if (pending !== undefined && this.#verdict === 'too slow') return new TemplateError(pending.part, tooSlow)
    // V8 ends a process with a full heap by a signal, but never by SIGKILL, which comes from the system or from us.
    const isFull = status === null && signal !== 'SIGKILL' && pending?.begun !== undefined
    if (pending !== undefined && isFull) return new TemplateError(pending.part, tooBig)
    return new RenderError('lost', `a process that renders templates ended: ${signal ?? status}`)
  }

  #settle(how: (pending: Pending) => void): void {
    const pending = this.#pending
    if (pending === undefined) return
    how(pending)
    this.#pending = undefined
    clearTimeout(pending.timer)
    this.#hold(false)
  }

  /** An idle process does not keep the service alive. */
  #hold(isBusy: boolean): void {
    if (isBusy) {
      this.#child.ref()
      this.#child.channel?.ref()
    } else {
      this.#child.unref()
      this.#child.channel?.unref()
    }
  }
}
