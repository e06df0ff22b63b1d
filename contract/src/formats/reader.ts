// Where and in which language a user reads.
import { matchLanguage } from '../languages.ts'

export const timezoneRule = 'must be a time zone of the IANA database, such as Europe/Vienna'
export const localeRule = 'must be a BCP 47 language tag, such as de-AT, of a language that the service supports'

const zoneShape = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(?:\/[A-Za-z0-9_+-]{1,31}){0,2}$/

/** An offset such as `+01:00` is no time zone: it does not say when summer time begins. */
export function isTimezone(value: string): boolean {
  if (!zoneShape.test(value)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const localeLengthMax = 35

/** RFC 5646 section 4.4.1 recommends that no tag be cut below 35 characters. */
export function isOfferedLocale(value: string): boolean {
  if (value.length > localeLengthMax) return false
  try {
    const [canonical] = Intl.getCanonicalLocales(value)
    return canonical !== undefined && matchLanguage(canonical) !== undefined
  } catch {
    return false
  }
}

/** Returns a language tag in its usual spelling: `DE-at` becomes `de-AT`. */
export const canonicalLocale = (value: string): string => Intl.getCanonicalLocales(value)[0] ?? value
