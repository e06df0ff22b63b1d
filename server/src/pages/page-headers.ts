// What every page says to the browser beside its text.
import type { FastifyReply } from 'fastify'

const policyOf = (pictures: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src ${["'self'", ...pictures].join(' ')}`,
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** @param pictures the origins that pictures come from, beside the page's own. */
export function setPageHeaders(reply: FastifyReply, pictures: readonly string[] = []) {
  reply.headers({
    'content-security-policy': policyOf(pictures),
    // A page of another site learns nothing; our own see that the form comes from one of them.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    vary: 'accept-language, cookie',
  })
}
