// What is looked for, as it follows from the attributes that a directory has sent.
import { canonicalEmail, emailKey, isEmail } from '@bailiwick/contract'
import { enterpriseUrn } from '../protocol/attributes.ts'
import { bad } from '../protocol/scim-error.ts'
import type { Attributes, Complex } from '../protocol/values.ts'

/** Letters of either case find the same (RFC 7643 section 4.1.1). */
export const searchKey = (text: string) => text.normalize('NFC').toLowerCase()

const textAt = (attributes: Attributes, key: string) => {
  const value = attributes[key]
  return typeof value === 'string' ? value : undefined
}

/** Returns the address by which the user is known here: the primary one, else that of work, else the first. */
function chosenAddress(attributes: Attributes): string | undefined {
  const emails = (attributes['emails'] ?? []) as readonly Complex[]
  const withValue = emails.filter((each) => typeof each['value'] === 'string')
  const chosen =
    withValue.find((each) => each['primary'] === true) ??
    withValue.find((each) => String(each['type']).toLowerCase() === 'work') ??
    withValue[0]
  return chosen === undefined ? undefined : String(chosen['value']).trim()
}

/**
 * Returns that address in its canonical form; without any address, a username that is one. Undefined if there is none.
 * @throws ScimError invalidValue
 */
export function addressIn(attributes: Attributes): string | undefined {
  const chosen = chosenAddress(attributes)
  if (chosen !== undefined) {
    if (!isEmail(chosen)) throw bad('invalidValue', 'emails must contain an e-mail address.')
    return canonicalEmail(chosen)
  }
  const userName = textAt(attributes, 'userName')?.trim()
  return userName !== undefined && isEmail(userName) ? canonicalEmail(userName) : undefined
}

/** Returns the columns that follow from the attributes. */
export function derivedColumns(attributes: Attributes) {
  const address = addressIn(attributes)
  const displayName = textAt(attributes, 'displayName')
  return {
    user_name_key: searchKey(textAt(attributes, 'userName') ?? ''),
    external_id: textAt(attributes, 'externalId') ?? null,
    email_key: address === undefined ? null : emailKey(address),
    display_name_key: displayName === undefined ? null : searchKey(displayName),
  }
}

const nameLengthMax = 256

/** A name as users have it: cut where it is too long, at a whole character. */
const name = (text: string | undefined) => {
  const cut = Array.from((text ?? '').trim())
    .slice(0, nameLengthMax)
    .join('')
    .slice(0, nameLengthMax)
    .toWellFormed()
  return cut === '' ? null : cut
}

/** Returns the names that a user has by the attributes. */
export function namesIn(attributes: Attributes) {
  const parts = (attributes['name'] ?? {}) as Complex
  const part = (key: string) => (typeof parts[key] === 'string' ? parts[key] : undefined)
  const [first, last] = [name(part('givenName')), name(part('familyName'))]
  const joined = [first, last].filter((each) => each !== null).join(' ')
  return {
    name: name(textAt(attributes, 'displayName')) ?? name(part('formatted')) ?? name(joined),
    first_name: first,
    last_name: last,
  }
}

const ofEnterprise: ReadonlySet<string> = new Set([
  'department',
  'division',
  'organization',
  'costCenter',
  'employeeNumber',
  'manager',
])

/** Returns one of the attributes that can be mapped; of a manager, the id at the directory. */
export function mappedSource(attributes: Attributes, source: string): string | undefined {
  const value = attributes[ofEnterprise.has(source) ? `${enterpriseUrn}:${source}` : source]
  if (typeof value === 'string') return value
  return source === 'manager' ? textAt((value ?? {}) as Complex, 'value') : undefined
}
