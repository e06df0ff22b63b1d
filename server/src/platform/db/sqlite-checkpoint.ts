// A reader that stays open keeps SQLite from emptying the write-ahead log, which grows meanwhile. To move gigabytes of it into the
// database file within a COMMIT would then stop the event loop for seconds, so a thread does it.
import { Worker } from 'node:worker_threads'

/** The writer itself moves a log of so many pages at the end of a COMMIT, 16 MiB: some milliseconds. */
export const smallLogPages = 4000
const mebibyte = 1024 * 1024
/** A log that is larger is the thread's. SQLite cuts the file to this size when it begins the log anew. */
export const largeLogBytes = 64 * mebibyte

export interface CheckpointTask {
  readonly file: string
}

/** What a writer lets happen to its log. */
export interface CheckpointedWriter {
  /** How many bytes the file of the log has. */
  logBytes(): number
  /** Whether the writer itself moves the log at the end of a COMMIT. */
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

  /** Starts the thread where the log has become large; to be called after commits. */
  look(): void {
    if (this.#thread !== undefined || this.#writer.logBytes() <= this.#largeBytes) return
    const task: CheckpointTask = { file: this.#file }
    const thread = new Worker(new URL('./sqlite-checkpoint-worker.ts', import.meta.url), { workerData: task })
    this.#thread = thread
    this.#writer.setAutomatic(false)
    thread.unref()
    // Whether it has done its work or failed: the writer is able to do it too.
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
