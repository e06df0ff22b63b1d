// What the service says of a refused call, in the language of the console and for people. The service's own sentence is used for whatever is
// not listed here or has no translation.
import { locale, translate } from '../texts/translate.ts'

/** What rules and reasons have as values: the end of a list or pattern, something in quotes, names of settings, and numbers. */
const valuesOfRule = /(?<=^must (?:be one of|match) ).+|"(?:[^"\\]|\\.)*"|“[^”]*”|\b[a-z]+[A-Z]\w*|\d[\d,]*/gs

/** Returns a rule with `{0}`, `{1}` and so on in place of its values, as translations have it, and the values. */
export function readRule(message: string): { readonly rule: string; readonly values: readonly string[] } {
  const values: string[] = []
  return { rule: message.replaceAll(valuesOfRule, (value) => `{${values.push(value) - 1}}`), values }
}

/** Returns a value as the language of the console writes it: 16,384 is 16.384 in German. */
const localized = (value: string) =>
  /^\d{1,3}(?:,\d{3})+$/.test(value) ? Number(value.replaceAll(',', '')).toLocaleString(locale) : value

/** Returns a sentence or rule of the service in the language of the console; the service's own where there is no translation. */
export function translateMessage(message: string): string {
  const whole = translate(message)
  if (whole !== message) return whole
  const { rule, values } = readRule(message)
  return translate(rule) === rule ? message : translate(rule, ...values.map(localized))
}

/** What controls refuse in the language of the console, which need not be the one of the browser. */
export function messageOfControl(control: HTMLInputElement): string {
  const { validity, type, minLength, maxLength, min, max, validationMessage } = control
  if (validity.valueMissing)
    return control.tagName === 'SELECT' || type === 'radio' ? 'Choose one of these.' : 'Fill in this field.'
  if (validity.typeMismatch && type === 'email') return 'Enter an e-mail address, such as name@example.com.'
  if (validity.tooShort) return `Use at least ${minLength} characters.`
  if (validity.tooLong) return `Use at most ${maxLength} characters.`
  if (validity.rangeUnderflow) return `Enter ${min} or more.`
  if (validity.rangeOverflow) return `Enter ${max} or less.`
  if (validity.badInput && type === 'number') return 'Enter a number.'
  if (validity.stepMismatch && control.step === '1') return 'Enter a whole number.'
  if (validity.patternMismatch) return 'This does not have the right form.'
  return validationMessage
}
