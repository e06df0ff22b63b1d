// Counts the requests that are being answered, so that a stop can wait for them.
import type { ServerResponse } from 'node:http'

export interface RequestsUnderWay {
  /** Counts a request until its answer is sent or its connection is gone. */
  add(response: ServerResponse): void
  /** Resolves as soon as no request is under way. */
  end(): Promise<void>
}

export function createRequestsUnderWay(): RequestsUnderWay {
  let count = 0
  let resolveEnd: (() => void) | undefined
  // One function for all requests instead of a closure for each, because every request passes through here.
  const left = () => {
    count--
    if (count === 0) resolveEnd?.()
  }
  return {
    add(response) {
      count++
      response.on('close', left)
    },
    end() {
      return new Promise((resolve) => {
        resolveEnd = resolve
        if (count === 0) resolve()
      })
    },
  }
}
