// Copies the write-ahead log into the database file in a thread of its own. Within a COMMIT, as SQLite does it by itself, copying blocks the
// event loop until the disk has the file, for some milliseconds each time, and for seconds once a long-lived reader has made the log large.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** So many pages, 16 MiB, are left in the log before they are copied. */
export const copiedPages = 4000
/** Should the thread fail, the writer itself copies a log of this many pages at the end of a COMMIT. */
export const automaticPages = 4 * copiedPages
const mebibyte = 1024 * 1024
/** SQLite cuts the file to this size when it restarts the log. */
export const largeLogBytes = 64 * mebibyte
const lookEveryMs = 20
const afterFailureMs = 60_000
/** How often it is tried again while a reader needs the log. */
const pauseMs = 200
/** How long the thread is kept when there is nothing to copy. */
const idleMs = 30_000

/** `log` pages are in the log, of which `checkpointed` are in the file; -1 while somebody else copies it. */
export interface Progress {
  readonly log: number
  readonly checkpointed: number
}

export interface CheckpointTask {
  readonly file: string
}

/** The control over its log that a writer offers. */
export interface CheckpointedWriter {
  logProgress(): Progress
  /** Sets whether the writer itself copies the log at the end of a COMMIT. */
  setAutomatic(isAutomatic: boolean): void
}

const isComplete = ({ log, checkpointed }: Progress) => log === checkpointed && log >= 0

/** The thread as the service sees it: it copies what is in the log when it is asked. */
class CopyingThread {
  readonly #worker: Worker
  #settle: { resolve(progress: Progress): void; reject(error: Error): void } | undefined
  isGone = false

  constructor(task: CheckpointTask) {
    this.#worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
    })
    this.#worker.unref()
    this.#worker.on('message', (progress: Progress) => this.#settle?.resolve(progress))
    this.#worker.once('error', (error: Error) => this.#settle?.reject(error))
    this.#worker.once('exit', () => {
      this.isGone = true
      this.#settle?.reject(new Error('the thread that copies the log has ended'))
    })
  }

  /** @param isAwaited whether the process must not end before that. */
  async copy(isAwaited: boolean): Promise<Progress> {
    if (isAwaited) this.#worker.ref()
    try {
      return await new Promise<Progress>((resolve, reject) => {
        this.#settle = { resolve, reject }
        if (this.isGone) reject(new Error('the thread that copies the log has ended'))
        else this.#worker.postMessage('copy', [])
      })
    } finally {
      this.#settle = undefined
      this.#worker.unref()
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

export class Checkpoints {
  readonly #file: string
  readonly #writer: CheckpointedWriter
  #thread: CopyingThread | undefined
  #idle: NodeJS.Timeout | undefined
  #copying: Promise<void> | undefined
  #nextLookAt = 0
  readonly #stopping = new AbortController()

  /** Resolves when the writer may continue; undefined if it may at once. */
  holding: Promise<void> | undefined

  constructor(file: string, writer: CheckpointedWriter) {
    this.#file = file
    this.#writer = writer
  }

  get isRunning(): boolean {
    return this.#copying !== undefined
  }

  /** Has the log copied if it is long enough; called after commits. */
  look(): void {
    if (this.#copying !== undefined || this.#stopping.signal.aborted || performance.now() < this.#nextLookAt) return
    this.#nextLookAt = performance.now() + lookEveryMs
    if (this.#pagesLeft() < copiedPages) return
    this.#copying = this.#copy().finally(() => {
      this.#copying = undefined
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#idle)
    await this.#thread?.end()
    await this.#copying
  }

  #pagesLeft(): number {
    try {
      const { log, checkpointed } = this.#writer.logProgress()
      return log - checkpointed
    } catch {
      // It is asked again soon, and must not fail the commit before it.
      return 0
    }
  }

  async #copy(): Promise<void> {
    clearTimeout(this.#idle)
    this.#writer.setAutomatic(false)
    try {
      const thread = (this.#thread ??= new CopyingThread({ file: this.#file }))
      while (!isComplete(await thread.copy(false))) {
        await sleep(pauseMs, undefined, { ref: false, signal: this.#stopping.signal })
      }
      // What was committed meanwhile is copied while the writer pauses, because the log restarts only when all of it is in the file.
      const rest = thread.copy(true)
      this.holding = rest.then(
        () => undefined,
        () => undefined,
      )
      await rest
      this.#idle = setTimeout(() => this.#endThread(), idleMs).unref()
    } catch {
      // The disk has failed, or the thread has. If it is the disk, the writer finds out.
      this.#nextLookAt = performance.now() + afterFailureMs
      this.#endThread()
    } finally {
      this.holding = undefined
      this.#writer.setAutomatic(true)
    }
  }

  #endThread(): void {
    void this.#thread?.end()
    this.#thread = undefined
  }
}
