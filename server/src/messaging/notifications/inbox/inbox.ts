// The inbox of a tenant in test mode: messages that were caught in the last 24 hours, with their codes and links.
import type { InboxMessage } from '@bailiwick/contract'
import { addMilliseconds, machineTime } from '../../../platform/clock.ts'
import { sql } from '../../../platform/db/sql.ts'
import { countNarrowed } from '../../../platform/http/lists/list-filter.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPageAndTotal } from '../../../platform/http/lists/page.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { getTenant } from '../../../tenancy/tenants/tenants.ts'
import { assertTestMode } from '../../../tenancy/test-mode/test-mode.ts'
import type { Deps } from '../../deps.ts'
import { type MessageRow, forgetContents, inboxSource, selectOldCaught } from '../message-queries.ts'
import { storedAddress } from '../messages/messages.ts'
import { openContent } from '../messages/sealed-messages.ts'

const keptMs = 24 * 60 * 60 * 1000
const atOnce = 1000

export interface InboxQuery extends PageQuery {
  readonly to?: string
}

function present({ sealer }: Deps, row: MessageRow): InboxMessage {
  const content = row.sealed_content === null ? undefined : openContent(sealer, row, row.sealed_content)
  return {
    id: row.id,
    to: row.recipient,
    channelType: row.channel_type,
    purpose: row.purpose,
    subject: content?.subject ?? row.subject,
    text: content?.text ?? '',
    code: content?.code ?? null,
    link: content?.link ?? null,
    createdAt: row.created_at,
  }
}

/** @throws ApiError not_found, test_mode_unavailable */
export async function listInbox(deps: Deps, tenantId: TenantId, query: InboxQuery) {
  const { row } = await getTenant(deps, tenantId)
  assertTestMode(deps.config, row)
  const since = addMilliseconds(machineTime(deps.clock), -keptMs)
  const request = pageRequest(query)
  const list = inboxSource(
    tenantId,
    since,
    query.to === undefined ? sql`` : sql` AND recipient = ${storedAddress(query.to)}`,
  )
  const { page, total } = await selectPageAndTotal(deps.db, list, countNarrowed(list), request)
  const data = page.rows.map((each) => present(deps, each))
  return pageEnvelope(page, data, total, request.perPage)
}

/**
 * Removes what caught messages say after a day; a development deployment keeps it as long as its own inbox keeps messages.
 * @returns whether there are more.
 */
export async function emptyInboxes({ config, db, clock }: Deps): Promise<boolean> {
  if (config.env === 'development') return false
  const old = await selectOldCaught(db, addMilliseconds(clock.now(), -keptMs), atOnce)
  for (const [tenantId, rows] of Map.groupBy(old, (row) => row.tenant_id)) {
    const ids = rows.map(({ id }) => id)
    await db.write(() => [forgetContents(tenantId, ids)])
  }
  return old.length === atOnce
}
