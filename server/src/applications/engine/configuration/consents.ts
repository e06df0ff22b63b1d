// Turns what a user has allowed an application into the engine's grant. An application that the tenant trusts gets what it requests; all
// others get what their record in `grants` contains, which is written when the user consents.
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { findLiveSession } from '../../../identity/sessions/sessions.ts'
import { ConstraintError } from '../../../platform/db/database.ts'
import { type NewEvent, eventsStatement } from '../../../platform/events/append.ts'
import { type OrganizationId, type UserId, newId } from '../../../platform/ids.ts'
import { fromJson, toJson } from '../../../platform/json-text.ts'
import { findAllowedGrant, findRequestedMembership, organizationOfSession } from '../../grants/allowed-grant.ts'
import {
  type GrantParties,
  type GrantRow,
  findGrant,
  grantEventData,
  grantKeys,
  lockGrant,
  rewriteUnchanged,
} from '../../grants/grant-records.ts'
import { grants } from '../../grants/tables.ts'
import { GrantChanged } from '../requests/request-store.ts'
import { type Tenancy, currentTenancy } from '../tenancy.ts'
import { applicationOf } from './clients.ts'
import { claimsOfScopes, requestedClaims, scopeWithClaim } from './requested-claims.ts'

/** What the user has decided in an interaction. */
export interface ConsentResult {
  readonly scopes: readonly string[]
  readonly organizationId: OrganizationId | null
}

const unique = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])]

/** Returns the organization that the request asks for. @throws AccessDenied if the user is not a member of it. */
async function requestedOrganization(ctx: KoaContextWithOIDC, userId: UserId): Promise<OrganizationId | undefined> {
  const { deps, tenant } = currentTenancy()
  const name = ctx.oidc.params?.['organization']
  if (typeof name !== 'string') return undefined
  const membership = await findRequestedMembership(deps, tenant, name, userId)
  if (membership === undefined) throw new errors.AccessDenied('the user is not a member of the requested organization')
  return membership.organizationId
}

/** The organization that the session acts for, if the user is still a member. */
async function activeOrganization(ctx: KoaContextWithOIDC): Promise<OrganizationId | null> {
  const { deps, tenant, store } = currentTenancy()
  const sessionId = store.sessionIdOf(ctx.oidc.session?.uid ?? '')
  const row = sessionId && (await findLiveSession(deps.db, tenant.row.id, sessionId, deps.clock.now()))
  return row ? organizationOfSession(deps, tenant, row) : null
}

function resourceScopesOf(ctx: KoaContextWithOIDC): Record<string, string[]> {
  const asked = [...ctx.oidc.requestParamScopes]
  return Object.fromEntries(
    Object.entries(ctx.oidc.resourceServers ?? {}).map(([indicator, server]) => [
      indicator,
      asked.filter((scope) => server.scopes.has(scope)),
    ]),
  )
}

interface Requested {
  readonly scopes: readonly string[]
  readonly resourceScopes: Readonly<Record<string, readonly string[]>>
  /** Those that the request names one by one. */
  readonly claims: readonly string[]
}

interface Trust {
  readonly after: GrantRow
  /** Undefined if nothing changes. */
  readonly event: NewEvent | undefined
}

function withTrust(
  { deps, tenant, actor }: Tenancy,
  { userId, applicationId, organizationId }: GrantParties,
  before: GrantRow | undefined,
  { scopes, resourceScopes, claims }: Requested,
): Trust {
  const after: GrantRow = {
    tenant_id: tenant.row.id,
    id: before?.id ?? newId<'GrantId'>(),
    user_id: userId,
    application_id: applicationId,
    organization_id: organizationId,
    scopes: toJson(unique(before === undefined ? [] : fromJson(before.scopes), scopes)),
    resource_scopes: toJson(mergedScopes(before, resourceScopes)),
    claims: toJson(unique(before === undefined ? [] : fromJson(before.claims), claims)),
    last_used_at: deps.clock.now(),
    created_at: before?.created_at ?? deps.clock.next(),
    updated_at: deps.clock.now(),
  }
  const isSame =
    before?.scopes === after.scopes &&
    before.resource_scopes === after.resource_scopes &&
    before.claims === after.claims
  if (before !== undefined && isSame) return { after: before, event: undefined }
  const event = { tenantId: tenant.row.id, actor: { ...actor, type: 'user' as const, id: userId }, subjectId: after.id }
  const data = { ...grantEventData(after), isConsented: false }
  if (before === undefined) return { after, event: { ...event, type: 'grant.created', data } }
  const changes = { before: grantEventData(before), after: grantEventData(after), isConsented: false }
  return { after, event: { ...event, type: 'grant.updated', data: changes } }
}

