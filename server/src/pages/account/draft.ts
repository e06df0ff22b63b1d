// What was typed into a form that could not be sent before its user had confirmed their identity. It is kept in the address of the page to
// which the user returns, sealed, because addresses are recorded in many places.
import type { Account } from './account.ts'

const placeOf = ({ session }: Account, form: string) =>
  `page_drafts:${session.row.tenant_id}:${session.row.user_id}:${form}`

export const sealDraft = (account: Account, form: string, value: string): string =>
  account.page.deps.sealer.seal(value, placeOf(account, form))

/** Undefined if there is none, or if it belongs to another user or another form. */
export function openDraft(account: Account, form: string): string | undefined {
  const sealed = account.page.query('draft')
  if (sealed === undefined) return undefined
  try {
    return account.page.deps.sealer.open(sealed, placeOf(account, form))
  } catch {
    return undefined
  }
}
