// Why nothing was rendered, for reasons that are not the template's fault.

/**
 * busy: too many tasks of all tenants wait · owner_busy: too many tasks of this tenant wait, or have taken too much time · lost: the
 * process ended for a reason other than the template · closed: the service stops · bug: a fault of ours.
 */
export type RenderErrorCode = 'busy' | 'owner_busy' | 'lost' | 'closed' | 'bug'

export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly code: RenderErrorCode
  /** After this time it is worth trying again; undefined if unknown. */
  readonly waitMs: number

  constructor(code: RenderErrorCode, message: string, options: ErrorOptions & { readonly waitMs?: number } = {}) {
    super(message, options)
    this.code = code
    this.waitMs = options.waitMs ?? 0
  }
}
