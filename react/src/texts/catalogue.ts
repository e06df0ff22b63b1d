// The types of the texts, which come from the English files. The texts in en.json are always there; those of the embedded forms, in
// en-forms.json, are loaded with the forms. `{name}` is filled in when the text is shown.
import type enForms from './en-forms.json'
import english from './en.json' with { type: 'json' }

/** The texts of what is always there. */
export type BaseTexts = Readonly<Record<keyof typeof english, string>>
export type TextName = keyof typeof english | keyof typeof enForms
/** All texts of the components in one language. */
export type Texts = Readonly<Record<TextName, string>>

export const en: BaseTexts = english

export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
