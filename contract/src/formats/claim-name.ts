// The names that a tenant may give to claims of its own. Those that the service, OAuth and OpenID Connect give a meaning to can never be
// set: whoever sets them decides who a token is for and what it allows (CVE-2024-29892).

/** RFC 7519 §4.1, RFC 7662 §2.2, RFC 7800, RFC 8693 §4, RFC 9068 §2.2, OpenID Connect Core 1.0 §§ 2, 3.1.3.6, 5.1, 5.6, and our own. */
const reserved: ReadonlySet<string> = new Set(
  [
    'iss sub aud exp nbf iat jti act may_act azp client_id scope scopes scp cnf sid gid acr amr auth_time nonce',
    'at_hash c_hash s_hash events sub_id sub_jwk active token_type username authorization_details permissions claims',
    'org_id org_name org_slug name given_name family_name middle_name nickname preferred_username profile picture',
    'website email email_verified phone_number phone_number_verified updated_at address verified_claims typ alg kid',
    'crit jku jwk x5u _claim_names _claim_sources __proto__ prototype constructor error error_description',
  ].flatMap((row) => row.split(' ')),
)

/** Returns whether a claim belongs to the service; some consumers compare without regard to case. */
export const isReservedClaim = (name: string): boolean => reserved.has(name.toLowerCase())

export const reservedClaims: readonly string[] = [...reserved]

export const claimNameRule =
  'must be a name such as plan or https://hasura.io/roles: 1 to 100 letters, digits, and _ - . : /, starting with a letter or _, and none that tokens reserve, such as sub, email or permissions'

export const isClaimName = (name: string): boolean => /^[A-Za-z_][\w.:/-]{0,99}$/.test(name) && !isReservedClaim(name)

/** The records' fields that claims can be made from. Tokens never contain more than what is listed here. */
export const claimSources = [
  'user.id',
  'user.name',
  'user.firstName',
  'user.lastName',
  'user.username',
  'user.email',
  'user.emailVerified',
  'user.phone',
  'user.phoneVerified',
  'user.imageUri',
  'user.locale',
  'user.timezone',
  'user.createdAt',
  'user.isAnonymous',
  'role.id',
  'role.name',
  'role.permissions',
  'organization.id',
  'organization.name',
  'organization.slug',
  'membership.id',
  'membership.role',
  'membership.permissions',
  'organizations.id',
  'organizations.name',
  'organizations.slug',
  'connection.id',
  'connection.name',
  'connection.type',
  'constant',
] as const

/** What a source names with a path, such as user.publicMeta.plan, or with the name of a claim, such as idp.claims.department. */
export const claimMetaSources = [
  'user.publicMeta',
  'user.privateMeta',
  'organization.publicMeta',
  'organization.privateMeta',
  'membership.publicMeta',
  'membership.privateMeta',
  'idp.claims',
] as const

export type ClaimField = (typeof claimSources)[number]
export type ClaimMeta = (typeof claimMetaSources)[number]

export const claimSourceRule =
  'must be one of the sources, such as user.id, role.name or organization.slug, up to five names within a publicMeta or privateMeta, such as user.publicMeta.plan, or idp.claims. and the name of a claim of the identity provider'

const name = /^[\w-]{1,64}$/
const depthMax = 5
/** Of claims and attributes of identity providers, which are often URIs. */
const idpNameMax = 256
const isIdpName = (text: string) =>
  text !== '' && text.length <= idpNameMax && text === text.trim() && !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(text)

/** Takes a source apart; undefined if it is none. */
export function readClaimSource(
  source: string,
): { readonly field: ClaimField | ClaimMeta; readonly path: readonly string[] } | undefined {
  const field = claimSources.find((each) => each === source)
  if (field !== undefined) return { field, path: [] }
  const meta = claimMetaSources.find((each) => source.startsWith(`${each}.`))
  if (meta === undefined) return undefined
  const rest = source.slice(meta.length + 1)
  if (meta === 'idp.claims') return isIdpName(rest) ? { field: meta, path: [rest] } : undefined
  const path = rest.split('.')
  return path.length <= depthMax && path.every((each) => name.test(each)) ? { field: meta, path } : undefined
}

export const isClaimSource = (source: string): boolean => readClaimSource(source) !== undefined

/** Where a claim can appear: session JWTs, ID tokens, access tokens of applications, and the answers of the userinfo endpoint. */
export const claimTokens = ['session', 'id', 'access', 'userinfo'] as const
export type ClaimToken = (typeof claimTokens)[number]
export const claimTypes = ['string', 'number', 'boolean', 'list'] as const
export const missingClaimRules = ['omit', 'null'] as const

/** The most that all claims of a tenant in one token may take as JSON: cookies and headers with larger tokens break. */
export const claimBytesMax = 4096
