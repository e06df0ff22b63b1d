// The claims that a tenant adds to the tokens of a user, made from what the request has read anyway.
import { type ClaimField, type TokenClaim, type ClaimMeta, type ClaimToken, claimBytesMax } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { SessionId, UserId } from '../../platform/ids.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import { type Claims, addClaims } from '../../tenancy/tenants/claims/add-claims.ts'
import { type CompiledClaim, listsOrganizations, tellsOfSignIn } from '../../tenancy/tenants/claims/compile.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type ConnectionSignIn, findSignInOfSession } from '../connection-sign-ins/connection-sign-ins.ts'
import type { Deps } from '../deps.ts'
import { type Membership, permissionsOfMember, roleNameForTokens } from '../organizations/membership-of.ts'
import { type CurrentOrganization, findCurrentOrganizations } from '../organizations/memberships-of-user.ts'
import type { UserRecord } from '../users/present.ts'
import { claimsOfHooks } from './hooked-claims.ts'

/** Whom a token is for. */
export interface ClaimSubject {
  readonly user: UserRecord
  /** That of the organization that the token is for; undefined without one. */
  readonly membership: Membership | undefined
  /** All organizations of the user; undefined unless a claim lists them. */
  readonly organizations?: readonly CurrentOrganization[] | undefined
  /** The session with which the user has signed in. */
  readonly sessionId?: SessionId | undefined
  /** The connection with which that session began; undefined unless a claim tells of it. */
  readonly signIn?: ConnectionSignIn | undefined
}

/** The application that a token of the authorization server is issued to; session JWTs have none. */
export interface ClaimAudience {
  readonly applicationId?: string | undefined
  readonly audience?: string | undefined
  /** What the user has allowed the application of what it has requested. */
  readonly scopes?: ReadonlySet<string>
  /** Whether the client has registered or described itself: it gets only what a scope asks the user for. */
  readonly isThirdParty?: boolean
}

const readMeta = (text: JsonText<unknown> | undefined): unknown => (text === undefined ? undefined : fromJson(text))

const primary = <Contact extends { readonly id: string }>(contacts: readonly Contact[], id: string | null) =>
  contacts.find((each) => each.id === id)

const primaryEmail = ({ user }: ClaimSubject) => primary(user.emailAddresses, user.row.primary_email_id)
const primaryPhone = ({ user }: ClaimSubject) => primary(user.phoneNumbers, user.row.primary_phone_id)

/** The table of sources: nothing else of a record can become a claim. */
const readers: Readonly<Record<Exclude<ClaimField, 'constant'> | ClaimMeta, (subject: ClaimSubject) => unknown>> = {
  'user.id': ({ user }) => user.row.id,
  'user.name': ({ user }) => user.row.name,
  'user.firstName': ({ user }) => user.row.first_name,
  'user.lastName': ({ user }) => user.row.last_name,
  'user.username': ({ user }) => user.row.username,
  'user.email': (subject) => primaryEmail(subject)?.email,
  'user.emailVerified': (subject) => (primaryEmail(subject)?.verified_at ?? null) !== null,
  'user.phone': (subject) => primaryPhone(subject)?.phone,
  'user.phoneVerified': (subject) => (primaryPhone(subject)?.verified_at ?? null) !== null,
  'user.imageUri': ({ user }) => user.row.image_uri,
  'user.locale': ({ user }) => user.row.locale,
  'user.timezone': ({ user }) => user.row.timezone,
  'user.createdAt': ({ user }) => user.row.created_at,
  'user.isAnonymous': ({ user }) => user.row.is_anonymous === 1,
  'user.publicMeta': ({ user }) => readMeta(user.row.public_meta),
  'user.privateMeta': ({ user }) => readMeta(user.row.private_meta),
  'role.id': ({ user }) => user.role?.id,
  'role.name': ({ user }) => user.role?.name,
  'role.permissions': ({ user }) => user.role && fromJson(user.role.permissions),
  'organization.id': ({ membership }) => membership?.organizationId,
  'organization.name': ({ membership }) => membership?.organization.name,
  'organization.slug': ({ membership }) => membership?.organization.slug,
  'organization.publicMeta': ({ membership }) => readMeta(membership?.meta?.organizationPublic),
  'organization.privateMeta': ({ membership }) => readMeta(membership?.meta?.organizationPrivate),
  'membership.id': ({ membership }) => membership?.id,
  'membership.role': ({ membership }) => membership && (roleNameForTokens(membership) ?? undefined),
  'membership.permissions': ({ membership }) => membership && permissionsOfMember(membership),
  'organizations.id': ({ organizations }) => organizations?.map(({ id }) => id),
  'organizations.name': ({ organizations }) => organizations?.map(({ name }) => name),
  'organizations.slug': ({ organizations }) => organizations?.map(({ slug }) => slug),
  'membership.publicMeta': ({ membership }) => readMeta(membership?.meta?.public),
  'membership.privateMeta': ({ membership }) => readMeta(membership?.meta?.private),
  'connection.id': ({ signIn }) => signIn?.connectionId,
  'connection.name': ({ signIn }) => signIn?.name,
  'connection.type': ({ signIn }) => signIn?.type,
  // What an organization's provider says counts for that organization alone.
  'idp.claims': ({ signIn, membership }) =>
    signIn?.organizationId === membership?.organizationId ? signIn?.claims : undefined,
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Follows the names into a value; what is inherited, such as `constructor`, is not there. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return at
}

