import { codePointLength, isWellFormedText } from './text.ts'

const lengthMin = 8
const lengthMax = 256

export const passwordRule = 'must be 8 to 256 characters'

/**
 * The bounds that hold everywhere; a tenant's own minimum is checked where it is known. 256 code points are at most 1024
 * bytes of UTF-8, the most that is ever hashed. Never trimmed, folded or cut: the whole input counts.
 */
export function isPassword(value: string): boolean {
  const length = codePointLength(value)
  return length >= lengthMin && length <= lengthMax && isWellFormedText(value)
}
