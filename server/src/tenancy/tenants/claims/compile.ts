// The claims of a tenant in the form in which tokens are made: sorted by where they appear, with their sources taken apart. Made once for
// each entry of the directory, so that a token costs no query for them.
import {
  type ClaimField,
  type TokenClaim,
  type ClaimMeta,
  type ClaimToken,
  type ClaimsDocument,
  claimTokens,
  readClaimSource,
} from '@bailiwick/contract'

export interface CompiledClaim {
  readonly name: string
  readonly field: ClaimField | ClaimMeta
  /** The names that lead to the value within the field. */
  readonly path: readonly string[]
  readonly mapping: TokenClaim
}

export interface CompiledClaims {
  readonly byToken: Readonly<Record<ClaimToken, readonly CompiledClaim[]>>
  /** What consent pages say of the tenant's own scopes, by name. */
  readonly scopes: ReadonlyMap<string, string>
  /** Whether a claim needs the metadata of organizations or memberships. */
  readonly needsMeta: boolean
  /** The claims of identity providers that are kept of a sign-in. */
  readonly idpClaims: readonly string[]
}

/** Whether a claim says how the session began, which is read only then. */
export const tellsOfSignIn = ({ field }: CompiledClaim): boolean => /^(?:connection|idp)\./.test(field)

/** Whether a claim lists the user's organizations, which are read only then. */
export const listsOrganizations = ({ field }: CompiledClaim): boolean => field.startsWith('organizations.')

const isOfOrganizationMeta = ({ field }: CompiledClaim) =>
  /^(?:organization|membership)\.(?:public|private)Meta$/.test(field)

function compiled(mapping: TokenClaim): CompiledClaim[] {
  const source = readClaimSource(mapping.source)
  return source === undefined ? [] : [{ name: mapping.claim, ...source, mapping }]
}

export function compileClaims({ claims, scopes }: ClaimsDocument): CompiledClaims {
  const all = claims.flatMap(compiled)
  const inToken = (token: ClaimToken) => all.filter(({ mapping }) => mapping.in.includes(token))
  return {
    byToken: Object.fromEntries(claimTokens.map((token) => [token, inToken(token)])) as Record<
      ClaimToken,
      CompiledClaim[]
    >,
    scopes: new Map(scopes.map(({ name, description }) => [name, description])),
    needsMeta: all.some(isOfOrganizationMeta),
    idpClaims: [...new Set(all.flatMap(({ field, path }) => (field === 'idp.claims' ? path : [])))],
  }
}
