// How long a group of transactions may keep the thread. SQLite's statements run in it, so that a request which only reads would have to wait
// for the whole group. With slices it waits for one of them.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longer than most transactions, because turns of the event loop within them cost a fifth of the writes. */
export const sliceMs = 2
/** What two or three statements take. */
export const patientSliceMs = 0.1
/** COMMIT itself takes as long as one to three slices. */
export const patientSliceMsBeforeCommit = 0.05

export class Slices {
  #since = 0
  #turn: Promise<void> | undefined

  /** Whether the group leaves a turn of the event loop to others at the moment. */
  get isTurning(): boolean {
    return this.#turn !== undefined
  }

  begin(): void {
    this.#since = performance.now()
  }

  /**
   * Leaves a turn of the event loop to others if the slice has lasted that long. All who ask during that turn go on after it, in the
   * order in which they asked.
   * @returns undefined while the slice lasts, because awaiting nothing would cost a turn of the microtask queue.
   */
  next(ms: number): Promise<void> | undefined {
    if (this.#turn !== undefined) return this.#turn
    if (performance.now() - this.#since < ms) return undefined
    this.#turn = nextTurn().then(() => {
      this.#turn = undefined
      this.begin()
    })
    return this.#turn
  }
}
