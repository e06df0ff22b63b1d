// The rules for passwords that people choose themselves: not a common one, not derived from the person's data or the service's name, not
// one repeated pattern. No rule says which kinds of characters it must contain. NIST SP 800-63B.
import { type Issue, codePointLength } from '@bailiwick/contract'
import { isCommonPassword } from './common-passwords.ts'

/** What is known about the person who chooses a password. */
export interface Chooser {
  readonly name?: string | null | undefined
  readonly username?: string | null | undefined
  readonly emails?: readonly string[]
  /** Written as stored: a plus and digits. */
  readonly phones?: readonly string[]
}

/** The person, and the tenant for which the person chooses the password. */
export interface PasswordContext extends Chooser {
  readonly tenantName: string
}

const product = 'bailiwick'
const wordLengthMin = 4
const restLengthMin = 8
const patternLengthMax = 4
/** The length of the shortest phone numbers. */
const phoneDigitsMin = 7

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

function wordsOf({ tenantName, name, username, emails = [] }: PasswordContext): string[] {
  const texts = [
    tenantName,
    name ?? '',
    username ?? '',
    ...emails.map((email) => email.slice(0, email.lastIndexOf('@'))),
  ]
  const words = texts.flatMap((text) => [fold(text), ...fold(text).split(/[^\p{L}\p{N}]+/u)])
  // An address is also taken as a whole; otherwise its domain would count as enough of a rest.
  return [...new Set([product, ...emails.map(fold), ...words])]
    .filter((word) => codePointLength(word) >= wordLengthMin)
    .toSorted((one, other) => other.length - one.length)
}

/** A word in a long phrase does no harm: the check counts what is left without it. */
function isOfContext(folded: string, context: PasswordContext): boolean {
  const words = wordsOf(context).filter((word) => folded.includes(word))
  if (words.length === 0) return false
  let rest = folded
  for (const word of words) rest = rest.replaceAll(word, '')
  return codePointLength(rest) < restLengthMin
}

/** Finds one of the person's own phone numbers, also as it is dialled at home: without the country's code, with a leading zero. */
function isOfPhone(folded: string, { phones = [] }: PasswordContext): boolean {
  const digits = folded.replaceAll(/\D/g, '').replace(/^0+/, '')
  const rest = folded.replaceAll(/[\d\s()+./-]/g, '')
  if (digits.length < phoneDigitsMin || codePointLength(rest) >= restLengthMin) return false
  return phones.some((phone) => phone.endsWith(digits))
}

/** Finds a pattern of up to four characters that is repeated, or a sequence in which each character follows the one before. */
export function isPattern(folded: string): boolean {
  const points = Array.from(folded, (character) => character.codePointAt(0) ?? 0)
  const repeats = (length: number) => points.every((point, index) => point === points[index % length])
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)))
  const [step] = steps
  return (
    [1, 2, 3, patternLengthMax].some((length) => length < points.length && repeats(length)) ||
    (steps.size === 1 && (step === 1 || step === -1))
  )
}

/** Returns why a person may not choose a password; undefined if it may be chosen. */
export async function problemOf(password: string, context: PasswordContext): Promise<Omit<Issue, 'path'> | undefined> {
  const folded = fold(password)
  if (isPattern(folded)) return { code: 'password_pattern', message: 'must not be a repeated pattern or a sequence' }
  if (isOfContext(folded, context) || isOfPhone(folded, context)) {
    return {
      code: 'password_of_context',
      message: 'must not be just a name, a username, an e-mail address, a phone number or the name of the service',
    }
  }
  if (await isCommonPassword(folded)) return { code: 'password_common', message: 'is too common' }
  return undefined
}
