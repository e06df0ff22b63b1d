import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { allocateYoung, boundYoungHeap, youngHeapBytes } from './young-heap.ts'

const mebibyte = 1024 * 1024
const digits = '0123456789'

/** Makes objects that live for a while, which is what lets the young heap grow; returns its greatest size, once that exceeds `enough`. */
async function greatestSizeUnderLoad(enough: number): Promise<number> {
  let kept: object[] = []
  let greatest = 0
  for (let turn = 0; turn < 60 && greatest <= enough; turn++) {
    if (turn % 10 === 0) kept = []
    for (let count = 0; count < 15_000; count++) kept.push({ values: Array.from(digits) })
    greatest = Math.max(greatest, youngHeapBytes())
    // A collection is reported in the second turn after it, so an observer that works has been called by the third.
    for (let turns = 0; turns < 3; turns++) await nextTurn()
  }
  return greatest
}

interface Maker {
  readonly fill: (kept: unknown[]) => void
  readonly optimize: () => void
  readonly isYoung: () => boolean
}

/** A function whose objects all begin at one place in the code, for which V8 decides where they begin. */
const maker = `(() => {
  const make = (number) => [number, 1, 2];
  return {
    fill: (kept) => { for (let count = 0; count < 20_000; count++) kept.push(make(count)); },
    optimize: () => { %PrepareFunctionForOptimization(make); make(0); %OptimizeFunctionOnNextCall(make); make(0); },
    isYoung: () => %InYoungGeneration(make(0)),
  };
})()`

/**
 * Whether a new function's objects begin in the young heap after its first ones survived. Only code that is not optimized yet lets V8 see
 * which survive. When V8 optimizes by itself depends on how busy the machine is, so here it does so at one moment.
 */
function beginsYoung(): boolean {
  setFlagsFromString('--allow-natives-syntax')
  const { fill, optimize, isYoung } = runInThisContext(maker) as Maker
  const kept: unknown[] = []
  for (const compiler of ['maglev', 'turbofan']) setFlagsFromString(`--no-${compiler}`)
  for (let turn = 0; turn < 40; turn++) fill(kept)
  for (const compiler of ['maglev', 'turbofan']) setFlagsFromString(`--${compiler}`)
  optimize()
  return isYoung()
}

it('keeps the young heap within 32 MB under load, and grows beyond that once it is stopped', async () => {
  const stop = boundYoungHeap()
  const bounded = await greatestSizeUnderLoad(Infinity)
  stop()
  const unbounded = await greatestSizeUnderLoad(bounded)
  // One more doubling may come before the observer is called.
  assert.ok(bounded <= 32 * mebibyte, `${bounded / mebibyte} MB`)
  assert.ok(unbounded > bounded, `${unbounded / mebibyte} MB after ${bounded / mebibyte} MB`)
})

it('lets objects begin in the young heap although those before them survived', () => {
  assert.ok(!beginsYoung())
  allocateYoung()
  assert.ok(beginsYoung())
})
