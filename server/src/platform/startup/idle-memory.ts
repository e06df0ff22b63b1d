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

/**
 * Does the same after the start, and also drops the compiled code of functions, most of which ran once. What is called again is compiled
 * again, as it would be if it had never been called.
 */
export function collectStart() {
  setFlagsFromString('--bytecode-old-age=1')
  setFlagsFromString('--flush-baseline-code')
  collectGarbage()
  // V8's own values: under load, code that is not used for a while is likely to be used again.
  setFlagsFromString('--bytecode-old-age=6')
  setFlagsFromString('--no-flush-baseline-code')
}

/**
 * The start runs much code a few times. V8 takes some of it for hot, and its optimising compilers leave some 12 MB behind in an idle
 * process: the compiled code and their working memory. The code that is hot while serving requests is optimised later. This leaves
 * functions to the interpreter and the baseline compiler, which still collects type feedback, until
 * {@link resumeOptimizing}.
 */
export function pauseOptimizing() {
  setFlagsFromString('--no-opt')
  setFlagsFromString('--no-maglev')
}

export function resumeOptimizing() {
  setFlagsFromString('--opt')
  setFlagsFromString('--maglev')
}
