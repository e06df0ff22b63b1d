// The access token of a machine application as a credential of the management interface. It proves which application it was issued to,
// which may do only what both the token and its present rights allow.
import type { JWTPayload } from 'jose'
import { byHost } from '../../../flows/frontend/tenant-of-request.ts'
import type { Deps } from '../../../identity/deps.ts'
import { type Timestamp, fromMs } from '../../../platform/clock.ts'
import type { FindByJwt } from '../../../platform/http/credentials/authenticate.ts'
import type { ApplicationPrincipal } from '../../../platform/http/credentials/principal.ts'
import type { TenantEntry } from '../../../tenancy/tenants/tenant-entry.ts'
import { findApplicationOfClient } from '../../applications/application-records.ts'
import { issuerServedAt, placesOf, tenantPath } from '../../settings/issuer.ts'
import { oauthSettingsOf } from '../../settings/oauth-settings.ts'
import { verifyAccessJwt } from './access-jwt.ts'
import { managementIndicator, managementScopesFor } from './management-resource.ts'

const requiredClaims = ['sub', 'exp', 'iat', 'jti', 'client_id', 'scope']

/** Reads the claims of a token without trusting them. */
function unverifiedClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Returns the tenant that is served under an issuer identifier now. */
async function tenantOfIssuer(deps: Deps, issuer: string): Promise<TenantEntry | undefined> {
  const prefix = placesOf(deps.config)
    .map(({ origin }) => origin + tenantPath(''))
    .find((each) => issuer.startsWith(each))
  let tenant: TenantEntry | undefined
  let domain: string | null = null
  if (prefix !== undefined) tenant = await deps.tenants.byId(issuer.slice(prefix.length))
  else if (URL.canParse(issuer)) {
    const { hostname } = new URL(issuer)
    tenant = await byHost(deps, hostname)
    domain = hostname
  }
  if (tenant === undefined) return undefined
  const served = issuerServedAt(deps, tenant, await oauthSettingsOf(deps.db, tenant), domain)
  return served?.identifiers.includes(issuer) === true ? tenant : undefined
}

async function principalOf(deps: Deps, tenant: TenantEntry, payload: JWTPayload) {
  const { client_id: clientId, sub, aud, cnf, scope, exp = 0 } = payload
  // A user's token names the user, and a token that is bound to a key is worthless without its proof.
  if (typeof clientId !== 'string' || sub !== clientId || Array.isArray(aud) || cnf !== undefined) return undefined
  const record = await findApplicationOfClient(deps.db, tenant, clientId)
  if (record === undefined || typeof scope !== 'string') return undefined
  const asked = new Set(scope.split(' '))
  const scopes = managementScopesFor(record.row).filter((each) => asked.has(each))
  if (scopes.length === 0) return undefined
  const expiresAt: Timestamp = fromMs(exp * 1000)
  return {
    type: 'application',
    tenantId: tenant.row.id,
    id: record.row.id,
    scopes: new Set(scopes),
    expiresAt,
  } as const
}

/** Returns whether a JWT claims to be for the management interface. That proves nothing. */
export const isForManagement = ({ config }: Pick<Deps, 'config'>, token: string): boolean =>
  unverifiedClaims(token)?.['aud'] === managementIndicator(config)

/** Finds the machine application that a token was issued to. */
export const applicationByJwtFinder =
  (deps: Deps): FindByJwt =>
  async (token, beforeLookUp): Promise<ApplicationPrincipal | undefined> => {
    beforeLookUp?.()
    const issuer = unverifiedClaims(token)?.['iss']
    const tenant = typeof issuer === 'string' ? await tenantOfIssuer(deps, issuer) : undefined
    if (typeof issuer !== 'string' || tenant === undefined) return undefined
    const audience = managementIndicator(deps.config)
    const payload = await verifyAccessJwt(deps, tenant, token, { issuer, audience, requiredClaims })
    return payload && principalOf(deps, tenant, payload)
  }
