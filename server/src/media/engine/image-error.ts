// Why an image could not be made. The codes cross the border between the processes, so they are all there is to switch on.

/**
 * unsupported: of no kind that is read here · unreadable: damaged, or not what it says · too_large: more pixels, frames or
 * steps than allowed · time_out, out_of_memory, worker_lost: the worker was ended or ended itself · pool_busy: too many wait
 * already · pool_closed: the service stops · engine_failure: a bug.
 */
export const imageErrorCodes = [
  'unsupported',
  'unreadable',
  'too_large',
  'time_out',
  'out_of_memory',
  'worker_lost',
  'pool_busy',
  'pool_closed',
  'engine_failure',
] as const
export type ImageErrorCode = (typeof imageErrorCodes)[number]

export class ImageError extends Error {
  override readonly name = 'ImageError'
  readonly code: ImageErrorCode

  /** The message says what was wrong with the image; only `engine_failure` has one that is not for the caller's eyes. */
  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
