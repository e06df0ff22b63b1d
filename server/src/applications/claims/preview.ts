// Shows the tokens that a user would get, made by the functions that make real ones, without a signature.
import type { ClaimToken, ClaimsPreview, PreviewClaims } from '@bailiwick/contract'
import { findLastSignIn } from '../../identity/connection-sign-ins/connection-sign-ins.ts'
import type { Deps } from '../../identity/deps.ts'
import { findMembershipOf } from '../../identity/organizations/membership-of.ts'
import {
  type ClaimAudience,
  type ClaimSubject,
  claimValues,
  withSources,
} from '../../identity/session-tokens/custom-claims.ts'
import { sessionPayload } from '../../identity/session-tokens/session-jwt.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { proofClaims } from '../../identity/sessions/proof.ts'
import { getUser } from '../../identity/users/users.ts'
import { ApiError, invalid } from '../../platform/http/api-error.ts'
import { type OrganizationId, type TenantId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { type Claims, addClaims } from '../../tenancy/tenants/claims/add-claims.ts'
import { compileClaims, tellsOfSignIn } from '../../tenancy/tenants/claims/compile.ts'
import { claimIssues } from '../../tenancy/tenants/claims/document.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { ApplicationRow } from '../applications/application-records.ts'
import { applications } from '../applications/tables.ts'
import { accessClaims, accountOf } from '../engine/configuration/accounts.ts'
import { claimsByScope } from '../engine/configuration/requested-claims.ts'
import { runInTenancy } from '../engine/tenancy.ts'
import { resources } from '../resources/tables.ts'
import { issuerOfTenant } from '../settings/issuer.ts'
import { oauthSettingsOf } from '../settings/oauth-settings.ts'

/** The length of the header, the dots and the signature of a token. */
const envelopeBytes = 190

interface Parties extends ClaimSubject {
  readonly tenant: TenantEntry
  readonly application: ApplicationRow | undefined
}

/** The session that the user would have right after a sign-in with a password and a second factor. */
function freshSession({ clock }: Deps, { tenant, user, membership }: Parties): Pick<LiveSession, 'row' | 'tenant'> {
  const at = clock.now()
  const none = { browser: null, device: null, engine: null, os: null, cpu: null, ua: null, ip: null }
  const row: LiveSession['row'] = {
    ...none,
    tenant_id: tenant.row.id,
    id: newId<'SessionId'>(),
    user_id: user.row.id,
    user_status: user.row.status,
    user_is_anonymous: user.row.is_anonymous,
    sign_in_attempt_id: null,
    sign_up_attempt_id: null,
    actor_type: null,
    actor_id: null,
    organization_id: (membership?.organizationId ?? null) as OrganizationId | null,
    is_followed: 0,
    expires_at: at,
    last_active_at: at,
    auth_time: at,
    second_factor_at: at,
    factors: toJson(['email_password', 'authenticator_code']),
    created_at: at,
    updated_at: at,
  }
  return { tenant, row }
}

/** Measures one token; without the tenant's claims where they are too large for it. */
function previewed(
  { tenant, application: _application, ...subject }: Parties,
  token: ClaimToken,
  payload: object,
  audience: ClaimAudience,
): ClaimsPreview['session'] {
  const values = claimValues(tenant.claims?.byToken[token] ?? [], subject, audience)
  const { claims = {}, bytes: claimBytes } = addClaims({}, values)
  const whole: Claims = { ...claims, ...payload }
  const json = Buffer.from(JSON.stringify(whole))
  const bytes = token === 'userinfo' ? json.length : json.toString('base64url').length + envelopeBytes
  return { payload: whole, bytes, claimBytes, isTooLarge: Object.keys(claims).length < Object.keys(values).length }
}

async function findResource({ db }: Deps, tenantId: TenantId, audience: string | undefined) {
  if (audience === undefined) return resources.first(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT 1`
  const row = await resources.first(db)`tenant_id = ${tenantId} AND indicator = ${audience}`
  if (row === undefined) throw invalid('/audience', 'unknown_reference', 'is not a resource of this tenant')
  return row
}

/** @throws ApiError validation_failed for records that the tenant does not have. */
async function findParties(deps: Deps, tenant: TenantEntry, input: PreviewClaims): Promise<Parties> {
  const { userId, organizationId = null, applicationId = null } = input
  const { db, clock } = deps
  const tenantId = tenant.row.id
  const unknown = (path: string, what: string) => invalid(path, 'unknown_reference', `is not ${what} of this tenant`)
  const user = await getUser(deps, tenantId, userId).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'not_found' ? unknown('/userId', 'a user') : error
  })
  if (user.row.status !== 'active') throw invalid('/userId', 'not_active', 'is a user who may not sign in')
  const [membership, application] = await Promise.all([
    organizationId === null
      ? undefined
      : findMembershipOf({ db, clock }, tenantId, organizationId, user.row.id, tenant.claims?.needsMeta),
    applicationId === null ? undefined : applications.byKey(db, tenantId, applicationId),
  ])
  if (organizationId !== null && membership === undefined) {
    throw invalid('/organizationId', 'unknown_reference', 'is not an organization that the user is a member of')
  }
  if (applicationId !== null && application === undefined) throw unknown('/applicationId', 'an application')
  const claims = Object.values(tenant.claims?.byToken ?? {}).flat()
  const subject = await withSources(deps, tenant, claims, { user, membership })
  const signIn = claims.some(tellsOfSignIn)
    ? await findLastSignIn(deps, tenantId, user.row.id, membership?.organizationId)
    : undefined
  return { ...subject, signIn, tenant, application }
}

/** @throws ApiError validation_failed for claims that could not be stored. */
function withDraft(present: TenantEntry, { claims, scopes = [] }: PreviewClaims): TenantEntry {
  if (claims === undefined) return present
  const draft = { claims, scopes }
  const issues = claimIssues(draft)
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  return { ...present, claims: compileClaims(draft) }
}

/**
 * Makes the tokens of a user, with the present claims of the tenant or with others.
 * @throws ApiError not_found, validation_failed
 */
export async function previewClaims(deps: Deps, tenantId: TenantId, input: PreviewClaims): Promise<ClaimsPreview> {
  const present = await getTenant(deps, tenantId)
  const tenant = withDraft(present, input)
  const parties = await findParties(deps, tenant, input)
  const { user, membership, application } = parties
  const { tenancyOf } = await import('../engine/requests.ts')
  const settings = await oauthSettingsOf(deps.db, present)
  const issuer = issuerOfTenant(deps, present, settings)
  const anonymous = { type: 'anonymous', id: null, ip: null, ua: null } as const
  const tenancy = await tenancyOf(deps, { tenant: present, settings, issuer }, anonymous, null)
  const family = 'preview'
  tenancy.store.familyOf.set(family, {
    grantId: null,
    organizationId: (membership?.organizationId ?? null) as OrganizationId | null,
  })
  const resource = await findResource(deps, tenantId, input.audience)
  const resourceScopes = resource === undefined ? [] : fromJson(resource.scopes).map(({ name }) => name)
  const [standard, access] = await runInTenancy(tenancy, async () => {
    const account = await accountOf(user.row.id, () => family, true)
    return [await account?.claims(), await accessClaims(user.row.id, family, resourceScopes)] as const
  })
  const session = freshSession(deps, parties)
  const iat = Math.floor(deps.clock.nowMs() / 1000)
  const clientId = application?.client_id ?? 'client_id'
  const common = { iss: issuer.id, sub: user.row.id, iat }
  const scopes = new Set([...Object.keys(claimsByScope), ...(tenant.claims?.scopes.keys() ?? [])])
  const audience = {
    applicationId: application?.id,
    scopes,
    isThirdParty: application !== undefined && application.origin !== 'manual',
  }
  const idToken = {
    ...standard,
    ...common,
    aud: clientId,
    exp: iat + settings.idTokenTtl,
    ...proofClaims(session.row),
  }
  const accessToken = {
    ...common,
    aud: resource?.indicator ?? 'resource',
    client_id: clientId,
    scope: resourceScopes.join(' '),
    exp: iat + (application?.access_token_ttl ?? settings.accessTokenTtl),
    jti: newId(),
    ...access,
  }
  // The session's own payload has no claims of the tenant yet, which are added and measured like the others.
  const ofSession = await sessionPayload(deps, session, user, { isOwnClaimsOnly: true })
  return {
    session: previewed(parties, 'session', ofSession, {}),
    id: previewed(parties, 'id', idToken, audience),
    access: previewed(parties, 'access', accessToken, {
      ...audience,
      audience: resource?.indicator,
      scopes: new Set([...scopes, ...resourceScopes]),
    }),
    userinfo: previewed(parties, 'userinfo', standard ?? {}, audience),
  }
}
