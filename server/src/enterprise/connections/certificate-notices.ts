// Announces that the last certificate of a SAML provider ends soon: an event, which the tenant's webhooks carry on.
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { ConnectionId, TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { selectConnectionForUpdate, updateNotice } from './queries.ts'
import { certificateEnd, nextNotice, samlSettings } from './saml-settings.ts'

interface Due {
  readonly tenant_id: TenantId
  readonly id: ConnectionId
}

/** Whichever node comes first announces it; the other finds that the time has moved on. */
async function announce({ db, clock, personal }: Deps, { tenant_id: tenantId, id }: Due) {
  const nowMs = clock.nowMs()
  await db.transaction(async (tx) => {
    const row = await selectConnectionForUpdate(tx, tenantId, id)
    if (row === undefined || row.certificate_notice_at === null || row.certificate_notice_at > clock.now()) return
    const settings = samlSettings(row)
    await tx.run(updateNotice({ ...row, certificate_notice_at: nextNotice(settings, nowMs) }))
    if (row.state !== 'live') return
    const data = { organizationId: row.organization_id, ...certificateEnd(settings, nowMs) }
    const actor = { type: 'system', id: null, ip: null, ua: null } as const
    const type = 'connection.certificate_expiring'
    await tx.run(eventStatement(clock, personal, { tenantId, type, actor, subjectId: id, data }))
  })
}

/** Announces one that is due; returns whether there may be more. */
export async function announceCertificateEnd(deps: Deps): Promise<boolean> {
  const { db, clock } = deps
  const due = await db.first<Due>(sql`SELECT tenant_id, id FROM connections
    WHERE certificate_notice_at <= ${clock.now()} ORDER BY certificate_notice_at LIMIT 1`)
  if (due !== undefined) await announce(deps, due)
  return due !== undefined
}
