// The addresses to which nothing is sent in test mode, and which everybody can prove with one code.
import { isPhone, canonicalPhone } from '@bailiwick/contract'

/** The code of every test address, for whatever it is asked. */
export const testCode = '424242'

/** `ada+test@example.com`, also with more after it that begins with no letter: `ada+test-2@example.com`. */
const testTag = /\+test(?![a-z])/i
/** North American numbers that are reserved for fiction: 555-0100 to 555-0199 in any area. */
const testPhone = /^\+1[2-9]\d{2}55501\d{2}$/

/** @param address an e-mail address or a phone number, as a person has typed it or as it is stored. */
export const isTestAddress = (address: string): boolean =>
  isPhone(address)
    ? testPhone.test(canonicalPhone(address))
    : testTag.test(address.slice(0, Math.max(0, address.lastIndexOf('@'))))
