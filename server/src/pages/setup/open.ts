// Opening a set-up link. A scanner of mail that opens the address changes nothing: a person has to ask for the code.
import { domainOfEmail } from '@bailiwick/contract'
import { openSetupPage } from '@bailiwick/pages'
import { type OpenLink, enterSetup, findSetupLink, sendSetupCode } from '../../enterprise/setup/open-setup.ts'
import { getOrganization } from '../../identity/organizations/organizations.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { minutesOf } from '../problems.ts'
import { isOver } from './area.ts'

/** Whoever has only the link learns the domain of the mailbox, and its first letter. */
const masked = (email: string) => `${email.slice(0, 1)}…@${domainOfEmail(email)}`

async function showOpen(page: PageCall, link: OpenLink, token: string, isSent: boolean, error?: string) {
  const { name } = await getOrganization(page.deps, link.tenant_id, link.organization_id)
  const view = { token, organization: name, mailbox: masked(link.email), isSent }
  const errors = error === undefined ? {} : { errors: { [isSent ? 'code' : 'form']: error } }
  return page.show(openSetupPage(page.frame(), { ...view, ...errors }), error === undefined ? 200 : 422)
}

/** GET /setup?token */
export async function openLink(page: PageCall) {
  const token = page.query('token') ?? ''
  const link = await findSetupLink(page.deps, page.tenant.row.id, token)
  return link === undefined ? isOver(page) : showOpen(page, link, token, false)
}

/** POST /setup with a token, and the code once it was sent. */
export async function enterLink(page: PageCall) {
  const { deps, text } = page
  const token = page.field('token') ?? ''
  const link = await findSetupLink(deps, page.tenant.row.id, token)
  if (link === undefined) return isOver(page)
  const isSending = page.field('action') === 'send'
  const call = page.frontendCall()
  const hash = call.heldHash('flow')
  try {
    if (isSending) {
      await sendSetupCode(deps, link, call.language)
      return await showOpen(page, link, token, true)
    }
    const actor = { ...call.actor(null), type: 'setup_link', id: link.id } as const
    const isRight = hash !== undefined && (await enterSetup(deps, link, page.field('code') ?? '', hash, actor))
    return isRight ? page.go('/setup/home') : await showOpen(page, link, token, true, text('error.wrongCode'))
  } catch (thrown) {
    const error = apiErrorOf(thrown)
    if (error.code !== 'too_many_attempts') throw thrown
    return showOpen(page, link, token, !isSending, text('error.tooManyTries', { count: minutesOf(error) }))
  }
}
