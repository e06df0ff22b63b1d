import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createIdleCollector } from './collect-when-idle.ts'

it('collects garbage once after each load that has left something, and not while there are requests', () => {
  const mebibyte = 1024 * 1024
  const seen = { share: 0, bytes: 50 * mebibyte, collected: 0 }
  const look = createIdleCollector({
    utilization: () => seen.share,
    heapBytes: () => seen.bytes,
    collect: () => {
      seen.collected++
      seen.bytes = 60 * mebibyte
    },
  })
  const collectedAfter = (share: number, megabytes: number) => {
    Object.assign(seen, { share, bytes: megabytes * mebibyte })
    look()
    return seen.collected
  }
  assert.equal(collectedAfter(0.1, 100), 0, 'a few requests, no load before')
  assert.equal(collectedAfter(0, 100), 0, 'idle, no load before')
  assert.equal(collectedAfter(0.9, 200), 0, 'a load')
  assert.equal(collectedAfter(0.1, 200), 0, 'a few requests after it')
  assert.equal(collectedAfter(0, 200), 1, 'idle after it')
  assert.equal(collectedAfter(0, 200), 1, 'still idle')
  assert.equal(collectedAfter(0.5, 70), 1, 'another load')
  assert.equal(collectedAfter(0, 70), 1, 'which has left little')
})
