// Where somebody ends who is signed in and was on the way to nowhere else.
import { ApiError } from '../platform/http/api-error.ts'
import type { PageCall } from './page-call.ts'
import { signedInName } from './signed-in-name.ts'

/** Shows the page, or has the reader sign in first. */
export async function showAccount(page: PageCall) {
  const { text } = page
  if (page.session === undefined)
    return page.go(`/sign-in?${new URLSearchParams({ redirect_to: page.addressOf('/account') }).toString()}`)
  try {
    const name = await signedInName(page)
    return page.message({
      title: text('account.title'),
      lead: text('signOut.lead', { name }),
      actions: [{ href: '/sign-out', label: text('signOut.submit'), kind: 'secondary' }],
    })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') return page.go('/sign-in')
    throw error
  }
}

/** GET /.well-known/change-password, where password managers send people: the one page on which a password can be changed. */
export const goToPassword = (page: PageCall) => page.go('/reset-password')
