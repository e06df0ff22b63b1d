// The puzzle of a page's form, where the tenant asks for one.
import type { ChallengePurpose } from '@bailiwick/contract'
import { type PageChallenge, captchaFields } from '@bailiwick/pages'
import { challengeRule } from '../../flows/challenges/challenge-rule.ts'
import { frontendPrefix } from '../../flows/routes.ts'
import { solverAsset } from '../assets.ts'
import { pictureOrigins } from '../logos.ts'
import type { PageCall } from './page-call.ts'
import { setPageHeaders } from './page-headers.ts'

/** Returns what the form needs. A page with the widget of a provider may load its script, and no other page may. */
export async function pageChallenge(page: PageCall, purpose: ChallengePurpose): Promise<PageChallenge | undefined> {
  const { deps, tenant } = page
  if (challengeRule(tenant.auth, purpose) === 'off') return undefined
  const { captchaInUse } = await import('../../flows/challenges/captcha-providers.ts')
  const captcha = await captchaInUse(deps.db, tenant)
  if (captcha === undefined) {
    const query = new URLSearchParams({ purpose, publicKey: tenant.row.public_key }).toString()
    return { script: solverAsset().path, address: `${frontendPrefix}/challenges?${query}` }
  }
  const { provider, site_key: siteKey } = captcha
  setPageHeaders(page.reply, pictureOrigins(deps.config, tenant), provider)
  return { provider, siteKey, purpose, language: page.frame().language.tag }
}

/** Returns the answer that a form was sent with: to the service's own puzzle, or of the widget of a provider. */
export const challengeAnswer = (page: PageCall): string | undefined =>
  page.field('challenge') ?? page.field(captchaFields.turnstile) ?? page.field(captchaFields.hcaptcha)
