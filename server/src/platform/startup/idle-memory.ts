// The start leaves some 17 MB of unused objects, which an idle process would keep until it is next busy. For the gain of each of these
// measures, see docs/decisions/0017-speed-tricks.md.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface Collect {
  (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }): void
}

/** Returns unused memory to the system. It takes tens of milliseconds, so it should run when no request waits. */
export function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
