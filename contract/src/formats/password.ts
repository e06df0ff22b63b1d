import { codePointLength, isWellFormedText } from './text.ts'

/** Of the passwords of all tenants; one may ask for more. */
export const passwordLengthMin = 8
const lengthMax = 256

export const passwordRule = `must be ${passwordLengthMin} to ${lengthMax} characters`

/**
 * The bounds that hold everywhere; a tenant's own minimum is checked where it is known. 256 code points are at most 1024
 * bytes of UTF-8, the most that is ever hashed. Never trimmed, folded or cut: the whole input counts.
 */
export function isPassword(value: string): boolean {
  const length = codePointLength(value)
  return length >= passwordLengthMin && length <= lengthMax && isWellFormedText(value)
}
