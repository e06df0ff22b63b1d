// Why nothing was rendered, where the template is not at fault.

/**
 * busy: too many of all tenants wait · owner_busy: too many of this tenant wait, or have taken too much time · lost: the process ended,
 * by nothing that it was rendering · closed: the service stops · bug: a fault of ours.
 */
export type RenderErrorCode = 'busy' | 'owner_busy' | 'lost' | 'closed' | 'bug'

export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly code: RenderErrorCode
  /** After so long it is worth trying again, where that is known. */
  readonly waitMs: number

  constructor(code: RenderErrorCode, message: string, options: ErrorOptions & { readonly waitMs?: number } = {}) {
    super(message, options)
    this.code = code
    this.waitMs = options.waitMs ?? 0
  }
}
