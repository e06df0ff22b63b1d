/** The file cannot be used; the message says why, and of what is in it ids alone. */
export class ArchiveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ArchiveError'
  }
}
