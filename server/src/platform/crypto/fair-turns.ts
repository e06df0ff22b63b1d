// Shares a scarce resource between owners according to the work already done for each, so that an owner with few tasks waits only briefly,
// whatever the others ask for.
import { Unavailable } from '../unavailable.ts'

/** The queue is full; the caller should try again in a moment. */
export class TurnsSaturated extends Unavailable {
  override readonly name = 'TurnsSaturated'
  constructor() {
    super('too much is waiting for its turn')
  }
}

export interface Work {
  /** Estimated duration in milliseconds. */
  readonly ms: number
  /** At most one heavy task runs at a time. */
  readonly isHeavy: boolean
}

export interface FairTurns {
  /**
   * Runs the task when it is its owner's turn, and settles as the task does.
   * @throws TurnsSaturated when too much is waiting, or when a waiting task had to make room. The task was then never started.
   */
  run<T>(owner: string, work: Work, task: () => Promise<T>): Promise<T>
  /** How much is running and waiting at this moment, and how many tasks were refused since the start. */
  readonly load: TurnsLoad
}

export interface TurnsLoad {
  readonly running: number
  readonly waiting: number
  readonly refused: number
}

export interface FairTurnsOptions {
  /** How many tasks run at once. */
  readonly concurrency: number
  /** How many more may wait, over all owners. */
  readonly queueMax: number
  /** How much work of one owner may wait, in milliseconds; a single task may exceed it. */
  readonly ownerQueueMs: number
}

interface Waiting {
  readonly work: Work
  readonly start: () => void
  readonly refuse: (error: TurnsSaturated) => void
}

interface Queue {
  readonly tasks: Waiting[]
  ms: number
  /** The virtual time at which the next task of this owner is due. */
  dueAt: number
}

/** Owners without waiting tasks who have recently had more than their share. */
const debtorsMax = 1000

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996). Virtual time is the due time of the task that was started last. An owner's next
 * task is due when the previous one would have ended, had the owner been alone. A new owner's task is due now, so that nobody saves up
 * turns. Among an owner's tasks the first that may run is started. When the queue is full, the owner with the most waiting tasks gives up
 * its newest one to an owner with at least two fewer.
 */
class Turns implements FairTurns {
  readonly #options: FairTurnsOptions
  /** The queues of owners with waiting tasks; none is empty. */
  readonly #queues = new Map<string, Queue>()
  /** When owners with an empty queue are due, if that is later than now. */
  readonly #debtors = new Map<string, number>()
  #now = 0
  #running = 0
  #isHeavyRunning = false
  #waiting = 0
  #refused = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  get load(): TurnsLoad {
    return { running: this.#running, waiting: this.#waiting, refused: this.#refused }
  }

  async run<T>(owner: string, work: Work, task: () => Promise<T>): Promise<T> {
    const isAtOnce = this.#running < this.#options.concurrency && this.#mayRun(work)
    // A finished task hands its place over directly, so that no newcomer takes it.
    if (isAtOnce) this.#begin(owner, this.#dueAt(owner), work)
    else await this.#wait(owner, work)
    try {
      return await task()
    } finally {
      this.#running--
      if (work.isHeavy) this.#isHeavyRunning = false
      this.#startWaiting()
    }
  }

  readonly #mayRun = ({ isHeavy }: Work) => !isHeavy || !this.#isHeavyRunning

  readonly #dueAt = (owner: string) =>
    Math.max(this.#queues.get(owner)?.dueAt ?? this.#debtors.get(owner) ?? 0, this.#now)

  #begin(owner: string, dueAt: number, { ms, isHeavy }: Work) {
    this.#running++
    if (isHeavy) this.#isHeavyRunning = true
    this.#now = Math.max(this.#now, dueAt)
    const queue = this.#queues.get(owner)
    if (queue !== undefined) queue.dueAt = dueAt + ms
    else this.#owe(owner, dueAt + ms)
  }