/** Records that a trusted application has signed the user in, so that the user sees it. */
function recordTrust(parties: GrantParties, before: GrantRow | undefined, requested: Requested): GrantRow {
  const { store } = currentTenancy()
  const { after, event } = withTrust(currentTenancy(), parties, before, requested)
  if (event === undefined) return after
  if (before === undefined) store.add(grants.insert(after))
  else {
    const check = (changed: number) => {
      if (changed === 0) throw new GrantChanged()
    }
    store.add(rewriteUnchanged(before, after), { check })
  }
  store.events.push(event)
  return after
}

/**
 * Records the same at once, for a request that cannot be sent again because it has spent what it came with.
 * @throws ConstraintError if the user, the application or the organization was deleted meanwhile.
 */
export async function recordTrustNow(parties: GrantParties, requested: Requested): Promise<GrantRow> {
  const tenancy = currentTenancy()
  const { db, clock, personal } = tenancy.deps
  const write = () =>
    db.transaction(async (tx) => {
      const before = await lockGrant(tx, tenancy.tenant.row.id, parties)
      const { after, event } = withTrust(tenancy, parties, before, requested)
      if (event === undefined) return after
      await tx.run(before === undefined ? grants.insert(after) : grants.rewrite(after))
      await tx.run(eventsStatement(clock, personal, [event]))
      return after
    })
  return write().catch((error: unknown) => {
    // Another request of the application has recorded it at the same moment.
    if (error instanceof ConstraintError && grantKeys.includes(error.constraint)) return write()
    throw error
  })
}

function mergedScopes(before: GrantRow | undefined, added: Readonly<Record<string, readonly string[]>>) {
  const merged: Record<string, readonly string[]> = before === undefined ? {} : { ...fromJson(before.resource_scopes) }
  for (const [indicator, scopes] of Object.entries(added)) merged[indicator] = unique(merged[indicator] ?? [], scopes)
  return merged
}

/** Returns the engine's grant for the authorization that is under way, or undefined if nothing is allowed yet. */
export async function loadGrant(ctx: KoaContextWithOIDC) {
  const { deps, tenant, store } = currentTenancy()
  const { client, account, session, provider } = ctx.oidc
  if (client === undefined || account === undefined || session === undefined) return undefined
  const userId = account.accountId as UserId
  const consent = (ctx.oidc.result as { readonly consent?: ConsentResult } | undefined)?.consent
  const isTrusted = applicationOf(client)?.row.require_consent === 0
  const applicationId = store.applicationOf.get(client.clientId)
  if (applicationId === undefined) return undefined
  const requested = await requestedOrganization(ctx, userId)
  const organizationId = requested ?? (consent === undefined ? await activeOrganization(ctx) : consent.organizationId)
  const parties = { userId, applicationId, organizationId }
  const isExact = isTrusted || consent !== undefined || requested !== undefined
  let row = isExact ? await findGrant(deps.db, tenant.row.id, parties) : await findAllowedGrant(deps, tenant, parties)
  if (isTrusted) {
    row = recordTrust(parties, row, {
      scopes: [...ctx.oidc.requestParamOIDCScopes],
      resourceScopes: resourceScopesOf(ctx),
      claims: requestedClaims(ctx.oidc.params ?? {}),
    })
  }
  if (row === undefined) return undefined
  const grant = (await findFamily(ctx, row)) ?? new provider.Grant({ accountId: userId, clientId: client.clientId })
  // What the user decides now replaces what the user refused before.
  if (consent !== undefined) Object.assign(grant, { rejected: undefined })
  const scopes = fromJson(row.scopes)
  if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '))
  for (const [indicator, each] of Object.entries(fromJson(row.resource_scopes))) {
    if (each.length > 0) grant.addResourceScope(indicator, each.join(' '))
  }
  allowClaims(ctx, grant, row, consent)
  allowWholeResources(ctx, grant, row)
  if (consent !== undefined) rejectTheRest(ctx, grant, scopes, fromJson(row.resource_scopes))
  grant.jti ??= newId()
  store.familyOf.set(grant.jti, { grantId: row.id, organizationId: row.organization_id })
  const beganIn = store.sessionIdOf(session.uid)
  if (beganIn !== undefined) store.beganInByFamily.set(grant.jti, beganIn)
  await grant.save()
  return grant
}

