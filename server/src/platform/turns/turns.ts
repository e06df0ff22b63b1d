// Limits work that needs much memory to so many tasks at once. Owners are served in turn, so that a tenant with many tasks delays only
// itself.
import { Unavailable } from '../unavailable.ts'
import { FairQueue } from './fair-queue.ts'

/** More tasks wait than can be served in time. */
export class TooManyWaiting extends Unavailable {
  override readonly name = 'TooManyWaiting'
  constructor() {
    super('too many wait for their turn')
  }
}

/** Runs a task when it is its owner's turn. */
export type Turns = <T>(owner: string, task: () => Promise<T>) => Promise<T>

export interface TurnsSettings {
  readonly atOnceMax: number
  /** Less than all places, so that no owner can take all of them. */
  readonly atOnceOfOwnerMax: number
  readonly waitingMax: number
  readonly waitingOfOwnerMax: number
}

/** @returns turns that throw TooManyWaiting when the queue is full. */
export function createTurns({ atOnceMax, atOnceOfOwnerMax, waitingMax, waitingOfOwnerMax }: TurnsSettings): Turns {
  const running = new Map<string, number>()
  const waiting = new FairQueue<() => void>()
  let places = atOnceMax
  const runningOf = (owner: string) => running.get(owner) ?? 0
  const mayRun = (owner: string) => places > 0 && runningOf(owner) < atOnceOfOwnerMax

  function begin(owner: string) {
    places--
    running.set(owner, runningOf(owner) + 1)
  }

  function end(owner: string) {
    places++
    if (runningOf(owner) === 1) running.delete(owner)
    else running.set(owner, runningOf(owner) - 1)
    for (;;) {
      const next = waiting.shift(mayRun)
      if (next === undefined) return
      next()
    }
  }

  return async (owner, task) => {
    // Waiting tasks go first, unless their owner's limit holds them up.
    if (mayRun(owner)) begin(owner)
    else if (waiting.size >= waitingMax || waiting.sizeOf(owner) >= waitingOfOwnerMax) throw new TooManyWaiting()
    else
      await new Promise<void>((resolve) =>
        waiting.push(owner, () => {
          begin(owner)
          resolve()
        }),
      )
    try {
      return await task()
    } finally {
      end(owner)
    }
  }
}
