// Random text without bias: a byte that would favour some characters is thrown away (rejection sampling).
import { randomFillSync } from 'node:crypto'

export const base36 = '0123456789abcdefghijklmnopqrstuvwxyz'
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const poolBytes = 4096

/**
 * Creates a source of cryptographically random text. Random bytes are drawn in bulk, which is many times faster than a call for each
 * character; no byte is used twice.
 * @param alphabet 2 to 256 different ASCII characters.
 * @param fill fills a buffer with random bytes; replaced in tests only.
 */
export function createRandomText(alphabet: string, fill: (buffer: Buffer) => void = randomFillSync) {
  const codes = Buffer.from(alphabet, 'latin1')
  const acceptBelow = 256 - (256 % codes.length)
  const pool = Buffer.alloc(poolBytes)
  let next = poolBytes

  return (length: number): string => {
    const text = Buffer.allocUnsafe(length)
    for (let index = 0; index < length;) {
      if (next === poolBytes) {
        fill(pool)
        next = 0
      }
      const byte = pool[next++] as number
      if (byte < acceptBelow) text[index++] = codes[byte % codes.length] as number
    }
    return text.toString('latin1')
  }
}
