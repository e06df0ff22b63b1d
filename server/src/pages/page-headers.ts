// What every page says to the browser beside its text.
import type { FastifyReply } from 'fastify'
import type { TenantEntry } from '../tenancy/tenants/tenant-directory.ts'

/** Pictures come from this host, and from where the tenant's logo and icon are. */
function pictureOrigins({ row }: TenantEntry): string[] {
  const addresses = [row.logo_uri, row.icon_uri].filter(
    (uri) => uri !== null && /^https?:/.test(uri) && URL.canParse(uri),
  )
  return [...new Set(addresses.map((uri) => new URL(uri ?? '').origin))]
}

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

export function setPageHeaders(reply: FastifyReply, tenant?: TenantEntry) {
  reply.headers({
    'content-security-policy': policyOf(tenant === undefined ? [] : pictureOrigins(tenant)),
    // A page of another site learns nothing; our own see that the form comes from one of them.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    vary: 'accept-language, cookie',
  })
}
