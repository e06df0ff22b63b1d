import { type NewRecoveryCodesView, newRecoveryCodesPage } from '@bailiwick/pages'
import { nameOfProfile } from '../signed-in-name.ts'
import type { Account } from './account.ts'

/** Shows codes in the answer to the form that created them, because they cannot be read again later. */
export async function showNewCodes(
  account: Account,
  codes: readonly string[],
  { from, continueAt }: Pick<NewRecoveryCodesView, 'from' | 'continueAt'>,
) {
  const [view, profile] = await Promise.all([account.view(), account.profile()])
  const name = nameOfProfile({ ...profile, name: null })
  // The page of the form, for a reader who changes the language: the codes are not shown twice.
  return account.show(newRecoveryCodesPage(account.page.frame(), { ...view, codes, name, from, continueAt }))
}
