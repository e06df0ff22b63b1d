// A long-lived reader keeps SQLite from emptying the write-ahead log, which then grows. Copying gigabytes of it into the database file
// within a COMMIT would block the event loop for seconds, so a thread does it.
import { Worker } from 'node:worker_threads'

/** The writer itself copies a log of up to this many pages, 16 MiB, at the end of a COMMIT. That takes some milliseconds. */
export const smallLogPages = 4000
const mebibyte = 1024 * 1024
/** The thread copies a larger log. SQLite cuts the file to this size when it restarts the log. */
export const largeLogBytes = 64 * mebibyte

export interface CheckpointTask {
  readonly file: string
}

/** The control over its log that a writer offers. */
export interface CheckpointedWriter {
  /** Returns the size of the log file in bytes. */
  logBytes(): number
  /** Sets whether the writer itself copies the log at the end of a COMMIT. */
  setAutomatic(isAutomatic: boolean): void
}

export class Checkpoints {
  readonly #file: string
  readonly #writer: CheckpointedWriter
  readonly #largeBytes: number
  #thread: Worker | undefined

  constructor(file: string, writer: CheckpointedWriter, largeBytes = largeLogBytes) {
    this.#file = file
    this.#writer = writer
    this.#largeBytes = largeBytes
  }

  get isRunning(): boolean {
    return this.#thread !== undefined
  }

  /** Starts the thread if the log has become large; called after commits. */
  look(): void {
    if (this.#thread !== undefined || this.#writer.logBytes() <= this.#largeBytes) return
    const task: CheckpointTask = { file: this.#file }
    const thread = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: task })
    this.#thread = thread
    this.#writer.setAutomatic(false)
    thread.unref()
    // The thread may have succeeded or failed; either way the writer can copy the log again.
    thread.on('error', () => undefined)
    thread.once('exit', () => {
      if (this.#thread !== thread) return
      this.#thread = undefined
      this.#writer.setAutomatic(true)
    })
  }

  async stop(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}
