const largestBatch = 256

/**
 * Splits rows into batches whose sizes are powers of two, up to 256. Statements over batches then have only nine different texts, however
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
