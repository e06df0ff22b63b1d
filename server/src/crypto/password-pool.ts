// Password hashing takes a core each: without a bound a storm of sign-ins would starve everything else, and without turns one
// tenant's storm would starve the others.

/** No turn is free in time: the caller should try again in a moment. */
export class PoolSaturated extends Error {
  constructor() {
    super('too many passwords are waiting to be checked')
    this.name = 'PoolSaturated'
  }
}

export interface PasswordPool {
  /**
   * Runs the task when it is the tenant's turn and settles as the task does.
   * @throws PoolSaturated when the queue is full, also for a task that waited and had to make room; it never began.
   */
  run<T>(tenantId: string, task: () => Promise<T>): Promise<T>
}

export interface PasswordPoolOptions {
  /** How many tasks run at once. */
  readonly concurrency: number
  /** How many more may wait, over all tenants. */
  readonly queueMax: number
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (error: PoolSaturated) => void
}

/**
 * Tenants take turns, one task each. When the queue is full, the tenant with the longest queue gives up its newest place to a
 * tenant that has at least two fewer waiting.
 */
export function createPasswordPool({ concurrency, queueMax }: PasswordPoolOptions): PasswordPool {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new RangeError('concurrency must be a whole number above 0')
  if (!Number.isInteger(queueMax) || queueMax < 0) throw new RangeError('queueMax must be a whole number')
  /** In the order of turns; no queue is empty. */
  const queues = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  function startNext() {
    const next = queues.entries().next().value
    if (next === undefined) return
    const [tenantId, queue] = next
    const task = queue.shift()
    queues.delete(tenantId)
    if (queue.length > 0) queues.set(tenantId, queue)
    waiting--
    task?.start()
  }

  /** Frees a place for one more task of this tenant, if another has more than its share. */
  function makeRoom(tenantId: string): boolean {
    let longestTenant = ''
    let longest: Waiting[] = []
    for (const [each, queue] of queues) {
      if (queue.length > longest.length) [longestTenant, longest] = [each, queue]
    }
    if (longest.length <= (queues.get(tenantId)?.length ?? 0) + 1) return false
    longest.pop()?.refuse(new PoolSaturated())
    if (longest.length === 0) queues.delete(longestTenant)
    waiting--
    return true
  }

  function turnOf(tenantId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = queues.get(tenantId)
      if (queue === undefined) queues.set(tenantId, [{ start: resolve, refuse: reject }])
      else queue.push({ start: resolve, refuse: reject })
      waiting++
    })
  }

  return {
    async run(tenantId, task) {
      if (running < concurrency) running++
      else {
        if (waiting >= queueMax && !makeRoom(tenantId)) throw new PoolSaturated()
        // Whoever finishes hands its place over, so that no newcomer slips in between.
        await turnOf(tenantId)
      }
      try {
        return await task()
      } finally {
        if (waiting > 0) startNext()
        else running--
      }
    },
  }
}
