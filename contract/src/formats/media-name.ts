// The name that callers give a file. It is only a label: nothing is ever stored under it. Names that could be taken for a path are refused
// nevertheless, to protect anybody who saves a file under its name.
import { hasControlCharacters, isWellFormedText } from './text.ts'

const pathLengthMax = 512
const isPlain = (value: string) => isWellFormedText(value) && !hasControlCharacters(value) && !value.includes('\\')
const isDots = (part: string) => part === '.' || part === '..'

export const fileNameRule = 'must be a file name without slashes, backslashes or control characters'

export const isFileName = (value: string): boolean =>
  isPlain(value) && value.trim() !== '' && !value.includes('/') && !isDots(value.trim())

export const mediaPathRule =
  'must be a path such as team/logos: parts joined by /, none of them empty, . or .., and no %, backslashes or control characters'

export const isMediaPath = (value: string): boolean =>
  value.length <= pathLengthMax &&
  isPlain(value) &&
  !value.includes('%') &&
  value.split('/').every((part) => part.trim() !== '' && !isDots(part.trim()))
