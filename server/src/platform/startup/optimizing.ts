// The start runs much code a few times. V8 takes some of it for hot, and its optimising compilers leave some 12 MB behind in an idle
// process: the compiled code and their working memory. The code that is hot while serving requests is optimised later.
import { setFlagsFromString } from 'node:v8'

/** Leaves functions to the interpreter and the baseline compiler, which still collects type feedback, until {@link resumeOptimizing}. */
export function pauseOptimizing() {
  setFlagsFromString('--no-opt')
  setFlagsFromString('--no-maglev')
}

export function resumeOptimizing() {
  setFlagsFromString('--opt')
  setFlagsFromString('--maglev')
}
