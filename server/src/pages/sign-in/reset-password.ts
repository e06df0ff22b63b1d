// A forgotten password.
import { frontendEndpoints, isId } from '@bailiwick/contract'
import { type ResetView, resetCodePage, resetPage } from '@bailiwick/pages'
import { passwordLengthMin } from '../../identity/passwords/check-password.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { challengeAnswer, pageChallenge } from '../call/page-challenge.ts'
import { codeOf } from '../form-values.ts'
import { type Problems, problemsOf } from '../problems.ts'

/** By a number only if people can sign in with one, like the operation. */
const kindsOf = ({ tenant: { auth } }: PageCall) => ({
  email: true,
  phone: auth.phoneSignInEnabled,
  username: auth.usernameSignInEnabled,
})

function showClosed(page: PageCall) {
  const { text } = page
  const actions = [{ href: '/sign-in', label: text('reset.back') }]
  return page.message({ title: text('reset.closedTitle'), lead: text('reset.closedLead'), actions }, 403)
}

async function buildView(page: PageCall): Promise<ResetView> {
  const challenge = await pageChallenge(page, 'password_reset')
  return { kinds: kindsOf(page), ...(challenge === undefined ? {} : { challenge }) }
}

/** GET /reset-password */
export async function openReset(page: PageCall) {
  if (!page.tenant.auth.passwordsEnabled) return showClosed(page)
  return page.showAlike('reset-password', resetPage, await buildView(page))
}

/** POST /reset-password */
export async function beginReset(page: PageCall) {
  const { text } = page
  const value = page.field('identifier')?.trim() ?? ''
  const show = async ({ errors, status }: Problems) =>
    page.show(resetPage(page.frame(), { ...(await buildView(page)), value, errors }), status)
  if (value === '') return show({ errors: { identifier: text('error.required') }, status: 422 })
  try {
    const challenge = challengeAnswer(page)
    const { passwordReset } = await page.run(frontendEndpoints.createPasswordReset, {
      body: { identifier: value },
      challenge,
      // What follows is a code by mail.
      isMailFirst: challenge === undefined,
    })
    return page.go(`/reset-password/${passwordReset.id}`)
  } catch (error) {
    const problems = error instanceof ApiError ? problemsOf(error, text) : undefined
    if (problems === undefined) throw error
    return show(problems)
  }
}

/** @throws ApiError not_found for what cannot be an id. */
function resetId({ id }: PageCall): string {
  if (!isId(id)) throw notFound()
  return id
}

function showCode(page: PageCall, problems?: Problems) {
  const code = page.field('code')
  const view = {
    resetId: resetId(page),
    passwordLengthMin: passwordLengthMin(page.tenant),
    ...(problems === undefined ? {} : { errors: problems.errors }),
    ...(code === undefined ? {} : { code }),
  }
  return page.show(resetCodePage(page.frame(), view), problems?.status)
}

/** GET /reset-password/{id}: the same for whatever may be an id, so that it does not reveal whether one exists. */
export const showReset = (page: PageCall) => showCode(page)

/** POST /reset-password/{id} */
export async function finishReset(page: PageCall) {
  const { text } = page
  const id = resetId(page)
  const code = codeOf(page)
  const password = page.field('password')
  const missing = Object.entries({ code, password }).filter(([, value]) => value === undefined)
  if (code === undefined || password === undefined) {
    return showCode(page, {
      errors: Object.fromEntries(missing.map(([name]) => [name, text('error.required')])),
      status: 422,
    })
  }
  try {
    await page.run(frontendEndpoints.attemptPasswordReset, { params: { id }, body: { code, password } })
    return page.go('/reset-password/done')
  } catch (error) {
    const options = { refused: ['code', 'error.wrongCode'] as const, passwordLengthMin: passwordLengthMin(page.tenant) }
    const problems = error instanceof ApiError ? problemsOf(error, text, options) : undefined
    if (problems === undefined) throw error
    return showCode(page, problems)
  }
}

/** GET /reset-password/done */
export function showResetDone(page: PageCall) {
  const { text } = page
  const actions = [{ href: '/sign-in', label: text('signIn.title') }]
  return page.message({ title: text('reset.doneTitle'), lead: text('reset.doneLead'), actions })
}

/** GET /.well-known/change-password, to which password managers lead; a user who is not signed in may have forgotten the password. */
export const changePassword = (page: PageCall) =>
  page.go(page.session === undefined ? '/reset-password' : '/account/password')
