// The headers of every page.
import type { CaptchaProvider } from '@bailiwick/contract'
import type { FastifyReply } from 'fastify'

/** A host may contain characters that end a directive, or a whole policy (https://url.spec.whatwg.org/#forbidden-host-code-point). */
const plainOrigin = /^https?:\/\/[\w.[\]:-]+$/

/** The pictures of a tenant, beside those of the page's own origin, as a directive. Any origin that could change the policy is left out. */
export const pictureDirective = (pictures: readonly string[]): string =>
  `img-src ${["'self'", ...pictures.filter((origin) => plainOrigin.test(origin))].join(' ')}`

/** What a page with the widget of a provider of puzzles loads, by directive: that provider's own, and nothing else. */
const captchaSources: Readonly<Record<CaptchaProvider, readonly string[]>> = {
  // https://developers.cloudflare.com/turnstile/reference/content-security-policy/
  turnstile: ['https://challenges.cloudflare.com'],
  // https://docs.hcaptcha.com/#content-security-policy-settings
  hcaptcha: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
}

const policyOf = (pictures: readonly string[], captcha: CaptchaProvider | undefined) => {
  const sources = captcha === undefined ? '' : ` ${captchaSources[captcha].join(' ')}`
  return [
    "default-src 'none'",
    `style-src 'self'${captcha === 'hcaptcha' ? sources : ''}`,
    `script-src 'self'${sources}`,
    ...(captcha === undefined ? [] : [`frame-src${sources}`]),
    pictureDirective(pictures),
    `connect-src 'self'${captcha === 'hcaptcha' ? sources : ''}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    // Scripts of providers make elements from text.
    ...(captcha === undefined ? ["require-trusted-types-for 'script'", "trusted-types 'none'"] : []),
  ].join('; ')
}

/**
 * @param pictures the origins that pictures come from, besides the page's own; an origin that could change the policy is left out.
 * @param captcha the provider whose widget the page shows.
 */
export function setPageHeaders(reply: FastifyReply, pictures: readonly string[] = [], captcha?: CaptchaProvider) {
  reply.headers({
    'content-security-policy': policyOf(pictures, captcha),
    // A page of another site learns nothing; our own pages see that the form comes from one of them. A provider learns the host, which it
    // checks.
    'referrer-policy': captcha === undefined ? 'same-origin' : 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    vary: 'accept-language, cookie',
  })
}
