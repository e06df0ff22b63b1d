// Turns what a user has allowed an application into the engine's grant. An application that the tenant trusts gets what it requests; all
// others get what their record in `grants` contains, which is written when the user consents.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { newId } from '../../platform/ids.ts'
import type { ApplicationId, OrganizationId, UserId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { findLiveSession } from '../../identity/sessions/sessions.ts'
import { type GrantRow, findGrant, grantEventData, rewriteUnchanged } from '../grants/grant-records.ts'
import { findAllowedGrant, organizationOfSession } from '../grants/allowed-grant.ts'
import { grants } from '../grants/tables.ts'
import { applicationOf } from './clients.ts'
import { GrantChanged } from './request-store.ts'
import { currentTenancy } from './tenancy.ts'

/** What the user has decided in an interaction. */
export interface ConsentResult {
  readonly scopes: readonly string[]
  readonly organizationId: OrganizationId | null
}

const unique = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])]

/** The organization that the session acts for, if the user is still a member. */
async function activeOrganization(ctx: KoaContextWithOIDC): Promise<OrganizationId | null> {
  const { deps, tenant, store } = currentTenancy()
  const sessionId = store.sessionIdOf(ctx.oidc.session?.uid ?? '')
  const row = sessionId && (await findLiveSession(deps.db, tenant.row.id, sessionId, deps.clock.now()))
  return row ? organizationOfSession(deps.db, tenant, row) : null
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

/** Records that a trusted application has signed the user in, so that the user sees it. */
function recordTrust(
  applicationId: ApplicationId,
  userId: UserId,
  organizationId: OrganizationId | null,
  before: GrantRow | undefined,
  scopes: readonly string[],
  resourceScopes: Readonly<Record<string, readonly string[]>>,
): GrantRow {
  const { deps, tenant, store, actor } = currentTenancy()
  const after: GrantRow = {
    tenant_id: tenant.row.id,
    id: before?.id ?? newId<'GrantId'>(),
    user_id: userId,
    application_id: applicationId,
    organization_id: organizationId,
    scopes: toJson(unique(before === undefined ? [] : fromJson(before.scopes), scopes)),
    resource_scopes: toJson(mergedScopes(before, resourceScopes)),
    claims: before?.claims ?? toJson([]),
    last_used_at: deps.clock.now(),
    created_at: before?.created_at ?? deps.clock.next(),
    updated_at: deps.clock.now(),
  }
  const isSame = before?.scopes === after.scopes && before.resource_scopes === after.resource_scopes
  if (before !== undefined && isSame) return before
  if (before === undefined) store.add(grants.insert(after))
  else {
    const check = (changed: number) => {
      if (changed === 0) throw new GrantChanged()
    }
    store.add(rewriteUnchanged(before, after), { check })
  }
  const event = { tenantId: tenant.row.id, actor: { ...actor, type: 'user' as const, id: userId }, subjectId: after.id }
  store.events.push(
    before === undefined
      ? { ...event, type: 'grant.created', data: { ...grantEventData(after), isConsented: false } }
      : {
          ...event,
          type: 'grant.updated',
          data: { before: grantEventData(before), after: grantEventData(after), isConsented: false },
        },
  )
  return after
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
  const organizationId = consent === undefined ? await activeOrganization(ctx) : consent.organizationId
  const parties = { userId, applicationId, organizationId }
  const isExact = isTrusted || consent !== undefined
  let row = isExact
    ? await findGrant(deps.db, tenant.row.id, parties)
    : await findAllowedGrant(deps.db, tenant, parties)
  if (isTrusted) {
    const scopes = [...ctx.oidc.requestParamOIDCScopes]
    row = recordTrust(applicationId, userId, organizationId, row, scopes, resourceScopesOf(ctx))
  }
  if (row === undefined) return undefined
  const grant = (await findFamily(ctx, row)) ?? new provider.Grant({ accountId: userId, clientId: client.clientId })
  const scopes = fromJson(row.scopes)
  if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '))
  for (const [indicator, each] of Object.entries(fromJson(row.resource_scopes))) {
    if (each.length > 0) grant.addResourceScope(indicator, each.join(' '))
  }
  if (consent !== undefined) rejectTheRest(ctx, grant, scopes, fromJson(row.resource_scopes))
  grant.jti ??= newId()
  store.familyOf.set(grant.jti, { grantId: row.id, organizationId: row.organization_id })
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
