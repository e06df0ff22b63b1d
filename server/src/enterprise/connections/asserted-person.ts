// What a provider has proved of the person who signs in, whatever its protocol. Providers send untrusted text: only values of the right form
// are taken from it, and not more than a person can sensibly have.
import { isWellFormedText } from '@bailiwick/contract'

export interface AssertedPerson {
  /** Identifies the person at the connection for ever. */
  readonly subject: string
  /** As the provider sent it; whether anybody believes it is decided when the person is admitted. */
  readonly email: string | null
  /** Whether the provider says that it has not verified the address; many say nothing about it. */
  readonly isEmailUnverified: boolean
  readonly name: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  /** Claims or attributes, for the rules of roles and the report of a test. */
  readonly claims: Readonly<Record<string, string | readonly string[]>>
}

const subjectLengthMax = 512
const emailLengthMax = 320
const nameLengthMax = 256
const claimsMax = 100
const claimLengthMax = 1024
/** Entra sends at most 200 groups in a token; other providers have no limit. */
const valuesMax = 1000

const isText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= lengthMax && isWellFormedText(value)

function nameFrom(value: unknown): string | null {
  if (typeof value !== 'string' || !isWellFormedText(value)) return null
  const name = Array.from(value.slice(0, 2 * nameLengthMax).trim())
    .slice(0, nameLengthMax)
    .join('')
  return name === '' || !name.isWellFormed() ? null : name
}

const scalar = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)

function claimFrom(value: unknown): string | readonly string[] | undefined {
  if (!Array.isArray(value)) {
    const text = scalar(value)
    return isText(text, claimLengthMax) ? text : undefined
  }
  return value
    .slice(0, valuesMax)
    .map(scalar)
    .filter((each): each is string => isText(each, claimLengthMax))
}

/** Returns the claims that rules can compare: texts and lists of texts, with numbers and truth values as text. */
export function comparableClaims(claims: Readonly<Record<string, unknown>>): AssertedPerson['claims'] {
  const usable = Object.entries(claims)
    .slice(0, claimsMax)
    .flatMap(([name, value]) => {
      const claim = claimFrom(value)
      return claim === undefined || !isText(name, nameLengthMax) ? [] : [[name, claim] as const]
    })
  return Object.fromEntries(usable)
}

/** Returns undefined for a subject that identifies nobody. */
export function assertedPerson(
  said: { readonly [Name in Exclude<keyof AssertedPerson, 'claims' | 'isEmailUnverified'>]: unknown } & {
    readonly isEmailUnverified?: boolean
    readonly claims: Readonly<Record<string, unknown>>
  },
): AssertedPerson | undefined {
  const { subject, email } = said
  if (!isText(subject, subjectLengthMax)) return undefined
  return {
    subject,
    email: isText(email, emailLengthMax) ? email : null,
    isEmailUnverified: said.isEmailUnverified === true,
    name: nameFrom(said.name),
    givenName: nameFrom(said.givenName),
    familyName: nameFrom(said.familyName),
    claims: comparableClaims(said.claims),
  }
}
