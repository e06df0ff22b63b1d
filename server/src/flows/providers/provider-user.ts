// What providers send is untrusted text: only values of the right form are taken from it.
import { type ClaimMapping, isEmail, isWellFormedText } from '@bailiwick/contract'
import type { Granted, ProviderSettings, ProviderUser } from './provider.ts'

const subjectLengthMax = 255
const nameLengthMax = 256

type Claims = Readonly<Record<string, unknown>>

export const recordOf = (value: unknown): Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : {}

const emailOf = (value: unknown) => (typeof value === 'string' && isEmail(value) ? value : null)

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string' || !isWellFormedText(value)) return null
  const name = Array.from(value.trim()).slice(0, nameLengthMax).join('')
  return name === '' ? null : name
}

function subjectOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && text !== '' && text.length <= subjectLengthMax && isWellFormedText(text)
    ? text
    : undefined
}

interface Said {
  readonly subject: unknown
  readonly email: unknown
  /** Whatever is not clearly true counts as false. */
  readonly isEmailVerified: boolean
  readonly name: unknown
}

export function providerUser({ subject, email, isEmailVerified, name }: Said): ProviderUser | undefined {
  const known = subjectOf(subject)
  if (known === undefined) return undefined
  const address = emailOf(email)
  return { subject: known, email: address, isEmailVerified: address !== null && isEmailVerified, name: nameOf(name) }
}

/** The standard claims of OpenID Connect Core 1.0 section 5.1. */
const standardClaims: ClaimMapping = { email: 'email', emailVerified: 'email_verified', name: 'name' }

const userOfClaims = (claims: Claims, names: ClaimMapping): ProviderUser | undefined =>
  providerUser({
    subject: claims['sub'],
    email: claims[names.email],
    isEmailVerified: claims[names.emailVerified] === true,
    name: claims[names.name],
  })

/**
 * Returns the user that the claims name: from the ID token if it has an address, otherwise from the userinfo endpoint. An address
 * and the claim that it is verified never come from different ones.
 */
export async function userOfOpenId(
  { claims = {}, userInfo }: Granted,
  { claims: names = standardClaims }: Pick<ProviderSettings, 'claims'>,
): Promise<ProviderUser | undefined> {
  const isInToken = claims[names.email] !== undefined
  return userOfClaims(isInToken ? claims : { ...(await userInfo()), sub: claims['sub'] }, names)
}
