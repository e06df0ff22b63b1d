const groupingCharacters = /[ \-.()[\]]/g
const bareNumber = /^\+[0-9]{7,15}$/

export const phoneRule = 'must be a phone number: + and 7 to 15 digits, such as +49 30 1234567'

const withoutGrouping = (value: string) => value.replace(groupingCharacters, '')

/** Checks the form only, not whether the number exists. */
export const isPhone = (value: string): boolean => bareNumber.test(withoutGrouping(value))

/**
 * Returns the number as it is stored and compared: `+` and digits.
 * @throws TypeError if `isPhone` refuses it
 */
export function canonicalPhone(value: string): string {
  const phone = withoutGrouping(value)
  if (!bareNumber.test(phone)) throw new TypeError(phoneRule)
  return phone
}

/** Returns the key that decides about uniqueness. */
export const phoneKey = canonicalPhone
