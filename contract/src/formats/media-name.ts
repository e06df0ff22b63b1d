// What callers call a file. Labels alone: nothing is ever stored under them. What could be taken for a way to somewhere else
// by whoever saves a file under its name is refused all the same.
import { hasControlCharacters, isWellFormedText } from './text.ts'

const pathLengthMax = 512
const isPlain = (value: string) => isWellFormedText(value) && !hasControlCharacters(value) && !value.includes('\\')
const isDots = (part: string) => part === '.' || part === '..'

export const fileNameRule = 'must be a file name without slashes, backslashes or control characters'

export const isFileName = (value: string): boolean =>
  isPlain(value) && value.trim() !== '' && !value.includes('/') && !isDots(value.trim())

export const mediaPathRule =
  'must be parts joined by /, without empty parts, . or .., %, backslashes or control characters'

export const isMediaPath = (value: string): boolean =>
  value.length <= pathLengthMax &&
  isPlain(value) &&
  !value.includes('%') &&
  value.split('/').every((part) => part.trim() !== '' && !isDots(part.trim()))
