import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { setupLinks } from './tables.ts'

export type SetupLinkRow = RowOf<typeof setupLinks>

/** How many an organization has at most. */
export const linksMax = 20

export const insertLink = setupLinks.insert
export const deleteLink = setupLinks.delete
export const updateOpened = setupLinks.update('browser_hash', 'opened_at')
export const updateFinished = setupLinks.update('finished_at')
export const lockLink = setupLinks.lock

export const selectLinks = (db: Reader, tenantId: TenantId, organizationId: string) =>
  setupLinks.all(db)`tenant_id = ${tenantId} AND organization_id = ${organizationId} ORDER BY created_at DESC
    LIMIT ${linksMax}`

export const selectLinkOf = (db: Reader, tenantId: TenantId, organizationId: string, id: string) =>
  setupLinks.first(db)`tenant_id = ${tenantId} AND organization_id = ${organizationId} AND id = ${id}`

export const selectLinkByToken = (db: Reader, tenantId: TenantId, tokenHash: string, now: Timestamp) =>
  setupLinks.first(db)`tenant_id = ${tenantId} AND token_hash = ${tokenHash} AND expires_at > ${now}`

/** Selects the newest link that a browser has opened. */
export const selectLinkByBrowser = (db: Reader, tenantId: TenantId, browserHash: string, now: Timestamp) =>
  setupLinks.first(db)`tenant_id = ${tenantId} AND browser_hash = ${browserHash} AND expires_at > ${now}
    ORDER BY opened_at DESC LIMIT 1`
