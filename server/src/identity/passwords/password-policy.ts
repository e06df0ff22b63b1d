// What people may choose as a password themselves: not what many have, not what follows from who they are or where they sign up, not one
// pattern over and over. No rule says which characters it is made of. SECURITY A5, NIST SP 800-63B.
import { type Issue, codePointLength } from '@bailiwick/contract'
import { isCommonPassword } from './common-passwords.ts'

/** What is known of the person who chooses a password. */
export interface Chooser {
  readonly name?: string | null | undefined
  readonly username?: string | null | undefined
  readonly emails?: readonly string[]
  /** As they are stored: a plus and digits. */
  readonly phones?: readonly string[]
}

/** The person, and the tenant where the person chooses it. */
export interface PasswordContext extends Chooser {
  readonly tenantName: string
}

const product = 'bailiwick'
const wordLengthMin = 4
const restLengthMin = 8
const patternLengthMax = 4
/** The shortest number that there is. */
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
  // An address as a whole too, whose domain would be rest enough.
  return [...new Set([product, ...emails.map(fold), ...words])]
    .filter((word) => codePointLength(word) >= wordLengthMin)
    .toSorted((one, other) => other.length - one.length)
}

/** A word in a long phrase does no harm: what counts is what is left without it. */
function isOfContext(folded: string, context: PasswordContext): boolean {
  const words = wordsOf(context).filter((word) => folded.includes(word))
  if (words.length === 0) return false
  let rest = folded
  for (const word of words) rest = rest.replaceAll(word, '')
  return codePointLength(rest) < restLengthMin
}

/** A number of one's own, also as it is dialled at home: without its country's code, with a zero in front. */
function isOfPhone(folded: string, { phones = [] }: PasswordContext): boolean {
  const digits = folded.replaceAll(/\D/g, '').replace(/^0+/, '')
  const rest = folded.replaceAll(/[\d\s()+./-]/g, '')
  if (digits.length < phoneDigitsMin || codePointLength(rest) >= restLengthMin) return false
  return phones.some((phone) => phone.endsWith(digits))
}

/** One pattern of up to four characters over and over, or characters each of which is the next of the one before. */
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
  if (isPattern(folded)) return { code: 'password_pattern', message: 'is one pattern over and over, or a sequence' }
  if (isOfContext(folded, context) || isOfPhone(folded, context)) {
    return {
      code: 'password_of_context',
      message: 'is little more than a name, a username, an e-mail address, a phone number or the service',
    }
  }
  if (await isCommonPassword(folded)) return { code: 'password_common', message: 'is one that many people have' }
  return undefined
}
