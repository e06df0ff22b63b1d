// The waiting list of a tenant whose sign-up is closed.
import { frontendEndpoints } from '@bailiwick/contract'
import { waitlistPage } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { challengeAnswer, pageChallenge } from '../call/page-challenge.ts'
import { type Problems, problemsOf } from '../problems.ts'

async function show(page: PageCall, value?: string, problems?: Problems) {
  const challenge = await pageChallenge(page, 'sign_up')
  const view = {
    canSignIn: page.tenant.auth.signInEnabled,
    ...(value === undefined ? {} : { value }),
    ...(challenge === undefined ? {} : { challenge }),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(waitlistPage(page.frame(), view), problems?.status)
}

/** Whether visitors wait here rather than sign up. */
const isWaiting = ({ tenant: { auth } }: PageCall) => auth.waitlistEnabled && !auth.signUpEnabled

/** GET /waitlist */
export const openWaitlist = (page: PageCall) => (isWaiting(page) ? show(page) : page.go('/sign-up'))

/** POST /waitlist */
export async function joinWaitlistHere(page: PageCall) {
  const { text } = page
  if (!isWaiting(page)) return page.go('/sign-up')
  const email = page.field('email')?.trim() ?? ''
  if (email === '') return show(page, '', { errors: { email: text('error.required') }, status: 422 })
  try {
    const challenge = challengeAnswer(page)
    // Browsers without JavaScript solve no puzzle; a few of them are let through.
    const isMailFirst = challenge === undefined
    await page.run(frontendEndpoints.joinWaitlist, { body: { email }, challenge, isMailFirst })
    return page.go('/waitlist/joined')
  } catch (error) {
    const problems = error instanceof ApiError ? problemsOf(error, text) : undefined
    if (problems === undefined) throw error
    return await show(page, email, problems)
  }
}

/** GET /waitlist/joined */
export function showJoined(page: PageCall) {
  const { text, tenant } = page
  const actions = tenant.auth.signInEnabled
    ? [{ href: '/sign-in', label: text('signUp.signIn'), kind: 'secondary' as const }]
    : []
  return page.message({ title: text('waitlist.joinedTitle'), lead: text('waitlist.joinedLead'), actions })
}
