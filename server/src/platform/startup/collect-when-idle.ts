// Returns memory to the system after a load. V8 keeps what a load has made it take, for the next one; a process that has become idle may
// never be that busy again.
import { getHeapStatistics } from 'node:v8'
import { collectGarbage, collectStart } from './idle-memory.ts'

const lookEveryMs = 5000
/** The share of its time that the event loop is busy. */
const busyShare = 0.25
const idleShare = 0.02
const grownBytesMin = 16 * 1024 * 1024

export interface Watched {
  /** Returns the share of the time since it was called last in which the event loop was busy. */
  readonly utilization: () => number
  readonly heapBytes: () => number
  readonly collect: () => void
}

/**
 * Returns a function to be called now and then, which collects garbage once after each load: a service with a few requests at all times is
 * never stopped for it.
 */
export function createIdleCollector({ utilization, heapBytes, collect }: Watched): () => void {
  let wasBusy = false
  let keptBytes = heapBytes()
  return () => {
    const share = utilization()
    if (share >= busyShare) wasBusy = true
    if (!wasBusy || share > idleShare) return
    wasBusy = false
    if (heapBytes() < keptBytes + grownBytesMin) return
    collect()
    keptBytes = heapBytes()
  }
}

/** Collects what the start has left, and garbage again whenever the process has become idle after a load. */
export function collectWhenIdle() {
  collectStart()
  let last = performance.eventLoopUtilization()
  const look = createIdleCollector({
    utilization() {
      const before = last
      last = performance.eventLoopUtilization()
      return performance.eventLoopUtilization(last, before).utilization
    },
    heapBytes: () => getHeapStatistics().total_heap_size,
    collect: collectGarbage,
  })
  setInterval(look, lookEveryMs).unref()
}
