// Values that memory often has: a promise that is resolved at once still costs a turn of the event loop for each step that awaits it.
export type MaybePromise<T> = T | Promise<T>

export const isReady = <T>(value: MaybePromise<T>): value is T => !(value instanceof Promise)

/** Goes on with a value, at once if it is there and otherwise as soon as it is. */
export const whenReady = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  isReady(value) ? next(value) : value.then(next)
