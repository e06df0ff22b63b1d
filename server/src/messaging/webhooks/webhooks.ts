// The endpoints to which a tenant's events are sent.
import {
  type CreateWebhook,
  type UpdateWebhook,
  type Webhook,
  type WebhookWithSecret,
  eventDefinition,
  isEventType,
} from '@bailiwick/contract'
import { addToCounters, readCounters, sumOfCounter } from '../../platform/db/counters.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../platform/http/change-basis.ts'
import { holds } from '../../platform/http/credentials/authorize.ts'
import type { Actor, Principal } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { EgressError } from '../../platform/net/egress.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { presentWebhook } from './present.ts'
import * as queries from './queries.ts'
import { deliverJob } from './schedule.ts'
import { newWebhookSecret, sealWebhookSecret, withNewSecret } from './secret.ts'

export const webhooksPerTenantMax = 50

const eventsText = (types: readonly string[]) => toJson([...new Set(types)])

/**
 * Refuses event types that the caller may not read. Otherwise anybody who may set up webhooks could read personal data and the audit log.
 * @param types `*`, event types, or types that an earlier version stored and that no longer exist.
 * @throws ApiError forbidden
 */
function assertMayReceive(caller: Principal, tenantId: TenantId, types: readonly string[]): void {
  if (holds(caller, 'events:read', tenantId)) return
  for (const type of types) {
    const permission = isEventType(type) ? eventDefinition(type).permission : 'events:read'
    if (holds(caller, permission, tenantId)) continue
    const missing = permission === 'events:read' ? permission : `events:read or ${permission}`
    throw new ApiError('forbidden', {
      detail: `This credential does not have the permission ${missing}, so it cannot subscribe to events of the type ${type}.`,
    })
  }
}

/** Refuses an address that can never be called. Its name is looked up at each attempt. */
function checkUrl({ egress }: Deps, url: string) {
  try {
    egress.check(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw invalid('/url', 'not_allowed', 'must be an https URL on the public internet')
  }
}

/** The data of a webhook's events: only the origin of its address, because path and query often contain the receiver's secret. */
const described = (row: queries.WebhookRow) => {
  const { url, events, enabled, description } = presentWebhook(row)
  return { origin: new URL(url).origin, events, enabled, description }
}

function updated(deps: Deps, before: queries.WebhookRow, after: queries.WebhookRow, actor: Actor) {
  return eventStatement(deps.clock, deps.personal, {
    tenantId: after.tenant_id,
    type: 'webhook.updated',
    actor,
    subjectId: after.id,
    data: { before: described(before), after: described(after) },
  })
}

/**
 * Creates a webhook. Only this answer ever shows the signing secret.
 * @param caller must be allowed to read the events that the webhook receives.
 * @throws ApiError not_found, forbidden, validation_failed for an address that may not be called, webhook_limit_reached
 */
export async function createWebhook(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateWebhook, 'tenantId'>,
  caller: Principal,
  actor: Actor,
): Promise<WebhookWithSecret> {
  await getTenant(deps, tenantId)
  assertMayReceive(caller, tenantId, input.events)
  checkUrl(deps, input.url)
  const { db, clock, personal, sealer } = deps
  const id = newId<'WebhookId'>()
  const secret = newWebhookSecret()
  return db.transaction(async (tx) => {
    // Two that are created at once are counted one after the other, because the tenant's row is locked.
    await tx.run(sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`)
    const counters = await readCounters(tx, tenantId, ['webhooks'])
    if ((counters.get('webhooks') ?? 0) >= webhooksPerTenantMax) throw new ApiError('webhook_limit_reached')
    const at = clock.next()
    const row: queries.WebhookRow = {
      tenant_id: tenantId,
      id,
      url: input.url,
      description: input.description ?? null,
      events: eventsText(input.events),
      enabled: input.enabled === false ? 0 : 1,
      sealed_secret: sealWebhookSecret(sealer, tenantId, id, secret),
      sealed_previous_secret: null,
      previous_secret_until: null,
      first_failed_at: null,
      failing_since: null,
      held_until: null,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertWebhook(row))
    await tx.run(addToCounters(tx, tenantId, { webhooks: 1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'webhook.created',
        actor,
        subjectId: id,
        data: { after: described(row) },
      }),
    )
    return { ...presentWebhook(row), secret }
  })
}

/** @throws ApiError not_found */
export async function getWebhook({ db }: Deps, tenantId: TenantId, id: string): Promise<Webhook> {
  const row = await queries.selectWebhook(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentWebhook(row)
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listWebhooks(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(
    deps.db,
    queries.webhookSource(tenantId),
    sumOfCounter(tenantId, 'webhooks'),
    request,
  )
  return pageEnvelope(page, page.rows.map(presentWebhook), total, request.perPage)
}

/**
 * Changes the given properties. Enabling clears past failures and sends the waiting deliveries.
 * @param caller must be allowed to read the events that the webhook receives, including waiting ones, if the change affects who receives
 * them.
 * @throws ApiError not_found, forbidden, validation_failed for an address that may not be called
 */
export async function updateWebhook(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateWebhook,
  { caller, actor }: { readonly caller: Principal; readonly actor: Actor },
  basis: RecordBasis = {},
) {
  if (input.url !== undefined) checkUrl(deps, input.url)
  const { db, clock } = deps
  return db.transaction(async (tx) => {
    const before = await queries.selectWebhookForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    assertUnchanged(before, basis)
    assertMayReceive(caller, tenantId, input.events ?? [])
    if (input.url !== undefined) assertMayReceive(caller, tenantId, presentWebhook(before).events)
    const after: queries.WebhookRow = {
      ...before,
      url: input.url ?? before.url,
      description: input.description === undefined ? before.description : input.description,
      events: input.events === undefined ? before.events : eventsText(input.events),
      enabled: input.enabled === undefined ? before.enabled : Number(input.enabled),
      ...(input.enabled === true ? { first_failed_at: null, failing_since: null, held_until: null } : {}),
      updated_at: clock.now(),
    }
    await tx.run(queries.updateWebhook(after))
    await tx.run(updated(deps, before, after, actor))
    if (after.enabled === 1) await tx.run(deliverJob(clock, tenantId, after.id))
    return presentWebhook(after)
  })
}

/** @throws ApiError not_found */
export async function deleteWebhook(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectWebhookForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteWebhook(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { webhooks: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'webhook.deleted',
        actor,
        subjectId: id,
        data: { before: described(row) },
      }),
    )
    return presentWebhook(row)
  })
}

/**
 * Gives the webhook a new signing secret. The previous one also signs for 24 more hours; older ones no longer do.
 * @param caller must be allowed to read the events that the webhook receives, because the secret can make others trust forged ones.
 * @throws ApiError not_found, forbidden
 */
export async function rotateWebhookSecret(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  caller: Principal,
  actor: Actor,
): Promise<WebhookWithSecret> {
  const { db, clock, personal, sealer } = deps
  const secret = newWebhookSecret()
  return db.transaction(async (tx) => {
    const before = await queries.selectWebhookForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    assertMayReceive(caller, tenantId, presentWebhook(before).events)
    const after = withNewSecret(sealer, before, secret, clock.now())
    await tx.run(queries.updateWebhook(after))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'webhook.secret_rotated',
        actor,
        subjectId: id,
        data: { previousUntil: after.previous_secret_until },
      }),
    )
    return { ...presentWebhook(after), secret }
  })
}