const isNumeral = (value: string) => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)

/** Converts a value without guessing: undefined for one that has no such form. */
function converted(value: unknown, as: TokenClaim['as']): unknown {
  if (value === null || value === undefined) return undefined
  switch (as) {
    case undefined:
      return value
    case 'string':
      return isScalar(value) ? String(value) : undefined
    case 'number':
      if (typeof value === 'number') return value
      return typeof value === 'string' && isNumeral(value) ? Number(value) : undefined
    case 'boolean':
      if (typeof value === 'boolean') return value
      return value === 'true' ? true : value === 'false' ? false : undefined
    case 'list':
      if (isScalar(value)) return [value]
      return Array.isArray(value) && value.every(isScalar) ? value : undefined
  }
}

/** Attributes in SAML are always lists, so that a list with one value counts as that value where the tenant names a type. */
const singleValue = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value)

const isFor = ({ mapping }: CompiledClaim, { applicationId, audience, scopes, isThirdParty = false }: ClaimAudience) =>
  ((mapping.applicationId ?? null) === null || mapping.applicationId === applicationId) &&
  (mapping.audience === undefined || mapping.audience === audience) &&
  (mapping.scope === undefined ? !isThirdParty : scopes?.has(mapping.scope) === true)

/** Returns the values of those claims that are for the audience, without regard to their size. */
export function claimValues(claims: readonly CompiledClaim[], subject: ClaimSubject, audience: ClaimAudience): Claims {
  const values: Record<string, unknown> = {}
  for (const claim of claims) {
    if (!isFor(claim, audience)) continue
    const { name, field, path, mapping } = claim
    const raw = field === 'constant' ? mapping.value : valueAt(readers[field](subject), path)
    const isSaid = field === 'idp.claims' && mapping.as !== undefined
    const value = converted(isSaid ? singleValue(raw) : raw, mapping.as)
    if (value !== undefined) values[name] = value
    else if (mapping.ifMissing === 'null') values[name] = null
  }
  return values
}

const pauseMs = 60_000
/** The tenants whose claims have lately been omitted, so that each token does not write an event. */
const reported = new LRUCache<string, true>({ ...entriesAtMost(10_000), ttl: pauseMs })

async function reportOmitted(deps: Deps, { row }: TenantEntry, token: ClaimToken, userId: UserId, bytes: number) {
  const key = `${row.id} ${token}`
  if (reported.has(key)) return
  reported.set(key, true)
  const { db, clock, personal } = deps
  const actor = { type: 'system', id: null, ip: null, ua: null } as const
  const data = { token, userId, bytes, bytesMax: claimBytesMax }
  const event = { tenantId: row.id, type: 'tenant.claims_omitted', actor, subjectId: row.id, data } as const
  await db.write(() => [eventStatement(clock, personal, event)])
}

/** Returns the subject with the user's organizations, and with how its session began, if one of the claims tells of them. */
export async function withSources(
  deps: Deps,
  { row, auth }: TenantEntry,
  claims: readonly CompiledClaim[],
  subject: ClaimSubject,
): Promise<ClaimSubject> {
  const { db, clock } = deps
  const { sessionId, user } = subject
  const isListing = auth.organizationsEnabled && claims.some(listsOrganizations)
  const isTelling = sessionId !== undefined && claims.some(tellsOfSignIn)
  if (!isListing && !isTelling) return subject
  const [organizations, signIn] = await Promise.all([
    isListing ? findCurrentOrganizations({ db, clock }, row.id, user.row.id) : undefined,
    isTelling ? findSignInOfSession(deps, row.id, sessionId) : undefined,
  ])
  return { ...subject, ...(isListing ? { organizations } : {}), ...(isTelling ? { signIn } : {}) }
}

/**
 * Returns the tenant's claims for one token; none of them if they are too large for it, which is recorded.
 * @param token where they appear.
 * @throws ApiError hook_denied if a hook of the tenant lets no token be issued.
 */
export async function customClaims(
  deps: Deps,
  tenant: TenantEntry,
  token: ClaimToken,
  subject: ClaimSubject,
  audience: ClaimAudience = {},
): Promise<Claims> {
  const compiled = tenant.claims?.byToken[token] ?? []
  const hooked = await claimsOfHooks(deps, tenant, token, { ...subject, ...audience })
  if (compiled.length === 0 && Object.keys(hooked).length === 0) return {}
  // The tenant's own mappings come first: a hook cannot change what they say.
  const whole = await withSources(deps, tenant, compiled, subject)
  const added = addClaims(claimValues(compiled, whole, audience), hooked)
  if (added.claims !== undefined) return added.claims
  await reportOmitted(deps, tenant, token, subject.user.row.id, added.bytes)
  return {}
}
