// Random bytes for frequent use. They are drawn in bulk, because a call costs far more than the bytes.
import { randomFillSync } from 'node:crypto'

const poolBytes = 4096
let pool = Buffer.alloc(0)
let next = 0

/** Returns this many bytes, each of which is given out only once. Ask for few at a time, because a partly used draw is thrown away. */
export function pooledRandomBytes(count: number): Buffer {
  if (next + count > pool.length) {
    // A new buffer, because callers may still hold parts of the last one.
    pool = randomFillSync(Buffer.allocUnsafeSlow(poolBytes))
    next = 0
  }
  next += count
  return pool.subarray(next - count, next)
}
