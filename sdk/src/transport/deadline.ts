// Time limits with what every runtime has: AbortController and setTimeout.

export interface Deadline {
  /** Aborts when the time is over, or with the caller's own signal. */
  readonly signal: AbortSignal
  isOver(): boolean
  /** Starts the time again. */
  restart(): void
  /** Stops the time until it is started again. */
  hold(): void
  /** Must be called in any case, so that nothing is left behind. */
  clear(): void
}

export function startDeadline(timeoutMs: number, callerSignal?: AbortSignal): Deadline {
  const controller = new AbortController()
  let isOver = false
  const expire = () => {
    isOver = true
    controller.abort(new Error(`no response within ${timeoutMs} ms`))
  }
  let timer = setTimeout(expire, timeoutMs)
  const follow = () => controller.abort(callerSignal?.reason)
  if (callerSignal?.aborted === true) follow()
  callerSignal?.addEventListener('abort', follow, { once: true })
  const hold = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    isOver: () => isOver,
    hold,
    restart() {
      hold()
      timer = setTimeout(expire, timeoutMs)
    },
    clear() {
      hold()
      callerSignal?.removeEventListener('abort', follow)
    },
  }
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) return stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}
