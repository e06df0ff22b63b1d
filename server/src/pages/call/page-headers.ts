// The headers of every page.
import type { FastifyReply } from 'fastify'

/** A host may contain characters that end a directive, or a whole policy (https://url.spec.whatwg.org/#forbidden-host-code-point). */
const plainOrigin = /^https?:\/\/[\w.[\]:-]+$/

/** The pictures of a tenant, beside those of the page's own origin, as a directive. Any origin that could change the policy is left out. */
export const pictureDirective = (pictures: readonly string[]): string =>
  `img-src ${["'self'", ...pictures.filter((origin) => plainOrigin.test(origin))].join(' ')}`

const policyOf = (pictures: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    pictureDirective(pictures),
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** @param pictures the origins that pictures come from, besides the page's own; an origin that could change the policy is left out. */
export function setPageHeaders(reply: FastifyReply, pictures: readonly string[] = []) {
  reply.headers({
    'content-security-policy': policyOf(pictures),
    // A page of another site learns nothing; our own pages see that the form comes from one of them.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    vary: 'accept-language, cookie',
  })
}