  #owe(owner: string, dueAt: number) {
    this.#debtors.delete(owner)
    if (dueAt > this.#now) this.#debtors.set(owner, dueAt)
    if (this.#debtors.size <= debtorsMax) return
    for (const [each, until] of this.#debtors) if (until <= this.#now) this.#debtors.delete(each)
    const [oldest] = this.#debtors.keys()
    if (this.#debtors.size > debtorsMax && oldest !== undefined) this.#debtors.delete(oldest)
  }

  #wait(owner: string, work: Work): Promise<void> {
    const { queueMax, ownerQueueMs } = this.#options
    const ownMs = this.#queues.get(owner)?.ms ?? 0
    const isTooMuch = ownMs > 0 && ownMs + work.ms > ownerQueueMs
    if (isTooMuch || (this.#waiting >= queueMax && !this.#makeRoom(owner))) {
      this.#refused++
      throw new TurnsSaturated()
    }
    let queue = this.#queues.get(owner)
    if (queue === undefined) {
      queue = { tasks: [], ms: 0, dueAt: this.#dueAt(owner) }
      this.#queues.set(owner, queue)
      this.#debtors.delete(owner)
    }
    const { tasks } = queue
    queue.ms += work.ms
    this.#waiting++
    return new Promise((start, refuse) => tasks.push({ work, start, refuse }))
  }

  /** Removes a task from its queue. */
  #remove(owner: string, queue: Queue, index: number): Waiting | undefined {
    const [task] = queue.tasks.splice(index, 1)
    if (task === undefined) return undefined
    this.#waiting--
    queue.ms -= task.work.ms
    if (queue.tasks.length === 0) {
      this.#queues.delete(owner)
      this.#owe(owner, queue.dueAt)
    }
    return task
  }

  /** Makes room for one more task of this owner, if another owner has more than its share. */
  #makeRoom(owner: string): boolean {
    let longest: readonly [string, Queue] | undefined
    for (const each of this.#queues) {
      if (longest === undefined || each[1].tasks.length > longest[1].tasks.length) longest = each
    }
    if (longest === undefined) return false
    const { length } = longest[1].tasks
    if (length <= (this.#queues.get(owner)?.tasks.length ?? 0) + 1) return false
    this.#refused++
    this.#remove(...longest, length - 1)?.refuse(new TurnsSaturated())
    return true
  }

  /** Among the tasks that may run, returns one of the owner who is due first. */
  #next(): { owner: string; queue: Queue; index: number } | undefined {
    let next: { owner: string; queue: Queue; index: number } | undefined
    for (const [owner, queue] of this.#queues) {
      if (next !== undefined && queue.dueAt >= next.queue.dueAt) continue
      const index = queue.tasks.findIndex(({ work }) => this.#mayRun(work))
      if (index !== -1) next = { owner, queue, index }
    }
    return next
  }

  #startWaiting() {
    while (this.#running < this.#options.concurrency) {
      const next = this.#next()
      if (next === undefined) break
      const { owner, queue, index } = next
      // A task that waited for another heavy task starts after its due time; this gives its owner no advantage afterwards.
      const dueAt = Math.max(queue.dueAt, this.#now)
      const task = this.#remove(owner, queue, index)
      if (task === undefined) break
      this.#begin(owner, dueAt, task.work)
      // Placed behind owners who are due at the same time.
      if (this.#queues.delete(owner)) this.#queues.set(owner, queue)
      task.start()
    }
    if (this.#running === 0) {
      this.#now = 0
      this.#debtors.clear()
    }
  }
}

/** @throws RangeError for bounds that make no sense */
export function createFairTurns(options: FairTurnsOptions): FairTurns {
  const { concurrency, queueMax, ownerQueueMs } = options
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new RangeError('concurrency must be a whole number above 0')
  if (!Number.isInteger(queueMax) || queueMax < 0) throw new RangeError('queueMax must be a whole number')
  if (!(ownerQueueMs >= 0)) throw new RangeError('ownerQueueMs must be a number')
  return new Turns(options)
}
