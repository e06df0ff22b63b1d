// The user's consent, or refusal: recorded as a grant with its event, in the transaction that lets the application continue.
import type { Deps } from '../../identity/deps.ts'
import { actingObstacle } from '../../identity/organizations/acting-for.ts'
import { type Membership, findMembershipOf } from '../../identity/organizations/membership-of.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { findLiveSession } from '../../identity/sessions/sessions.ts'
import { ConstraintError, type Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type ApplicationId, type OrganizationId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { findApplicationOfClient } from '../applications/application-records.ts'
import { applicationForConsent } from '../applications/self-described.ts'
import { scopeWithClaim } from '../engine/configuration/requested-claims.ts'
import { findRequestedMembership } from '../grants/allowed-grant.ts'
import { type GrantParties, type GrantRow, grantEventData, lockGrant } from '../grants/grant-records.ts'
import { grants } from '../grants/tables.ts'
import { type AskedFor, askedFor, scopesOfClaims } from './asked-scopes.ts'
import { approveDevice, refuseDevice } from './devices.ts'
import {
  type InteractionAnswers,
  type InteractionPayload,
  assertOwnSession,
  assertStrongEnough,
  findInteraction,
  resolveInteraction,
} from './interactions.ts'

export interface Consent {
  readonly scopes: readonly string[]
  readonly organizationId?: string | null
}

/** @throws ApiError validation_failed for a scope that was not requested */
function checkAsked(requested: AskedFor, given: readonly string[]) {
  const { scopes, resources } = requested
  const asked = new Set([...scopes, ...scopesOfClaims(requested), ...resources.flatMap((each) => each.scopes)])
  const index = given.findIndex((scope) => !asked.has(scope))
  if (index === -1) return
  throw new ApiError('validation_failed', {
    issues: [
      { path: `/scopes/${index}`, code: 'not_allowed', message: 'The application has not requested this scope.' },
    ],
  })
}

/** @throws ApiError second_factor_required, reauthentication_required if the organization requires more of the session */
function assertMayActFor(
  { clock }: Deps,
  { tenant, row }: Pick<LiveSession, 'tenant' | 'row'>,
  membership: Membership,
) {
  const obstacle = actingObstacle(row, tenant.auth, membership, clock.nowMs())
  if (obstacle !== undefined) throw obstacle
}

/** @throws ApiError not_found for an organization that the user is not a member of */
async function checkOrganization(deps: Deps, { tenant, row }: LiveSession, organizationId: string | null) {
  if (organizationId === null) return null
  const membership = tenant.auth.organizationsEnabled
    ? await findMembershipOf(deps, tenant.row.id, organizationId, row.user_id)
    : undefined
  if (membership === undefined) throw notFound()
  assertMayActFor(deps, { tenant, row }, membership)
  return membership.organizationId as OrganizationId
}

/**
 * Returns the organization that the application asks for, which the user cannot exchange for another one.
 * @throws ApiError validation_failed, not_found if the user is not a member of it.
 */
async function requestedOrganization(
  deps: Deps,
  { tenant, row }: LiveSession,
  { organization: name }: InteractionPayload['params'],
  { organizationId }: Consent,
) {
  if (typeof name !== 'string') return undefined
  const membership = await findRequestedMembership(deps, tenant, name, row.user_id)
  if (membership === undefined) throw notFound()
  assertMayActFor(deps, { tenant, row }, membership)
  if (organizationId === undefined || organizationId === membership.organizationId) return membership.organizationId
  const message = 'The application requests another organization.'
  throw new ApiError('validation_failed', { issues: [{ path: '/organizationId', code: 'not_allowed', message }] })
}

const union = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])]

/** Writes what the user allows, in addition to what was allowed before. Returns the grant. */
async function writeGrant(
  deps: Deps,
  tx: Transaction,
  tenant: TenantEntry,
  parties: GrantParties,
  { asked, scopes: given }: { readonly asked: AskedFor; readonly scopes: readonly string[] },
  actor: Actor,
): Promise<GrantRow> {
  const { clock, personal } = deps
  const before = await lockGrant(tx, tenant.row.id, parties)
  const resourceScopes: Record<string, readonly string[]> =
    before === undefined ? {} : { ...fromJson(before.resource_scopes) }
  for (const { row, scopes, isWhole } of asked.resources) {
    if (isWhole) resourceScopes[row.indicator] ??= []
    const allowed = scopes.filter((scope) => given.includes(scope))
    if (allowed.length > 0) resourceScopes[row.indicator] = union(resourceScopes[row.indicator] ?? [], allowed)
  }
  const own = asked.scopes.filter((scope) => scope === 'openid' || given.includes(scope))
  const claims = asked.claims.filter((claim) => given.includes(scopeWithClaim(claim)))
  const after: GrantRow = {
    tenant_id: tenant.row.id,
    id: before?.id ?? newId<'GrantId'>(),
    user_id: parties.userId,
    application_id: parties.applicationId,
    organization_id: parties.organizationId,
    scopes: toJson(union(before === undefined ? [] : fromJson(before.scopes), own)),
    resource_scopes: toJson(resourceScopes),
    claims: toJson(union(before === undefined ? [] : fromJson(before.claims), claims)),
    last_used_at: clock.now(),
    created_at: before?.created_at ?? clock.next(),
    updated_at: clock.now(),
  }
  await tx.run(before === undefined ? grants.insert(after) : grants.rewrite(after))
  const event = { tenantId: tenant.row.id, actor, subjectId: after.id }
  await tx.run(
    before === undefined
      ? eventStatement(clock, personal, {
          ...event,
          type: 'grant.created',
          data: { ...grantEventData(after), isConsented: true },
        })
      : eventStatement(clock, personal, {
          ...event,
          type: 'grant.updated',
          data: { before: grantEventData(before), after: grantEventData(after), isConsented: true },
        }),
  )
  return after
}

