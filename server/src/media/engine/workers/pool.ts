// Starts workers when there is something to do, ends them when there has been nothing for a while, and replaces those that die. Tasks wait
// in a bounded queue; when it is full, callers are told to come back.
import { availableParallelism } from 'node:os'
import { FairQueue } from '../../../platform/turns/fair-queue.ts'
import { RecentUse } from '../../../platform/turns/turns-by-use.ts'
import type { MadeImage } from '../engine.ts'
import { ImageError } from '../image-error.ts'
import {
  type DistantOrder,
  type ImageBytes,
  type MakeOrder,
  type WorkerResult,
  type WorkerTask,
  bytesOf,
} from '../messages.ts'
import type { ImageInfo } from '../source.ts'
import { SlowSources } from './slow-sources.ts'
import { type WorkerLimits, WorkerProcess } from './worker-process.ts'

export interface PoolSettings extends WorkerLimits {
  readonly workers: number
  /** How many of them may work for one owner, and for all owners together whose images take much time. */
  readonly workersOfOwner: number
  readonly idleMs: number
  /** How many tasks may wait, in total and for one owner, and how many bytes they may hold meanwhile. */
  readonly waitingMax: number
  readonly waitingOfOwnerMax: number
  readonly waitingBytesMax: number
}

const megabyte = 2 ** 20
/** A worker that still holds more than this share of its memory after a task is replaced, because allocators rarely return everything. */
const restedShare = 0.5

const defaults = (): Omit<PoolSettings, 'workersOfOwner'> => ({
  // One more than there are cores, so that no core is idle while a worker takes its next image, and one that is left to others.
  workers: availableParallelism() + 2,
  memoryBytes: 512 * megabyte,
  taskMs: 10_000,
  idleMs: 60_000,
  waitingMax: 256,
  waitingOfOwnerMax: 128,
  waitingBytesMax: 256 * megabyte,
})

/**
 * How many images for each worker are under way or fetched in advance: enough that it need not wait, and no more than memory should hold.
 */
const fetchedPerWorker = 2

/** An owner whose images have recently taken a worker for longer than this is a heavy one. */
const heavyMs = 15_000
/** Use beyond this share of a worker's time is forgiven within some minutes. */
const forgivenShare = 0.1
const useMsMax = 60_000

interface Waiting {
  readonly owner: string
  readonly task: () => Promise<WorkerTask>
  readonly bytes: number
  /** Whether its bytes have not been fetched yet. */
  readonly isDistant: boolean
  readonly resolve: (result: WorkerResult) => void
  readonly reject: (error: unknown) => void
}

export class ImagePool {
  readonly #settings: PoolSettings
  readonly #queue = new FairQueue<Waiting>()
  readonly #fetched: (Waiting & { readonly ready: WorkerTask })[] = []
  #fetching = 0
  /** For each owner how many of its images are being fetched or are fetched. */
  readonly #ahead = new Map<string, number>()
  /** The owners that workers work for. */
  readonly #busy = new Map<WorkerProcess, string>()
  readonly #use = new RecentUse({ forgivenPerMs: forgivenShare, useMax: useMsMax, now: () => performance.now() })
  readonly #idle = new Map<WorkerProcess, NodeJS.Timeout>()
  readonly #slow = new SlowSources(() => performance.now())
  #waitingBytes = 0
  #isClosed = false

  constructor(settings: Partial<PoolSettings> = {}) {
    const all = { ...defaults(), ...settings }
    this.#settings = { workersOfOwner: Math.max(all.workers - 1, 1), ...all }
  }

