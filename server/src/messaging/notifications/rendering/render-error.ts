// Why nothing was rendered, where the template is not at fault.

/**
 * busy: too many of all tenants wait · owner_busy: too many of this tenant wait · lost: the process ended, by nothing that it was
 * rendering · closed: the service stops · bug: a fault of ours.
 */
export type RenderErrorCode = 'busy' | 'owner_busy' | 'lost' | 'closed' | 'bug'

export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly code: RenderErrorCode

  constructor(code: RenderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
