// The waiting list as its tenant decides about it: an approved address gets an invitation, with which it alone can sign up.
import { type EventDataByType, type WaitlistStatus, tokenPrefixes } from '@bailiwick/contract'
import { hasChannel } from '../../messaging/notifications/channels/find-channel.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { addMilliseconds, toMs } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { countNarrowed } from '../../platform/http/lists/list-filter.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { hostedRootOfId } from '../../tenancy/tenants/hosted-pages.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { findUserByEmail } from '../users/find-user.ts'
import { presentEntry } from './present.ts'
import * as queries from './queries.ts'

const invitationMs = 14 * 24 * 60 * 60_000
const minuteMs = 60_000

type EntryEvent = Extract<keyof EventDataByType, `waitlist_entry.${string}`>

export const entryEvent = <Type extends EntryEvent>(
  { clock, personal }: Pick<Deps, 'clock' | 'personal'>,
  { tenant_id: tenantId, id }: Pick<queries.WaitlistRow, 'tenant_id' | 'id'>,
  type: Type,
  data: EventDataByType[Type],
  actor: Actor,
) => eventStatement(clock, personal, { tenantId, type, actor, subjectId: id, data })

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listWaitlist(
  deps: Deps,
  tenantId: TenantId,
  { status, ...query }: PageQuery & { readonly status?: WaitlistStatus },
) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const list = queries.entrySource(tenantId, status)
  const { page, total } = await selectPageAndTotal<queries.WaitlistRow>(deps.db, list, countNarrowed(list), request)
  return pageEnvelope(page, page.rows.map(presentEntry), total, request.perPage)
}

/** Returns the address of the page where the invited person signs up. */
function linkWith(deps: Deps, { row, auth }: TenantEntry, token: string): string {
  const own = auth.signUpUri !== null && URL.canParse(auth.signUpUri) ? auth.signUpUri : undefined
  const link = new URL(own ?? `${hostedRootOfId(deps.config, row.id)}/sign-up`)
  link.searchParams.set('invitationToken', token)
  return link.href
}

type Skipped = { readonly id: string; readonly reason: 'not_found' | 'user_exists' }
type Decided = queries.WaitlistRow | Skipped['reason']

async function approve(deps: Deps, tx: Transaction, tenant: TenantEntry, id: string, actor: Actor): Promise<Decided> {
  const tenantId = tenant.row.id
  const before = await queries.selectEntryForUpdate(tx, tenantId, id)
  if (before === undefined) return 'not_found'
  if ((await findUserByEmail(tx, tenantId, before.email_key)) !== undefined) return 'user_exists'
  const token = newToken(tokenPrefixes.waitlistInvitation)
  const now = deps.clock.now()
  const expiresAt = addMilliseconds(now, invitationMs)
  const row: queries.WaitlistRow = {
    ...before,
    status: 'approved',
    token_hash: hashToken(token),
    approved_at: now,
    expires_at: expiresAt,
    updated_at: now,
  }
  await tx.run(queries.updateEntry(row))
  await tx.run(entryEvent(deps, row, 'waitlist_entry.approved', { expiresAt }, actor))
  await queueMessage(tx, deps, {
    tenantId,
    channelType: 'email',
    template: { type: 'waitlist-invitation' },
    to: row.email,
    userId: null,
    variables: {
      link: linkWith(deps, tenant, token),
      expiresInMinutes: Math.round((toMs(expiresAt) - toMs(now)) / minuteMs),
    },
    purpose: 'waitlist_invitation',
  })
  return row
}

async function decline(deps: Deps, tx: Transaction, tenant: TenantEntry, id: string, actor: Actor): Promise<Decided> {
  const before = await queries.selectEntryForUpdate(tx, tenant.row.id, id)
  if (before === undefined) return 'not_found'
  if (before.status === 'declined') return before
  const nothing = { token_hash: null, approved_at: null, expires_at: null } as const
  const row = { ...before, ...nothing, status: 'declined', updated_at: deps.clock.now() } as const
  await tx.run(queries.updateEntry(row))
  await tx.run(entryEvent(deps, row, 'waitlist_entry.declined', {}, actor))
  return row
}

/** Decides about entries one after the other, in one transaction. */
async function decideEach(
  deps: Deps,
  tenantId: TenantId,
  ids: readonly string[],
  actor: Actor,
  decideOne: typeof approve,
) {
  const tenant = await getTenant(deps, tenantId)
  // Always in the same order, so that two administrators who decide at once do not wait for each other.
  const wanted = [...new Set(ids)].toSorted()
  const decided = await deps.db.transaction(async (tx) => {
    const all: { readonly id: string; readonly outcome: Decided }[] = []
    for (const id of wanted) all.push({ id, outcome: await decideOne(deps, tx, tenant, id, actor) })
    return all
  })
  return {
    entries: decided.flatMap(({ outcome }) => (typeof outcome === 'string' ? [] : [presentEntry(outcome)])),
    skipped: decided.flatMap(({ id, outcome }): Skipped[] =>
      typeof outcome === 'string' ? [{ id, reason: outcome }] : [],
    ),
  }
}

/**
 * Approves entries, whose invitations are sent by e-mail: nobody could sign up with one that never arrives.
 * @throws ApiError not_found for a tenant that does not exist; message_quota_reached; validation_failed if the tenant cannot send e-mails.
 */
export async function approveWaitlist(deps: Deps, tenantId: TenantId, ids: readonly string[], actor: Actor) {
  await getTenant(deps, tenantId)
  if (!(await hasChannel(deps, tenantId, 'email')))
    throw invalid('/tenantId', 'no_channel', 'has no channel that sends e-mails; set one up first')
  return decideEach(deps, tenantId, ids, actor, approve)
}

/** @throws ApiError not_found for a tenant that does not exist. */
export const declineWaitlist = (deps: Deps, tenantId: TenantId, ids: readonly string[], actor: Actor) =>
  decideEach(deps, tenantId, ids, actor, decline)

/** @throws ApiError not_found */
export async function deleteWaitlistEntry(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  return deps.db.transaction(async (tx) => {
    const row = await queries.selectEntryForUpdate(tx, tenantId, id)
    if (row === undefined || (await tx.run(queries.deleteEntry(tenantId, row.id))) === 0) throw notFound()
    await tx.run(entryEvent(deps, row, 'waitlist_entry.deleted', {}, actor))
    return { id: row.id }
  })
}
