import { codePointLength, foldCase } from './text.ts'

const lengthMax = 64
const allowedCharacters = /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._-]*$/u
// Invisible letters and marks (fillers, variation selectors) would make two names look the same.
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/u

export const usernameRule =
  'must be 1 to 64 letters, digits, dots, underscores or hyphens, and start with a letter or digit'

/** Returns the name as it is stored and shown. */
export const canonicalUsername = (value: string): string => value.normalize('NFKC')

export function isUsername(value: string): boolean {
  const username = canonicalUsername(value)
  return (
    allowedCharacters.test(username) && !invisibleCharacter.test(username) && codePointLength(username) <= lengthMax
  )
}

/** Returns the key that decides about uniqueness. */
export const usernameKey = (value: string): string => foldCase(value)
