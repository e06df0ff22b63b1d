// Repeats a background step: at once while there is more to do, otherwise after a pause.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

const failurePauseMsMax = 30_000

export interface LoopOptions {
  readonly name: string
  readonly log: Logger
  /** The pause after a step that found nothing to do. */
  readonly pauseMs: number
  /** Returns the share of time it may use while there is more to do, above 0 to 1, because requests come first. By default 1. */
  readonly share?: number | (() => number)
  /** Does a bounded amount of work and returns whether there is more. */
  readonly step: (signal: AbortSignal) => Promise<boolean>
}

export interface Loop {
  /** Runs the next step now instead of after the pause. */
  wake(): void
  /** Resolves when the running step has ended. */
  stop(): Promise<void>
}

export function startLoop({ name, log, pauseMs, share = 1, step }: LoopOptions): Loop {
  const stopping = new AbortController()
  let pausing: AbortController | undefined
  let wasWoken = false

  const pause = async (ms: number) => {
    if (wasWoken || stopping.signal.aborted) return
    pausing = new AbortController()
    // Never keeps the process alive; that is up to the code that started the loop.
    await sleep(ms, undefined, { signal: pausing.signal, ref: false }).catch(() => undefined)
    pausing = undefined
  }
  const shareNow = typeof share === 'number' ? () => share : share
  const rest = async (ms: number) => {
    if (ms > 0) await sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
  }
  const run = async () => {
    let failures = 0
    while (!stopping.signal.aborted) {
      wasWoken = false
      const startedAt = performance.now()
      try {
        const hasMore = await step(stopping.signal)
        failures = 0
        const took = performance.now() - startedAt
        if (!hasMore) await pause(pauseMs * (0.75 + Math.random() / 2))
        else await rest(took / shareNow() - took)
      } catch (err) {
        failures++
        log.warn({ err, loop: name, failures }, 'background work failed; it is tried again')
        await pause(Math.min(pauseMs * 2 ** failures, failurePauseMsMax) * (0.75 + Math.random() / 2))
      }
    }
  }
  const ended = run()

  return {
    wake() {
      wasWoken = true
      pausing?.abort()
    },
    async stop() {
      stopping.abort()
      pausing?.abort()
      await ended
    },
  }
}
