// What the service promises within some time, tested on a machine that may stand still for longer.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const triesMax = 4

/**
 * Makes a try that must succeed within a time. One that fails and has taken longer shows nothing about the service, for the machine may have
 * stood still meanwhile: then it is repeated. A service that breaks the promise fails each time.
 * @param attempt begins anew each time; `begin` starts the time again, after preparations.
 */
export async function inTime<T>(msMax: number, attempt: (begin: () => void) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    let startedAt = performance.now()
    try {
      return await attempt(() => {
        startedAt = performance.now()
      })
    } catch (error) {
      if (tries === triesMax || performance.now() - startedAt <= msMax) throw error
    }
  }
}

/** The second within which nodes learn of changes, and some more for a busy machine. */
const knownMsMax = 1000 + 2000
const lookEveryMs = 10
/** A look that takes longer was made by a machine that stood still, and counts no more than this. */
const lookMsMax = 250

/** Waits until another node has learnt of a change, and fails when it asked for long enough to expect that. */
export async function untilKnown(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; ;) {
    const startedAt = performance.now()
    if (await isSo()) return
    if (waitedMs > knownMsMax) assert.fail(`waited in vain until ${what}`)
    await sleep(lookEveryMs)
    waitedMs += Math.min(performance.now() - startedAt, lookMsMax)
  }
}
