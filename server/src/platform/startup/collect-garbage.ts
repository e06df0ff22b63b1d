// A start leaves some 17 MB behind that nothing refers to any more; an idle process would keep them until it is next busy.
// What each of these tricks is worth: docs/decisions/0017-speed-tricks.md.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface Collect {
  (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }): void
}

/** Gives back to the system what can be given back. Takes tens of milliseconds, so it is for when nobody waits. */
export function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
