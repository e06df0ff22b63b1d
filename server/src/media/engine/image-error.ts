// Why an image could not be made. Only codes cross the border between processes, so callers decide by them.

/**
 * unsupported: no kind that is read here · unreadable: damaged, or not what it claims to be · too_large: more pixels, frames or steps than
 * allowed · too_slow: took all its time, now or a few minutes ago · time_out, out_of_memory, worker_lost: the worker was ended or ended itself · pool_busy: too many tasks wait already ·
 * pool_closed: the service stops · engine_failure: a bug.
 */
export const imageErrorCodes = [
  'unsupported',
  'unreadable',
  'too_large',
  'too_slow',
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

  /** The message says what is wrong with the image. Only that of `engine_failure` must not be shown to callers. */
  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
