// Turns of the event loop, one for each batch of all the lists that nothing bounds. If each list took a turn of its own, many of them would
// still work within the same turn, and another request would have to wait for all of them, several times.
import { setImmediate as nextTurn } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/** Resolves in a turn of the event loop in which nobody else's promise of this function resolves. */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => nextTurn())
  return last
}
