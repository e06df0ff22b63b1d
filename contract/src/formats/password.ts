import { codePointLength, isWellFormedText } from './text.ts'

/** Applies to all tenants; a tenant may require more. */
export const passwordLengthMin = 8
const lengthMax = 256

export const passwordRule = `must be ${passwordLengthMin} to ${lengthMax} characters`

/**
 * The limits for all tenants; a tenant's own minimum is checked where it is known. 256 code points are at most 1024 bytes of UTF-8, the
 * most that is ever hashed. Passwords are never trimmed, folded or cut: the whole input counts.
 */
export function isPassword(value: string): boolean {
  const length = codePointLength(value)
  return length >= passwordLengthMin && length <= lengthMax && isWellFormedText(value)
}
