// Workers by need: started when there is something to do, ended when there has been nothing for a while, replaced when one
// dies. Whoever asks waits in a line that is bounded, or is told to come back.
import { availableParallelism } from 'node:os'
import type { MadeImage } from './engine.ts'
import { FairQueue } from './fair-queue.ts'
import { ImageError } from './image-error.ts'
import { type ImageBytes, type MakeOrder, type WorkerResult, type WorkerTask, bytesOf } from './messages.ts'
import type { ImageInfo } from './source.ts'
import { type WorkerLimits, WorkerProcess } from './worker-process.ts'

export interface PoolSettings extends WorkerLimits {
  readonly workers: number
  readonly idleMs: number
  /** How many may wait, altogether and of one owner, and how many bytes they may hold meanwhile. */
  readonly waitingMax: number
  readonly waitingOfOwnerMax: number
  readonly waitingBytesMax: number
}

const megabyte = 2 ** 20
/** A worker that holds more than this share of its memory when it is done is replaced: allocators rarely give all back. */
const restedShare = 0.5

const defaults = (): PoolSettings => ({
  // One more than there are cores: while it takes its next image, no core stands still.
  workers: availableParallelism() + 1,
  memoryBytes: 512 * megabyte,
  taskMs: 10_000,
  idleMs: 60_000,
  waitingMax: 256,
  waitingOfOwnerMax: 128,
  waitingBytesMax: 256 * megabyte,
})

interface Waiting {
  readonly task: WorkerTask
  readonly bytes: number
  readonly resolve: (result: WorkerResult) => void
  readonly reject: (error: unknown) => void
}

export class ImagePool {
  readonly #settings: PoolSettings
  readonly #queue = new FairQueue<Waiting>()
  readonly #busy = new Set<WorkerProcess>()
  readonly #idle = new Map<WorkerProcess, NodeJS.Timeout>()
  #waitingBytes = 0
  #isClosed = false

  constructor(settings: Partial<PoolSettings> = {}) {
    this.#settings = { ...defaults(), ...settings }
  }

  /** The workers there are; for measuring. */
  get pids(): number[] {
    return [...this.#busy, ...this.#idle.keys()].flatMap(({ pid }) => pid ?? [])
  }

  get waiting(): number {
    return this.#queue.size
  }

  /**
   * What the header of an image says. The owner is whose turn it takes: a tenant.
   * @throws ImageError any
   */
  async inspect(owner: string, source: ImageBytes, isSvg = false): Promise<ImageInfo> {
    const result = await this.#do(owner, { type: 'inspect', source, isSvg })
    if (result.type !== 'info') throw unexpected(result)
    return result.info
  }

  /** @throws ImageError any */
  async make(owner: string, order: MakeOrder): Promise<MadeImage> {
    const result = await this.#do(owner, { type: 'make', ...order })
    if (result.type !== 'image') throw unexpected(result)
    return result.image
  }

  /** Ends the workers; what waits or is under way fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      next.reject(new ImageError('pool_closed', 'The service stops.'))
    }
    const workers = [...this.#busy, ...this.#idle.keys()]
    for (const worker of workers) worker.end()
    await Promise.all(workers.map(({ gone }) => gone))
  }

  #do(owner: string, task: WorkerTask): Promise<WorkerResult> {
    const bytes = bytesOf(task)
    if (this.#isClosed) return Promise.reject(new ImageError('pool_closed', 'The service stops.'))
    if (this.#isFull(owner, bytes)) {
      return Promise.reject(new ImageError('pool_busy', 'Too many images are waiting to be processed.'))
    }
    return new Promise((resolve, reject) => {
      this.#waitingBytes += bytes
      this.#queue.push(owner, { task, bytes, resolve, reject })
      this.#serve()
    })
  }

  #isFull(owner: string, bytes: number): boolean {
    if (this.#busy.size < this.#settings.workers) return false
    return (
      this.#queue.size >= this.#settings.waitingMax ||
      this.#queue.sizeOf(owner) >= this.#settings.waitingOfOwnerMax ||
      this.#waitingBytes + bytes > this.#settings.waitingBytesMax
    )
  }

  #serve(): void {
    while (this.#busy.size < this.#settings.workers) {
      const next = this.#queue.shift()
      if (next === undefined) return
      this.#waitingBytes -= next.bytes
      void this.#give(this.#takeWorker(), next)
    }
  }

  /** The one that rested last, so that the others may end. */
  #takeWorker(): WorkerProcess {
    const [worker, timer] = [...this.#idle].at(-1) ?? []
    clearTimeout(timer)
    if (worker !== undefined) this.#idle.delete(worker)
    const taken = worker ?? this.#startWorker()
    this.#busy.add(taken)
    return taken
  }

  #startWorker(): WorkerProcess {
    const worker = new WorkerProcess(this.#settings)
    void worker.gone.then(() => {
      clearTimeout(this.#idle.get(worker))
      this.#idle.delete(worker)
    })
    return worker
  }

  async #give(worker: WorkerProcess, { task, resolve, reject }: Waiting): Promise<void> {
    try {
      const { result, residentBytes } = await worker.run(task)
      this.#busy.delete(worker)
      if (residentBytes > this.#settings.memoryBytes * restedShare || this.#isClosed) worker.end()
      else this.#rest(worker)
      resolve(result)
    } catch (error) {
      this.#busy.delete(worker)
      worker.end()
      reject(error)
    }
    this.#serve()
  }

  #rest(worker: WorkerProcess): void {
    const timer = setTimeout(() => {
      this.#idle.delete(worker)
      worker.end()
    }, this.#settings.idleMs)
    timer.unref()
    this.#idle.set(worker, timer)
  }
}

const unexpected = (result: WorkerResult) =>
  result.type === 'error'
    ? new ImageError(result.code, result.message)
    : new ImageError('engine_failure', `a worker answered with ${result.type}`)
