const groupingCharacters = /[ \-.()[\]]/g
const bareNumber = /^\+[0-9]{7,15}$/

export const phoneRule = 'must be a phone number: + and 7 to 15 digits, such as +49 30 1234567'

const withoutGrouping = (value: string) => value.replace(groupingCharacters, '')

/** Whether such a number exists is not judged (extended.md section 1). */
export const isPhone = (value: string): boolean => bareNumber.test(withoutGrouping(value))

/**
 * The number as it is stored and compared: `+` and digits.
 * @throws TypeError for what `isPhone` refuses
 */
export function canonicalPhone(value: string): string {
  const phone = withoutGrouping(value)
  if (!bareNumber.test(phone)) throw new TypeError(phoneRule)
  return phone
}

/** What uniqueness is decided on. */
export const phoneKey = canonicalPhone
