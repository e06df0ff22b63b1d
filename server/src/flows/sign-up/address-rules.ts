// Which e-mail addresses new users may have. The rules hold for everybody who signs up alone, with a form or a social provider; whom
// somebody invites or creates is that person's decision.
import { type TenantAuthSettings, asciiDomain, canonicalEmail, emailKey } from '@bailiwick/contract'
import { ApiError } from '../../platform/http/api-error.ts'
import { isDisposable } from './disposable-domains.ts'
import { isInvited } from './invited-sign-up.ts'
import type { GivenFields } from './requirements.ts'

/** Returns `a.b.example`, `b.example` and `example` for the address of a mailbox at `a.b.example`. */
function domainsOf(email: string): readonly string[] {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

const isListed = (domains: readonly string[], list: readonly string[]) =>
  list.some((domain) => domains.includes(asciiDomain(domain) ?? domain))

function isAllowed(auth: TenantAuthSettings, email: string): boolean {
  const domains = domainsOf(canonicalEmail(email))
  if (auth.signUpDomains.length > 0 && !isListed(domains, auth.signUpDomains)) return false
  if (isListed(domains, auth.signUpBlockedDomains)) return false
  const key = emailKey(email)
  if (auth.signUpBlockedAddresses.some((blocked) => emailKey(blocked) === key)) return false
  return !auth.disposableEmailsRefused || !isDisposable(domains)
}

/**
 * Refuses an address with the same error whichever rule is against it.
 * @throws ApiError email_not_allowed
 */
export function assertAddressAllowed(auth: TenantAuthSettings, fields: GivenFields): void {
  const { email } = fields
  if (isInvited(fields) || email === undefined || isAllowed(auth, email)) return
  throw new ApiError('email_not_allowed')
}
