// Work of which only so much may be done at once, because each piece takes much memory. Whoever waits is served by owner: a tenant that
// asks for much waits for itself.
import { Unavailable } from '../unavailable.ts'
import { FairQueue } from './fair-queue.ts'

/** More wait than will have their turn in time. */
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
  /** Fewer, so that no owner has all places. */
  readonly atOnceOfOwnerMax: number
  readonly waitingMax: number
  readonly waitingOfOwnerMax: number
}

/** @returns turns that throw TooManyWaiting where more would wait than may. */
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
    // Who waits goes first, unless it is held up by its own.
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
