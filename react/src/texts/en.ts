// The English texts of what is always there; those of the embedded forms are loaded with them. Every other language has all of them, or it
// does not compile. `{name}` is filled in when the text is shown.
import type { enForms } from './en-forms.ts'

export const en = {
  signIn: 'Sign in',
  signUp: 'Sign up',
  signOut: 'Sign out',
  account: 'Manage account',
  userMenu: 'Account of {name}',
  organization: 'Organization',
  noOrganization: 'No organization',
  organizations: 'Manage organizations',

  failed: 'Something went wrong. Try again.',
} as const

/** The texts of what is always there. */
export type BaseTexts = Readonly<Record<keyof typeof en, string>>
export type TextName = keyof typeof en | keyof typeof enForms
/** A language of the components. */
export type Texts = Readonly<Record<TextName, string>>

export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
