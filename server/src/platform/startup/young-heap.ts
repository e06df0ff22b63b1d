// Bounds the young part of V8's heap. On a machine with much memory V8 lets it grow to 64 MB and more under load and keeps that, though
// requests are answered no faster for it. Node takes the bound (--max-semi-space-size) only when it starts, and each of the ways to start
// the service would have to give it; how fast the part grows can be set at any time. It also keeps new objects in that part.
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Two halves of 8 MB. */
const bytesMax = 16 * 1024 * 1024
/** V8's own. */
const growthFactor = 2

/** Returns the size of the young part of the heap, in bytes. */
export const youngHeapBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0

/** Keeps the young part of the heap within its bound: it shrinks and grows again as before, up to there. Returns a function that stops it. */
export function boundYoungHeap(): () => void {
  let factor = growthFactor
  const setFactor = (next: number) => {
    if (next === factor) return
    factor = next
    setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  }
  // It can grow at each collection of garbage.
  const observer = new PerformanceObserver(() => setFactor(youngHeapBytes() < bytesMax ? growthFactor : 1))
  observer.observe({ entryTypes: ['gc'] })
  return () => {
    observer.disconnect()
    setFactor(growthFactor)
  }
}

/**
 * Lets every object begin in the young part. V8 otherwise finds out which code makes objects that survive, and lets these begin in the old
 * part. All requests that are being answered survive, so V8 concludes that from some of them, and never takes it back. What a finished
 * request leaves is then old, and keeps what it refers to, until the whole heap is marked.
 */
export function allocateYoung() {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
