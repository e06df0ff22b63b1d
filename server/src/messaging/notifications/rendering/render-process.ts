// A process that renders templates, as the service sees it: one task at a time, and an end to every task.
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { memoryMegabytesMax, timeMsMax, tooBig, tooSlow, type TemplatePart } from './limits.ts'
import { TemplateError } from './liquid.ts'
import { RenderError } from './render-error.ts'
import type { Report, RenderResult, RenderTask } from './render-messages.ts'

const workerFile = fileURLToPath(new URL('render-worker.ts', import.meta.url))
/** `--single-threaded`: all that it does counts as its own time, and it needs no helpers for so little JavaScript. */
const nodeOptions = [`--max-old-space-size=${memoryMegabytesMax}`, '--max-semi-space-size=4', '--single-threaded']
/** Nor does anything in it depend on where the machine is: times in templates are UTC unless they say otherwise. */
const environment = { TZ: 'UTC', UV_THREADPOOL_SIZE: '1' }
/** Answers that need no template come first. */
const niceness = 10
/** On a machine that is so busy that the process gets no time to run, waiting ends all the same. */
const waitMsMax = 60_000
/** A task whose time is nearly over is looked at so often. */
const lookMsMin = 20

export interface RenderedTask {
  readonly result: RenderResult
  /** Of the processor. */
  readonly usedMs: number
}

interface Pending {
  readonly resolve: (task: RenderedTask) => void
  readonly reject: (error: Error) => void
  readonly givenAt: number
  /** What it is at. */
  part: TemplatePart
  /** When it began, by the clock and by the processor's time of its process. */
  begun: { readonly at: number; readonly cpuMs: number } | undefined
  timer: NodeJS.Timeout | undefined
}

const ticksPerSecond = 100
/** The processor's time that a process has taken, as Linux tells it; undefined elsewhere, and for one that is gone. */
function cpuMsOf(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  try {
    // proc(5): the name in brackets may hold anything; after it, user and system time are the 12th and 13th value.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return ((Number(values[11]) + Number(values[12])) * 1000) / ticksPerSecond
  } catch {
    return undefined
  }
}

/** To the system: others run first, and where memory is short, this process is the one to end. */
function makeUnimportant(pid: number): void {
  try {
    setPriority(pid, niceness)
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // One that has ended already, or a system that does not let us: it is limited all the same.
  }
}

export class RenderProcess {
  readonly #child: ChildProcess
  #pending: Pending | undefined
  /** Why it was killed. */
  #verdict: 'too slow' | 'no time' | undefined
  readonly #isReady: Promise<void>
  readonly gone: Promise<void>

  constructor() {
    this.#child = fork(workerFile, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: nodeOptions,
      // Nothing of the service's environment, which holds its secrets.
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

  /** @throws TemplateError for a template that takes too much; RenderError lost */
  run(task: RenderTask): Promise<RenderedTask> {
    if (this.#pending !== undefined) throw new Error('a process renders one template at a time')
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject, givenAt: performance.now(), part: 'body', begun: undefined, timer: undefined }
      this.#hold(true)
      this.#lookIn(timeMsMax)
      // What a process that is gone by now was given is told about by its exit.
      void this.#isReady.then(() => this.#child.connected && this.#child.send(task, () => {}))
    })
  }

  end(): void {
    // Whoever waits for `gone` must hear of it.
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

  /** Ends a task that has used its time up: the processor's, so that a busy machine makes no template a bad one. */
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
    const cpuMs = cpuMsOf(this.pid)
    return cpuMs === undefined ? performance.now() - begun.at : cpuMs - begun.cpuMs
  }

  #reason(status: number | null, signal: NodeJS.Signals | null): Error {
    const pending = this.#pending
    if (pending !== undefined && this.#verdict === 'too slow') return new TemplateError(pending.part, tooSlow)
    // The engine ends a process whose heap is full by a signal, never by SIGKILL, which is the system's own or ours.
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

  /** An idle process does not keep the service from ending. */
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
