// The authenticator app.
import { frontendEndpoints } from '@bailiwick/contract'
import { appPage, appSetUpPage, removalPage } from '@bailiwick/pages'
import { codeOf, newAppOfForm } from '../form-values.ts'
import type { Problems } from '../problems.ts'
import { type Account, type Refusals, assertConfirmed, problem } from './account.ts'
import { showNewCodes } from './new-recovery-codes.ts'

const path = '/account/app'

async function showApp(account: Account, problems?: Problems) {
  const { page } = account
  const { secondFactors } = await account.profile()
  const view = {
    ...(await account.view(problems)),
    isOn: secondFactors.includes('authenticator_code'),
    canSetUp: page.tenant.auth.strategyAuthenticatorCodeEnabled,
  }
  return account.show(appPage(page.frame(), view), problems)
}

/** GET /account/app */
export const openApp = (account: Account) => showApp(account)

async function showSetUp(account: Account, { secret, uri }: { secret: string; uri: string }, problems?: Problems) {
  return account.show(appSetUpPage(account.page.frame(), { ...(await account.view(problems)), secret, uri }), problems)
}

/** POST /account/app: shows the secret in the answer to the form that created it. */
export async function beginApp(account: Account) {
  return showSetUp(account, await account.page.run(frontendEndpoints.createAuthenticatorCode))
}

const refusals: Refusals = {
  factor_refused: ['code', 'error.wrongCode'],
  attempt_not_open: ['form', 'app.expired'],
}

/** POST /account/app/confirm */
export async function confirmApp(account: Account) {
  const { page } = account
  const setUp = newAppOfForm(page)
  const code = codeOf(page)
  const expired = problem('form', page.text('app.expired'))
  if (setUp === undefined) return showApp(account, expired)
  if (code === undefined) return showSetUp(account, setUp, problem('code', page.text('error.required')))
  let codes: readonly string[] = []
  const problems = await account.attempt(
    async () => {
      codes = (await page.run(frontendEndpoints.confirmAuthenticatorCode, { body: { code } })).recoveryCodes
    },
    { refusals },
  )
  if (problems === undefined) return showNewCodes(account, codes, { from: 'app', continueAt: path })
  return problems.errors['form'] === expired.errors['form']
    ? showApp(account, problems)
    : showSetUp(account, setUp, problems)
}

async function showRemoval(account: Account) {
  const { page } = account
  const { text } = page
  const view = {
    ...(await account.view()),
    section: 'app' as const,
    title: text('app.removeTitle'),
    lead: text('app.removeLead'),
    submit: text('app.remove'),
    to: `${path}/remove`,
  }
  return account.show(removalPage(page.frame(), view))
}

/** GET /account/app/remove */
export async function openAppRemoval(account: Account) {
  const { secondFactors } = await account.profile()
  if (!secondFactors.includes('authenticator_code')) return account.page.go(path)
  assertConfirmed(account)
  return showRemoval(account)
}

/** POST /account/app/remove */
export async function removeApp(account: Account) {
  await account.page.run(frontendEndpoints.deleteAuthenticatorCode)
  return account.finish(path, 'app-removed')
}
