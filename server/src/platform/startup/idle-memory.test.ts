import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { collectStart, pauseOptimizing, resumeOptimizing } from './idle-memory.ts'

/** `OptimizationStatus::kOptimized` of V8's runtime-test functions. */
const optimized = 1 << 4
const calls = 200_000

setFlagsFromString('--allow-natives-syntax')
// On a busy machine the concurrent compiler thread may come too late for any number of calls.
setFlagsFromString('--no-concurrent-recompilation')
const statusOf = runInThisContext('(f) => %GetOptimizationStatus(f)') as (f: unknown) => number

/** A new function each time, called until V8 has every reason to optimise it. */
function isOptimizedWhenHot(): boolean {
  const add = runInThisContext(
    '(one, other) => { let sum = 0; for (let i = 0; i < 10; i++) sum += one ^ other; return sum }',
  ) as (one: number, other: number) => number
  for (let count = 0; count < calls; count++) {
    add(count, 1)
    if (count % 1000 === 0 && (statusOf(add) & optimized) !== 0) return true
  }
  return false
}

it('is done again after a pause, and not during it', () => {
  assert.ok(isOptimizedWhenHot())
  pauseOptimizing()
  assert.ok(!isOptimizedWhenHot())
  resumeOptimizing()
  assert.ok(isOptimizedWhenHot())
})

it('drops the code of what ran at the start only, which runs again when it is called', () => {
  const ranOnce = runInThisContext(
    '(function ranOnce(number) { return [number, number].map((each) => each + 1) })',
  ) as (number: number) => number[]
  assert.deepEqual(ranOnce(1), [2, 2])
  const before = getHeapCodeStatistics().bytecode_and_metadata_size
  collectStart()
  assert.ok(getHeapCodeStatistics().bytecode_and_metadata_size < before / 2)
  assert.deepEqual(ranOnce(2), [3, 3])
})
