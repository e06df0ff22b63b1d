import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowBatches } from './row-batches.ts'

describe('rowBatches', () => {
  it('keeps every row in its order, in batches of few sizes', () => {
    const sizes = new Set<number>()
    for (let count = 0; count <= 1100; count++) {
      const rows = Array.from({ length: count }, (_, index) => index)
      const batches = rowBatches(rows)
      assert.deepEqual(batches.flat(), rows)
      for (const { length } of batches) sizes.add(length)
    }
    assert.deepEqual(
      [...sizes].toSorted((one, other) => one - other),
      [1, 2, 4, 8, 16, 32, 64, 128, 256],
    )
  })
})
