// Short-lived JWTs that resource servers verify offline: ES256, `at+jwt`. RFC 9068 defines the type, RFC 8725 what a token must contain.
import { sign } from 'node:crypto'
import { toMs } from '../../platform/clock.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import { actingObstacle } from '../organizations/acting-for.ts'
import { findMembershipOf, permissionsOfMember, roleNameForTokens } from '../organizations/membership-of.ts'
import type { LiveSession } from '../sessions/live-session.ts'
import { type ProofClaims, proofClaims } from '../sessions/proof.ts'
import { endOfSession } from '../sessions/session-limits.ts'
import type { UserRecord } from '../users/present.ts'
import { customClaims } from './custom-claims.ts'
import type { Signer } from './signers.ts'

export const jwtSecondsDefault = 60
export const jwtType = 'at+jwt'

/** The issuer of a tenant's tokens: the address of its frontend interface. */
export const issuerOf = (deps: Deps, { auth }: TenantEntry) =>
  auth.frontendApiUri ?? frontendBaseUrl(deps.config.baseUrl)

/** Returns a JWT of one of the tenant's kinds, signed with ES256. */
export function signJwt({ kid, key }: Signer, typ: string, payload: object): string {
  const signed = `${encoded({ alg: 'ES256', typ, kid })}.${encoded(payload)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Consumers that trust an address or number must know whether its owner was verified, so each comes with a claim that says so. */
function identityOf({ row, emailAddresses, phoneNumbers, role }: UserRecord) {
  const email = emailAddresses.find(({ id }) => id === row.primary_email_id)
  const phone = phoneNumbers.find(({ id }) => id === row.primary_phone_id)
  return {
    name: row.name,
    username: row.username,
    image: row.image_uri,
    email: email?.email ?? null,
    emailVerified: email !== undefined && email.verified_at !== null,
    phone: phone?.phone ?? null,
    phoneVerified: phone !== undefined && phone.verified_at !== null,
    role: role?.name ?? null,
    permissions: role === undefined ? [] : fromJson(role.permissions),
    ...(row.is_anonymous === 1 ? { isAnonymous: true } : {}),
  }
}

export interface JwtOptions {
  /** The organization that the token is issued for; if left out, the one that the session acts for. */
  readonly orgId?: string | null
  readonly ttlSeconds?: number
  /** Leaves out what the tenant's mappings and hooks add. */
  readonly isOwnClaimsOnly?: boolean
}

const noOrganization = { orgId: null, orgRole: null, orgPermissions: [] }

/**
 * Returns undefined if the user is not a member of the organization, or if the tenant has organizations switched off; the error if the
 * organization requires more of the session.
 */
async function organizationClaims(
  deps: Deps,
  { row, tenant: { auth, claims: custom } }: Pick<LiveSession, 'row' | 'tenant'>,
  user: UserRecord,
  orgId: string | null,
) {
  if (orgId === null) return { membership: undefined, claims: noOrganization }
  if (!auth.organizationsEnabled) return undefined
  const membership = await findMembershipOf(deps, user.row.tenant_id, orgId, user.row.id, custom?.needsMeta)
  if (membership === undefined) return undefined
  const obstacle = actingObstacle(row, auth, membership, deps.clock.nowMs())
  if (obstacle !== undefined) return obstacle
  const orgPermissions = permissionsOfMember(membership)
  return { membership, claims: { orgId, orgRole: roleNameForTokens(membership), orgPermissions } }
}

type IdentifyingClaims = ProofClaims & {
  readonly sub: string
  readonly iss: string
  readonly aud: string
  readonly exp: number
}

/** Returns the claims of a JWT that was just made which say whose it is, how long it is valid, and what its user has proven. */
export function identifyingClaims(jwt: string): IdentifyingClaims {
  const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()
  const { sub, iss, aud, exp, auth_time, acr, amr } = JSON.parse(payload) as IdentifyingClaims
  return { sub, iss, aud, exp, auth_time, acr, ...(amr === undefined ? {} : { amr }) }
}

/**
 * Returns what a JWT for a live session contains: the service's claims, and those that the tenant adds.
 * @throws ApiError not_found if an organization was asked for that the user is not a member of; second_factor_required,
 * reauthentication_required if it requires more of the session.
 */
export async function sessionPayload(
  deps: Deps,
  session: Pick<LiveSession, 'row' | 'tenant'>,
  user: UserRecord,
  { orgId, ttlSeconds = jwtSecondsDefault, isOwnClaimsOnly = false }: JwtOptions = {},
) {
  const { row, tenant } = session
  const found = await organizationClaims(deps, session, user, orgId === undefined ? row.organization_id : orgId)
  // A user who was removed from the session's organization, or may not act for it, still gets tokens, which do not name it.
  const isRefused = found === undefined || found instanceof ApiError
  if (isRefused && orgId !== undefined) throw found ?? notFound()
  const { membership, claims } = isRefused ? { membership: undefined, claims: noOrganization } : found
  const iat = Math.floor(deps.clock.nowMs() / 1000)
  const roleEnd = user.role === undefined ? null : user.row.role_expires_at
  const ends = [endOfSession(tenant, row), membership?.endsAt ?? null, roleEnd].filter((end) => end !== null)
  const actor = row.actor_type === null ? {} : { act: { type: row.actor_type, sub: row.actor_id } }
  return {
    ...(isOwnClaimsOnly ? {} : await customClaims(deps, tenant, 'session', { user, membership, sessionId: row.id })),
    iss: issuerOf(deps, tenant),
    sub: user.row.id,
    aud: tenant.row.public_key,
    iat,
    nbf: iat,
    exp: Math.min(iat + ttlSeconds, ...ends.map((end) => Math.floor(toMs(end) / 1000))),
    jti: newId(),
    ...proofClaims(row),
    ...actor,
    claims: { sessionId: row.id, ...identityOf(user), ...claims },
  }
}

/**
 * Makes a JWT for a live session, which it never outlives.
 * @throws ApiError as `sessionPayload` does.
 */
export async function createSessionJwt(
  deps: Deps,
  session: Pick<LiveSession, 'row' | 'tenant'>,
  user: UserRecord,
  options: JwtOptions = {},
): Promise<string> {
  const [signer, payload] = await Promise.all([
    deps.signers.of(session.tenant),
    sessionPayload(deps, session, user, options),
  ])
  return signJwt(signer, jwtType, payload)
}
