// Where the hosted pages of a tenant are. Nothing here needs React, so that servers and middleware can use it too.
import type { RecentProof } from './auth-state.ts'

export interface HostedPagesOptions {
  /** The frontend's base address: `BAILIWICK_FRONTEND_API_URL` of the tenant's environment. */
  readonly frontendApiUrl: string
  /** The tenant's id, which the pages' addresses contain unless the service is on a domain of the tenant's own. */
  readonly tenantId?: string | undefined
  /** The beginning of all addresses of the pages, such as `https://login.acme.example`; derived from the two above unless given. */
  readonly pagesUrl?: string | undefined
}

export interface HostedPages {
  /** @param redirectTo the address to which the browser returns; the sign-in rules must list this whole address. */
  readonly signIn: (redirectTo?: string) => string
  /** @param redirectTo as for `signIn`. */
  readonly signUp: (redirectTo?: string) => string
  /** @param redirectTo as for `signIn`. */
  readonly signOut: (redirectTo?: string) => string
  /** The page on which an invitation is accepted, whether its reader has an account or not. */
  readonly invitation: (token: string) => string
  /** The page that receives a social provider's answer. */
  readonly providerReturn: (redirectTo?: string) => string
  /**
   * The page on which the user proves once more who it is.
   * @param redirectTo as for `signIn`.
   */
  readonly verify: (proof: RecentProof, redirectTo?: string) => string
  readonly resetPassword: string
  readonly account: string
  readonly organizations: string
  readonly organization: (id: string) => string
}

export const isLoopbackAddress = (host: string): boolean => host === '127.0.0.1' || host === '[::1]'

/**
 * Returns the address by which browsers reach the service. A passkey belongs to a name and never to an IP address, so in development the
 * pages, and the cookies that they set, are at `localhost`.
 */
export function browserAddress(address: string): string {
  const url = new URL(address)
  if (isLoopbackAddress(url.hostname)) url.hostname = 'localhost'
  return url.href.replace(/\/+$/, '')
}

/**
 * The addresses of a tenant's hosted pages.
 * @throws TypeError for an address that cannot be parsed.
 */
export function hostedPages({ frontendApiUrl, tenantId, pagesUrl }: HostedPagesOptions): HostedPages {
  const { origin } = new URL(frontendApiUrl)
  const root = browserAddress(pagesUrl ?? (tenantId === undefined ? origin : `${origin}/t/${tenantId}`))
  const leadingBack =
    (path: string, sign = '?') =>
    (redirectTo?: string) =>
      redirectTo === undefined ? root + path : `${root}${path}${sign}redirect_to=${encodeURIComponent(redirectTo)}`
  return {
    signIn: leadingBack('/sign-in'),
    signUp: leadingBack('/sign-up'),
    signOut: leadingBack('/sign-out'),
    invitation: (token) => `${root}/invitation?token=${encodeURIComponent(token)}`,
    providerReturn: leadingBack('/return'),
    verify: ({ level = 'recent', maxAge }, redirectTo) =>
      leadingBack(`/verify?level=${level}${maxAge === undefined ? '' : `&maxAge=${maxAge}`}`, '&')(redirectTo),
    resetPassword: `${root}/reset-password`,
    account: `${root}/account`,
    organizations: `${root}/organizations`,
    organization: (id) => `${root}/organizations/${encodeURIComponent(id)}`,
  }
}