const keys: readonly string[] = ['grants_user_key', 'grants_organization_key', 'applications_client_key']

/**
 * The user may consent in two tabs at once: the second one begins again, and finds what the first one has written.
 * @throws ApiError not_found, reauthentication_required, second_factor_required, validation_failed, application_limit_reached
 */
export async function consentInteraction(
  deps: Deps,
  session: LiveSession,
  uid: string,
  consent: Consent,
  actor: Actor,
) {
  const consented = () => consentOnce(deps, session, uid, consent, actor)
  return consented().catch((error: unknown) => {
    if (error instanceof ConstraintError && keys.includes(error.constraint)) return consented()
    throw error
  })
}

async function describedApplication(deps: Deps, tenant: TenantEntry, clientId: string) {
  const { findSelfDescribed } = await import('../engine/requests.ts')
  const client = await findSelfDescribed(deps, tenant, clientId)
  return client && applicationForConsent(deps, tenant, client)
}

/**
 * Returns what the user has answered before consenting, so that the engine asks for nothing twice. A sign-in whose session has ended since
 * answers nothing any more.
 */
async function earlierAnswers(
  { db, clock }: Deps,
  { row }: TenantEntry,
  { lastSubmission: { login, ...others } = {} }: InteractionPayload,
): Promise<InteractionAnswers> {
  if (login === undefined) return others
  const session = await findLiveSession(db, row.id, login.sessionId, clock.now())
  return session === undefined ? {} : { ...others, login }
}

async function consentOnce(deps: Deps, session: LiveSession, uid: string, consent: Consent, actor: Actor) {
  const { tenant, row: own } = session
  assertOwnSession(session)
  const found = await findInteraction(deps, tenant, uid)
  await assertStrongEnough(deps, session, found)
  const { row, payload } = found
  // The user who is asked is the one who is signed in there; for a device, the one who has entered its code.
  const asked = payload.device === undefined ? payload.session?.accountId : row.user_id
  if (payload.prompt.name !== 'consent' || asked !== own.user_id) throw notFound()
  const wanted = await askedFor(deps, tenant, payload.params)
  checkAsked(wanted, consent.scopes)
  const organizationId =
    (await requestedOrganization(deps, session, payload.params, consent)) ??
    (await checkOrganization(deps, session, consent.organizationId ?? null))
  const record = await findApplicationOfClient(deps.db, tenant, row.client_id)
  const described = record === undefined ? await describedApplication(deps, tenant, row.client_id) : undefined
  const applicationId: ApplicationId | undefined = record?.row.id ?? described?.row.id
  if (applicationId === undefined) throw notFound()
  const parties: GrantParties = { userId: own.user_id, applicationId, organizationId }
  const earlier = await earlierAnswers(deps, tenant, payload)
  const result = { ...earlier, consent: { scopes: consent.scopes, organizationId } }
  const next = payload.device === undefined ? await resolveInteraction(deps, tenant, uid, found, result) : undefined
  await deps.db.transaction(async (tx) => {
    if (described !== undefined) await described.write(tx, actor)
    const grant = await writeGrant(deps, tx, tenant, parties, { asked: wanted, scopes: consent.scopes }, actor)
    if (next === undefined) await approveDevice(deps, tx, session, found, grant, consent.scopes)
    else await tx.run(next.statement(next.ticketHash))
  })
  return { redirectUri: next?.redirectUri ?? null }
}

/** Goes back to the application without access. @throws ApiError not_found */
export async function abortInteraction(deps: Deps, tenant: TenantEntry, session: LiveSession | undefined, uid: string) {
  const found = await findInteraction(deps, tenant, uid)
  if (found.payload.device !== undefined) {
    if (session === undefined || found.row.user_id !== session.row.user_id) throw notFound()
    await deps.db.transaction((tx) => refuseDevice(deps, tx, found))
    return { redirectUri: null }
  }
  const result = { error: 'access_denied', error_description: 'the user has refused' }
  const next = await resolveInteraction(deps, tenant, uid, found, result)
  await deps.db.write(() => [next.statement(next.ticketHash)])
  return { redirectUri: next.redirectUri }
}
