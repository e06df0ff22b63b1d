// Whether the session has ended while the page was open. Calls wait here until somebody has signed in again, in a second window.

type Listener = () => void

const listeners = new Set<Listener>()
let ended = false
let waiting: PromiseWithResolvers<void> | undefined

export const isEnded = (): boolean => ended

/** For useSyncExternalStore. */
export function subscribe(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(value: boolean) {
  if (ended === value) return
  ended = value
  for (const listener of listeners) listener()
}

/** Resolves once {@link continueSession} is called; rejects with the signal's reason. */
export function signedInAgain(signal?: AbortSignal): Promise<void> {
  waiting ??= Promise.withResolvers<void>()
  set(true)
  if (signal === undefined) return waiting.promise
  const aborted = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true })
  return Promise.race([waiting.promise, aborted.promise])
}

/** Lets the waiting calls continue. */
export function continueSession() {
  waiting?.resolve()
  waiting = undefined
  set(false)
}