  /** The number of workers; for measuring. */
  get pids(): number[] {
    return [...this.#busy.keys(), ...this.#idle.keys()].flatMap(({ pid }) => pid ?? [])
  }

  get waiting(): number {
    return this.#queue.size
  }

  /**
   * Returns the content of an image's header. The owner whose turn it takes is a tenant.
   * @throws ImageError any
   */
  async inspect(owner: string, source: ImageBytes, isSvg = false): Promise<ImageInfo> {
    const task: WorkerTask = { type: 'inspect', source, isSvg }
    const result = await this.#do(owner, async () => task, bytesOf(task), false)
    if (result.type !== 'info') throw unexpected(result)
    return result.info
  }

  /** @throws ImageError any; errors of `load` */
  async make(owner: string, order: MakeOrder | DistantOrder): Promise<MadeImage> {
    const result = 'load' in order ? await this.#makeDistant(owner, order) : await this.#makeNear(owner, order)
    if (result.type !== 'image') throw unexpected(result)
    return result.image
  }

  /** Ends the workers; tasks that wait or run fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#fetched.splice(0)) reject(closed())
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) next.reject(closed())
    const workers = [...this.#busy.keys(), ...this.#idle.keys()]
    for (const worker of workers) worker.end()
    await Promise.all(workers.map(({ gone }) => gone))
  }

  #makeNear(owner: string, order: MakeOrder) {
    const task: WorkerTask = { type: 'make', ...order }
    return this.#do(owner, async () => task, bytesOf(task), false)
  }

  async #makeDistant(owner: string, { load, sourceId, ...order }: DistantOrder) {
    const source = sourceId === undefined ? undefined : `${owner}/${sourceId}`
    if (source !== undefined && this.#slow.has(source)) {
      throw new ImageError('too_slow', 'The image took too much time a few minutes ago.')
    }
    try {
      return await this.#do(owner, async () => ({ type: 'make', ...order, ...(await load()) }), 0, true)
    } catch (error) {
      if (source !== undefined && error instanceof ImageError && error.code === 'too_slow') this.#slow.add(source)
      throw error
    }
  }

  #do(owner: string, task: Waiting['task'], bytes: number, isDistant: boolean): Promise<WorkerResult> {
    if (this.#isClosed) return Promise.reject(closed())
    if (this.#isFull(owner, bytes)) {
      return Promise.reject(new ImageError('pool_busy', 'Too many images are waiting to be processed.'))
    }
    return new Promise((resolve, reject) => {
      this.#waitingBytes += bytes
      this.#queue.push(owner, { owner, task, bytes, isDistant, resolve, reject })
      this.#serve()
    })
  }

  #isFull(owner: string, bytes: number): boolean {
    if (this.#underWay < this.#settings.workers && this.#mayFetch(owner)) return false
    return (
      this.#queue.size >= this.#settings.waitingMax ||
      this.#queue.sizeOf(owner) >= this.#settings.waitingOfOwnerMax ||
      this.#waitingBytes + bytes > this.#settings.waitingBytesMax
    )
  }

  get #underWay(): number {
    return this.#busy.size + this.#fetching + this.#fetched.length
  }

  #aheadOf(owner: string): number {
    return this.#ahead.get(owner) ?? 0
  }

  /** An owner fetches no more in advance than may be worked on for it, so that what others need is fetched too. */
  #mayFetch(owner: string): boolean {
    return this.#aheadOf(owner) < this.#settings.workersOfOwner
  }

  /** Neither one owner nor all heavy owners together may have all workers. */
  #mayRun(owner: string): boolean {
    const isHeavy = this.#isHeavy(owner)
    const rivals = [...this.#busy.values()].filter((each) => each === owner || (isHeavy && this.#isHeavy(each)))
    return rivals.length < this.#settings.workersOfOwner
  }

  #isHeavy(owner: string): boolean {
    return this.#use.of(owner) > heavyMs
  }

  /** Removes and returns the fetched image that has waited longest among those whose owner may have a worker. */
  #nextFetched() {
    const at = this.#fetched.findIndex(({ owner }) => this.#mayRun(owner))
    return at < 0 ? undefined : this.#fetched.splice(at, 1)[0]
  }

  #serve(): void {
    const { workers } = this.#settings
    while (this.#busy.size < workers) {
      const fetched = this.#nextFetched()
      if (fetched === undefined) break
      this.#addAhead(fetched.owner, -1)
      void this.#give(this.#takeWorker(fetched.owner), fetched.ready, fetched)
    }
    const mayFetch = (owner: string) => this.#mayFetch(owner)
    for (let next = this.#queue.peek(mayFetch); next !== undefined; next = this.#queue.peek(mayFetch)) {
      if (this.#underWay >= (next.isDistant ? workers * fetchedPerWorker : workers)) return
      this.#queue.shift(mayFetch)
      this.#waitingBytes -= next.bytes
      void this.#fetch(next)
    }
  }

  #addAhead(owner: string, change: number): void {
    const ahead = this.#aheadOf(owner) + change
    if (ahead > 0) this.#ahead.set(owner, ahead)
    else this.#ahead.delete(owner)
  }

  async #fetch(waiting: Waiting): Promise<void> {
    this.#fetching++
    this.#addAhead(waiting.owner, 1)
    try {
      const ready = await waiting.task()
      if (this.#isClosed) throw closed()
      this.#fetched.push({ ...waiting, ready })
    } catch (error) {
      this.#addAhead(waiting.owner, -1)
      waiting.reject(error)
    } finally {
      this.#fetching--
    }
    this.#serve()
  }

  /** Takes the worker that was used last, so that the others may end. */
  #takeWorker(owner: string): WorkerProcess {
    const [worker, timer] = [...this.#idle].at(-1) ?? []
    clearTimeout(timer)
    if (worker !== undefined) this.#idle.delete(worker)
    const taken = worker ?? this.#startWorker()
    this.#busy.set(taken, owner)
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

  async #give(worker: WorkerProcess, task: WorkerTask, { owner, resolve, reject }: Waiting): Promise<void> {
    const begunAt = performance.now()
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
    this.#use.add(owner, performance.now() - begunAt)
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

const closed = () => new ImageError('pool_closed', 'The service stops.')

const unexpected = (result: WorkerResult) =>
  result.type === 'error'
    ? new ImageError(result.code, result.message)
    : new ImageError('engine_failure', `a worker answered with ${result.type}`)
