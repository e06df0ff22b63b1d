// The claims that a request names one by one, by the parameter `claims` (OpenID Connect Core 1.0 §5.5). A user is asked for them like for
// the scope that contains them; the application gets the named ones alone.

/** The standard claims that each scope of OpenID Connect requests, and the organization that the application acts for. */
export const claimsByScope = {
  openid: ['sub', 'org_id', 'auth_time', 'amr', 'acr'],
  profile: ['name', 'preferred_username', 'picture', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  org_name: ['org_name'],
  org_slug: ['org_slug'],
} as const

type Parameters = Readonly<Record<string, unknown>>

const scopeByClaim: ReadonlyMap<string, string> = new Map(
  Object.entries(claimsByScope)
    .filter(([scope]) => scope !== 'openid')
    .flatMap(([scope, claims]) => claims.map((claim) => [claim, scope] as const)),
)

/** Returns the scope that contains a claim. */
export const scopeWithClaim = (claim: string): string => scopeByClaim.get(claim) ?? 'openid'

const isRequested = (value: unknown) => value === null || (typeof value === 'object' && !Array.isArray(value))

/** Returns the claims that a user can allow or refuse. */
export function requestedClaims({ claims }: Parameters): readonly string[] {
  if (typeof claims !== 'string') return []
  try {
    const { id_token: idToken, userinfo } = JSON.parse(claims) as Readonly<Record<string, object | null>>
    const named = [idToken, userinfo].flatMap((each) => Object.entries(each ?? {}))
    const names = named.filter(([name, value]) => scopeByClaim.has(name) && isRequested(value)).map(([name]) => name)
    return [...new Set(names)]
  } catch {
    return []
  }
}

/** Returns the claims that scopes contain. */
export const claimsOfScopes = (scopes: readonly string[]): readonly string[] =>
  scopes.flatMap((scope) => claimsByScope[scope as keyof typeof claimsByScope] ?? [])
