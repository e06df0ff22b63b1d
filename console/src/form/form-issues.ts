// What an error says of the fields of a form.
import type { Issue } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { translateMessage } from '../api/service-messages.ts'

export const isWithin = (path: string, name: string): boolean => path === `/${name}` || path.startsWith(`/${name}/`)

/** The field that an error without issues is about: what its code says is taken, or who is there already. */
const aboutFields: readonly (readonly [code: RegExp, names: readonly string[]])[] = [
  [/^email_taken$/, ['email']],
  [/^(?:invitation|member)_exists$/, ['email', 'userId']],
  [/^username_taken$/, ['username']],
  [/^phone_taken$/, ['phone']],
  [/^provider_taken$/, ['providerKey', 'key']],
  [/^domain_(?:taken|exists)$/, ['domain', 'name']],
  // A slug that is not typed is made of the name.
  [/slug_taken$/, ['slug', 'name']],
  [/^group_exists$/, ['name']],
  [/_key_taken$/, ['key']],
  [/_name_taken$/, ['name']],
  [/_indicator_taken$/, ['indicator']],
]

/** Returns what is wrong with which field; an error that names one by its code alone counts as its problem. */
export function issuesOf(error: unknown, fields: readonly string[]): readonly Issue[] {
  if (!isBailiwickError(error)) return []
  const { code, message, issues } = error
  if (issues.length > 0) return issues
  const names = aboutFields.find(([pattern]) => pattern.test(code))?.[1] ?? []
  const name = names.find((each) => fields.includes(each))
  return name === undefined ? [] : [{ path: `/${name}`, code, message: translateMessage(message).replace(/\.$/, '') }]
}
