// The password.
import { frontendEndpoints } from '@bailiwick/contract'
import { ownPasswordPage, removalPage } from '@bailiwick/pages'
import { passwordLengthMin } from '../../identity/passwords/check-password.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Problems } from '../problems.ts'
import { nameOfProfile } from '../signed-in-name.ts'
import { type Account, type Refusals, assertConfirmed } from './account.ts'

const path = '/account/password'

async function showPassword(account: Account, problems?: Problems) {
  const { page } = account
  const { auth } = page.tenant
  const profile = await account.profile()
  const { hasPassword } = profile
  // An existing password can be removed even if new ones are no longer accepted.
  if (!auth.passwordsEnabled) return hasPassword ? showRemoval(account, problems) : Promise.reject(notFound())
  const view = {
    ...(await account.view(problems)),
    hasPassword,
    canRemove: hasPassword && !auth.passwordRequired,
    lengthMin: passwordLengthMin(page.tenant),
    identifier: nameOfProfile({ ...profile, name: null }),
  }
  return account.show(ownPasswordPage(page.frame(), view), problems)
}

/** GET /account/password: setting the first password requires a confirmed session. */
export async function openPassword(account: Account) {
  const { hasPassword } = await account.profile()
  if (!hasPassword && account.page.tenant.auth.passwordsEnabled) assertConfirmed(account)
  return showPassword(account)
}

/** POST /account/password */
export async function savePassword(account: Account) {
  const { page } = account
  const { hasPassword } = await account.profile()
  const oldPassword = page.field('oldPassword')
  const password = page.field('password')
  const required = page.text('error.required')
  const missing = {
    ...(hasPassword && oldPassword === undefined ? { oldPassword: required } : {}),
    ...(password === undefined ? { password: required } : {}),
  }
  if (password === undefined || Object.keys(missing).length > 0) {
    return showPassword(account, { errors: missing, status: 422 })
  }
  const body = { password, ...(oldPassword === undefined ? {} : { oldPassword }) }
  const problems = await account.attempt(() => page.run(frontendEndpoints.updateOwnPassword, { body }), {
    refusals: { factor_refused: ['oldPassword', 'ownPassword.wrong'] },
    passwordLengthMin: passwordLengthMin(page.tenant),
  })
  return problems === undefined ? account.finish(path, 'password-changed') : showPassword(account, problems)
}

async function showRemoval(account: Account, problems?: Problems) {
  const { page } = account
  const { text } = page
  const view = {
    ...(await account.view(problems)),
    section: 'password' as const,
    title: text('ownPassword.removeTitle'),
    lead: text('ownPassword.removeLead'),
    submit: text('ownPassword.remove'),
    to: `${path}/remove`,
  }
  return account.show(removalPage(page.frame(), view), problems)
}

/** GET /account/password/remove */
export async function openPasswordRemoval(account: Account) {
  if (!(await account.profile()).hasPassword) throw notFound()
  assertConfirmed(account)
  return showRemoval(account)
}

const refusals: Refusals = { last_way_in: ['form', 'account.lastWayIn'] }

/** POST /account/password/remove */
export async function removePassword(account: Account) {
  const problems = await account.attempt(() => account.page.run(frontendEndpoints.deleteOwnPassword), { refusals })
  if (problems !== undefined) return showRemoval(account, problems)
  return account.page.tenant.auth.passwordsEnabled
    ? account.finish(path, 'password-removed')
    : account.finish('/account', 'password-removed')
}
