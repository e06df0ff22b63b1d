// Work of which only so much may be done at once, because each piece takes much memory.

/** More wait than will have their turn in time. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many wait for their turn')
    this.name = 'TooManyWaiting'
  }
}

/** Runs a task when it is its turn. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>

export function createTurns(atOnceMax: number, waitingMax: number): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running < atOnceMax) running++
    else if (waiting.length >= waitingMax) throw new TooManyWaiting()
    // Whoever ends hands its place over, so that no newcomer slips in between.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