type Grant = InstanceType<KoaContextWithOIDC['oidc']['provider']['Grant']>

/** The tokens of one browser's session and one application are one family, unless the application now acts for another organization. */
async function findFamily(ctx: KoaContextWithOIDC, row: GrantRow): Promise<Grant | undefined> {
  const { session, client, provider } = ctx.oidc
  const id = session?.grantIdFor(client?.clientId ?? '')
  if (id === undefined) return undefined
  const grant = await provider.Grant.find(id)
  if (grant === undefined || grant.accountId !== row.user_id) return undefined
  const family = currentTenancy().store.familyOf.get(id)
  return family?.grantId === row.id && family.organizationId === row.organization_id ? grant : undefined
}

/** Grants the single claims that the user has allowed, those of allowed scopes among them, and rejects the others once the user was asked. */
function allowClaims(ctx: KoaContextWithOIDC, grant: Grant, row: GrantRow, consent: ConsentResult | undefined) {
  const requested = requestedClaims(ctx.oidc.params ?? {})
  if (requested.length === 0) return
  const allowed = new Set([...fromJson(row.claims), ...claimsOfScopes(fromJson(row.scopes))])
  grant.addOIDCClaims(requested.filter((claim) => allowed.has(claim)))
  const isRefused = (claim: string) => !allowed.has(claim) || consent?.scopes.includes(scopeWithClaim(claim)) === false
  if (consent !== undefined) grant.rejectOIDCClaims(requested.filter(isRefused))
}

/** The engine grants a request no code without any scope. A resource that has no scopes is allowed as a whole. */
function allowWholeResources(ctx: KoaContextWithOIDC, grant: Grant, row: GrantRow) {
  const { store } = currentTenancy()
  const allowed = Object.keys(fromJson(row.resource_scopes))
  for (const [indicator, { scope }] of Object.entries(ctx.oidc.resourceServers ?? {})) {
    if (scope === '' && allowed.includes(indicator)) store.wholeResources.add(indicator)
  }
  const filtered = grant.getResourceScopeFiltered.bind(grant)
  grant.getResourceScopeFiltered = (indicator, filter) =>
    store.wholeResources.has(indicator) ? ' ' : filtered(indicator, filter)
}

/** Rejects what the user was asked for and has not allowed, so that the user is not asked again. */
function rejectTheRest(
  ctx: KoaContextWithOIDC,
  grant: Grant,
  scopes: readonly string[],
  resourceScopes: Readonly<Record<string, readonly string[]>>,
) {
  const refused = [...ctx.oidc.requestParamOIDCScopes].filter((scope) => !scopes.includes(scope))
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
  for (const [indicator, asked] of Object.entries(resourceScopesOf(ctx))) {
    const rest = asked.filter((scope) => resourceScopes[indicator]?.includes(scope) !== true)
    if (rest.length > 0) grant.rejectResourceScope(indicator, rest.join(' '))
  }
}
