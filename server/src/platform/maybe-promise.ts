// Values that are often in memory. Even a resolved promise costs a turn of the microtask queue at each step that awaits it.
export type MaybePromise<T> = T | Promise<T>

export const isReady = <T>(value: MaybePromise<T>): value is T => !(value instanceof Promise)

/** Calls `next` with a value: at once if the value is there, otherwise as soon as it arrives. */
export const whenReady = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  isReady(value) ? next(value) : value.then(next)
