// The languages of the components, for the provider's `texts`. An app has only those in it that it imports.
export { ar } from './ar.ts'
export { de } from './de.ts'
export type { TextName, Texts } from './en.ts'
