/** The message continues a sentence that begins with the variable's name, and holds no part of its value that may be a secret. */
export class PostgresqlAddressError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PostgresqlAddressError'
  }
}

export function refuse(message: string): never {
  throw new PostgresqlAddressError(message)
}
