import { languages } from '@bailiwick/contract'

const names = new Intl.DisplayNames(undefined, { type: 'language' })

/** The languages of pages and messages, by their names in the reader's language. */
export const languageOptions: readonly { readonly value: string; readonly label: string }[] = languages
  .map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))
  .toSorted((one, other) => one.label.localeCompare(other.label))

export const languageName = (tag: string): string => names.of(tag) ?? tag
