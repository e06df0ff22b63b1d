// A form that sends the answer to a puzzle. Its script is loaded by such pages alone; without it the form is sent without an answer, and a code
// by mail takes its place.
import type { CaptchaProvider, ChallengePurpose } from '@bailiwick/contract'
import { type Html, html } from '../html.ts'

/** The service's own puzzle. */
interface OwnChallenge {
  readonly script: string
  /** Where the script gets the puzzle. */
  readonly address: string
}

/** The widget of a provider, which puts its answer into the form. */
export interface CaptchaChallenge {
  readonly provider: CaptchaProvider
  readonly siteKey: string
  readonly purpose: ChallengePurpose
  readonly language: string
}

export type PageChallenge = OwnChallenge | CaptchaChallenge

/** The script of each provider, and the name of the field in which the answer arrives. */
export const captchaScripts: Readonly<Record<CaptchaProvider, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js',
}
export const captchaFields: Readonly<Record<CaptchaProvider, string>> = {
  turnstile: 'cf-turnstile-response',
  hcaptcha: 'h-captcha-response',
}

/** What makes a form one that sends an answer. */
export const challengeField = (challenge: PageChallenge | undefined) =>
  challenge === undefined || 'provider' in challenge ? undefined : { challenge: '' }

export const challengeData = (challenge: PageChallenge | undefined): Readonly<Record<string, string>> =>
  challenge === undefined || 'provider' in challenge ? {} : { challenge: challenge.address }

/** The place of a provider's widget, within the form. */
export function challengeWidget(challenge: PageChallenge | undefined): Html | false {
  if (challenge === undefined || !('provider' in challenge)) return false
  const { provider, siteKey, purpose, language } = challenge
  return provider === 'turnstile'
    ? html`<div
        class="cf-turnstile"
        data-sitekey="${siteKey}"
        data-action="${purpose}"
        data-language="${language}"
      ></div>`
    : html`<div class="h-captcha" data-sitekey="${siteKey}"></div>`
}

export function challengeScript(challenge: PageChallenge | undefined): Html | false {
  if (challenge === undefined) return false
  if (!('provider' in challenge)) return html`<script type="module" src="${challenge.script}"></script>`
  const { provider, language } = challenge
  const query = provider === 'hcaptcha' ? `?${new URLSearchParams({ hl: language }).toString()}` : ''
  return html`<script async defer src="${captchaScripts[provider]}${query}"></script>`
}
