// "This was not me": the link of a security notice. Opening it changes nothing, because scanners of mail open links too.
import { frontendEndpoints } from '@bailiwick/contract'
import { secureAccountPage } from '@bailiwick/pages'
import { findNoticeLink } from '../../identity/security-notices/notices.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'

function showOver(page: PageCall) {
  const { text } = page
  const actions = [{ href: '/reset-password', label: text('reset.codeTitle') }]
  return page.message({ title: text('secure.overTitle'), lead: text('secure.overLead'), actions }, 410)
}

/** GET /secure-account?token */
export async function openSecureAccount(page: PageCall) {
  const { deps, tenant } = page
  const token = page.query('token') ?? ''
  const link = await findNoticeLink(deps.db, tenant.row.id, token)
  if (link === undefined || link.expires_at <= deps.clock.now()) return showOver(page)
  return page.show(secureAccountPage(page.frame(), { token }))
}

/** POST /secure-account */
export async function secureAccount(page: PageCall) {
  try {
    await page.run(frontendEndpoints.reportSecurityNotice, { body: { token: page.field('token') ?? '' } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'attempt_not_open') throw error
    return showOver(page)
  }
  return page.go('/secure-account/done')
}

/** GET /secure-account/done */
export function showSecured(page: PageCall) {
  const { text } = page
  const isReset = page.tenant.auth.passwordsEnabled
  const actions = [
    isReset
      ? { href: '/reset-password', label: text('reset.codeTitle') }
      : { href: '/sign-in', label: text('signIn.title') },
  ]
  return page.message({ title: text('secure.doneTitle'), lead: text('secure.doneLead'), actions })
}
