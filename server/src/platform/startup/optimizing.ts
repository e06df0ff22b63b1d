// A start runs much code a few times. V8 takes some of that for hot, and its optimising compilers leave some 12 MB behind in an
// idle process: their own code, and what they needed meanwhile. What is hot while requests are served is found out then.
import { setFlagsFromString } from 'node:v8'

/** Leaves functions to the interpreter and the baseline compiler, which remembers what it saw of them, until {@link resumeOptimizing}. */
export function pauseOptimizing() {
  setFlagsFromString('--no-opt')
  setFlagsFromString('--no-maglev')
}

export function resumeOptimizing() {
  setFlagsFromString('--opt')
  setFlagsFromString('--maglev')
}
