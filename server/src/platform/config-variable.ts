// Describes one environment variable, and reads secrets.
import { tokenPrefixes } from '@bailiwick/contract'
import { MasterKeyError, parseMasterKey } from './crypto/master-key.ts'
import { Secret } from './crypto/secret.ts'

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

export function masterKey(text: string) {
  try {
    return new Secret(parseMasterKey(text))
  } catch (error) {
    if (error instanceof MasterKeyError) refuse(error.message)
    throw error
  }
}

const sample = /change[-_ ]?me|example|sample|placeholder|insert|replace|password|secret|default|12345678|abcdefgh/i
const differentCharactersMin = 8

/** Whether the key looks like a sample, a pattern or typed words. Random text of the required length matches none of these. */
const isWeak = (text: string) => sample.test(text) || new Set(text).size < differentCharactersMin

export function operatorKey(text: string): Secret {
  if (!/^op_[\w-]{32,400}$/.test(text)) refuse('must be op_ followed by at least 32 letters, digits, - or _')
  if (isWeak(text.slice(tokenPrefixes.operatorKey.length)))
    refuse('is not random enough to be a key: echo "op_$(openssl rand -hex 32)"')
  return new Secret(text)
}

export function secretAccessKey(text: string): Secret {
  if (!/^[!-~]{8,256}$/.test(text)) refuse('must be 8 to 256 visible ASCII characters')
  // The random part is generated elsewhere, so only a copied example can be recognised.
  if (sample.test(text)) refuse('is the sample from the documentation, not a secret key')
  return new Secret(text)
}

export function masterKeys(text: string) {
  return new Secret(text.split(',').map((each) => masterKey(each.trim()).reveal()))
}

export function passphrase(text: string) {
  return new Secret(text.length < 12 ? refuse('must have at least 12 characters') : text)
}
