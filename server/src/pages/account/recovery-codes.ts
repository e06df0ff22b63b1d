// Recovery codes.
import { frontendEndpoints } from '@bailiwick/contract'
import { recoveryCodesPage } from '@bailiwick/pages'
import type { Account } from './account.ts'
import { showNewCodes } from './new-recovery-codes.ts'

const path = '/account/recovery-codes'

/** GET /account/recovery-codes */
export async function openRecoveryCodes(account: Account) {
  const { page } = account
  const { secondFactors } = await account.profile()
  if (secondFactors.length === 0) return showNoFactor(account)
  const [view, { left }] = await Promise.all([account.view(), page.run(frontendEndpoints.getRecoveryCodes)])
  return account.show(recoveryCodesPage(page.frame(), { ...view, left }))
}

/** There is nothing that the codes could replace. */
function showNoFactor({ page }: Account) {
  const { text } = page
  const actions = [{ href: '/account', label: text('account.back'), kind: 'secondary' as const }]
  return page.message({ title: text('account.recoveryCodes'), lead: text('recovery.noSecondFactor'), actions })
}

/** POST /account/recovery-codes */
export async function renewRecoveryCodes(account: Account) {
  const { secondFactors } = await account.profile()
  if (secondFactors.length === 0) return showNoFactor(account)
  const { recoveryCodes } = await account.page.run(frontendEndpoints.createRecoveryCodes)
  return showNewCodes(account, recoveryCodes, { from: 'recoveryCodes', continueAt: path })
}
