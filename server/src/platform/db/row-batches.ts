const largestBatch = 256

/**
 * Splits rows into batches whose sizes are powers of two, 256 at most. A statement over a batch then has one of nine texts, however
 * many rows there are; both engines keep each text that they have prepared.
 */
export function rowBatches<Row>(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = []
  let start = 0
  for (let size = largestBatch; size >= 1; size /= 2) {
    while (rows.length - start >= size) {
      batches.push(rows.slice(start, start + size))
      start += size
    }
  }
  return batches
}
