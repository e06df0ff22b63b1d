// A worker as the service sees it: one task at a time, and a limit on every task.
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lowerPriority } from '../../../platform/startup/lower-priority.ts'
import { readProcessorMs } from '../../../platform/startup/processor-time.ts'
import { ImageError } from '../image-error.ts'
import { type SentAnswer, type WorkerAnswer, type WorkerTask, exitOutOfMemory } from '../messages.ts'
import { openHandover, takeOver } from './handover.ts'

const workerFile = fileURLToPath(new URL('worker.ts', import.meta.url))
const fontsFile = fileURLToPath(new URL('../fonts/fonts.conf', import.meta.url))
/** Its JavaScript needs little memory, because pixels are outside of the heap. */
const heapMegabytes = 128
/**
 * How much freed memory glibc keeps. Whole pictures are returned to the system at once. The lines that libvips works on are reused for the
 * next image: returning those too would take an eighth more time for page faults.
 */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '8388608', MALLOC_TRIM_THRESHOLD_: '33554432' }
/** With one task at a time, a single pool thread does all the work and reuses its own memory. */
const threads = { UV_THREADPOOL_SIZE: '1' }
/**
 * The niceness, so that answers that need no decoder come first; images share what the service leaves of the cores. It is set from here
 * before the worker has threads, because a process that sets its own priority does not change its decoding threads.
 */
const niceness = 5
/** No helper threads for compiling and collecting, because for so little JavaScript waking them costs more than they do. */
const nodeOptions = [`--max-old-space-size=${heapMegabytes}`, '--single-threaded', '--expose-gc']

/** An image that has used this share of its time as processor time was slow itself. */
const usedShareMin = 0.25

export interface WorkerLimits {
  readonly memoryBytes: number
  readonly taskMs: number
}

interface Pending {
  resolve(answer: WorkerAnswer): void
  reject(error: ImageError): void
  readonly timer: NodeJS.Timeout
}

export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #limits: WorkerLimits
  #handover = openHandover()
  #pending: Pending | undefined
  /** Set when its time was over: the processor time that it had used, if that is known. */
  #timedOut: { readonly usedMs: number | undefined } | undefined
  readonly gone: Promise<void>

  constructor(limits: WorkerLimits) {
    this.#limits = limits
    const hasHandover = this.#handover !== undefined
    this.#child = fork(workerFile, [String(limits.memoryBytes), ...(hasHandover ? ['handover'] : [])], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', this.#handover ?? 'ignore'],
      execArgv: nodeOptions,
      // The worker gets nothing of the service's environment, which contains its secrets.
      env: { FONTCONFIG_FILE: fontsFile, ...allocator, ...threads },
    })
    if (this.#child.pid !== undefined) lowerPriority(niceness, this.#child.pid)
    this.#child.on('message', (answer: SentAnswer) => this.#settle((pending) => this.#received(pending, answer)))
    this.gone = new Promise((resolve) => {
      const lost = (error: ImageError) => {
        this.#settle((pending) => pending.reject(error))
        this.#closeHandover()
        resolve()
      }
      this.#child.once('error', (cause) => lost(new ImageError('engine_failure', 'no worker starts', { cause })))
      this.#child.once('exit', (status) => lost(this.#reason(status)))
    })
    this.#hold(false)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** @throws ImageError too_slow, time_out, out_of_memory, worker_lost */
  run(task: WorkerTask): Promise<WorkerAnswer> {
    if (this.#pending !== undefined) throw new Error('a worker takes one task at a time')
    return new Promise((resolve, reject) => {
      const before = readProcessorMs(this.pid)
      const timer = setTimeout(() => {
        const after = readProcessorMs(this.pid)
        this.#timedOut = { usedMs: before === undefined || after === undefined ? undefined : after - before }
        this.#child.kill('SIGKILL')
      }, this.#limits.taskMs)
      this.#pending = { resolve, reject, timer }
      this.#hold(true)
      // If the worker is gone, its exit event reports that.
      this.#child.send(task, () => {})
    })
  }

  end(): void {
    // Callers that wait for `gone` must be told.
    this.#child.ref()
    this.#child.kill('SIGKILL')
  }

  #reason(status: number | null): ImageError {
    const { taskMs } = this.#limits
    if (this.#timedOut !== undefined) {
      // On a busy machine an image runs out of time without having used it.
      const isSlow = (this.#timedOut.usedMs ?? taskMs) >= taskMs * usedShareMin
      return new ImageError(isSlow ? 'too_slow' : 'time_out', `The image took more than ${taskMs} ms.`)
    }
    if (status === exitOutOfMemory) {
      const megabytes = Math.round(this.#limits.memoryBytes / 2 ** 20)
      return new ImageError('out_of_memory', `The image took more than ${megabytes} MB of memory.`)
    }
    // Decoders crash by a signal; an exit status comes from our own code, or from node at the start.
    if (status !== null) return new ImageError('engine_failure', `a worker ended with status ${status}`)
    return new ImageError('worker_lost', 'The image could not be processed.')
  }

  #received(pending: Pending, { result, residentBytes }: SentAnswer): void {
    if (result.type !== 'handed over') {
      pending.resolve({ result, residentBytes })
      return
    }
    const data = this.#handover === undefined ? undefined : takeOver(this.#handover, result.length)
    if (data === undefined) pending.reject(new ImageError('engine_failure', 'a worker handed over nothing'))
    else pending.resolve({ result: { type: 'image', image: { ...result.image, data } }, residentBytes })
  }

  #closeHandover(): void {
    const file = this.#handover
    this.#handover = undefined
    if (file !== undefined) closeSync(file)
  }

  #settle(how: (pending: Pending) => void): void {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    clearTimeout(pending.timer)
    this.#hold(false)
    how(pending)
  }

  /** An idle worker does not keep the service alive. */
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
