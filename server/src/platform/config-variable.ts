// Describes one environment variable.
/** The message continues a sentence that begins with the variable's name, and holds no part of the value. */
export class ValueRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ValueRefused'
  }
}

export function refuse(message: string): never {
  throw new ValueRefused(message)
}

export const matching = (pattern: RegExp, message: string) => (text: string) =>
  pattern.test(text) ? text : refuse(message)

export const integer = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < min || value > max) refuse(`must be a whole number from ${min} to ${max}`)
  return value
}

type Base<Value> = {
  readonly name: string
  readonly parse: (text: string) => Value
  readonly description: string
}

/** A value with `isSecret` is never printed and may come from a file. `default` is parsed like a given value. */
export const withDefault = <Value>(variable: Base<Value> & { readonly default: string }) => variable
export const optional = <Value>(
  variable: Base<Value> & { readonly isSecret?: true; readonly shownDefault?: string },
) => ({
  ...variable,
  isOptional: true as const,
})
