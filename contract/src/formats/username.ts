import { codePointLength, foldCase } from './text.ts'

const lengthMax = 64
const allowedCharacters = /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._-]*$/u
// Letters and marks that show nothing (fillers, variation selectors) would make two names look the same.
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/u

export const usernameRule =
  'must be 1 to 64 letters, digits, dots, underscores or hyphens, and start with a letter or digit'

/** The name as it is stored and shown. */
export const canonicalUsername = (value: string): string => value.normalize('NFKC')

export function isUsername(value: string): boolean {
  const username = canonicalUsername(value)
  return (
    allowedCharacters.test(username) && !invisibleCharacter.test(username) && codePointLength(username) <= lengthMax
  )
}

/** What uniqueness is decided on. */
export const usernameKey = (value: string): string => foldCase(value)
