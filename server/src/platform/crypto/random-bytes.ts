// Random bytes for what is made many times a second: drawn in bulk, for a call costs far more than the bytes.
import { randomFillSync } from 'node:crypto'

const poolBytes = 4096
let pool = Buffer.alloc(0)
let next = 0

/** So many bytes, each of them given out once; a few at a time, or most of what was drawn would be thrown away. */
export function pooledRandomBytes(count: number): Buffer {
  if (next + count > pool.length) {
    // A new one, for those who were given parts of the last one may keep them.
    pool = randomFillSync(Buffer.allocUnsafeSlow(poolBytes))
    next = 0
  }
  next += count
  return pool.subarray(next - count, next)
}
