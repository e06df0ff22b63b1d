// The requests that are being answered, so that a stop can wait for them while new ones still learn that it is stopping.
import type { ServerResponse } from 'node:http'

export interface RequestsUnderWay {
  /** Counts a request until its answer is sent or its connection is gone. */
  add(response: ServerResponse): void
  /** Resolves when no request that came before this call is under way. */
  drain(): Promise<void>
  /** Resolves when none is under way at all. */
  end(): Promise<void>
}

export function createRequestsUnderWay(): RequestsUnderWay {
  let isDraining = false
  let early = 0
  let late = 0
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  const until = (isDone: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isDone()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })

  // Two functions for all requests instead of a closure for each: this is on every request's path.
  const earlyLeft = () => {
    early--
    if (isDraining) wake()
  }
  const lateLeft = () => {
    late--
    wake()
  }
  return {
    add(response) {
      if (isDraining) late++
      else early++
      response.on('close', isDraining ? lateLeft : earlyLeft)
    },
    drain() {
      isDraining = true
      return until(() => early === 0)
    },
    end() {
      isDraining = true
      return until(() => early + late === 0)
    },
  }
}
