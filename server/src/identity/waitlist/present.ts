import type { WaitlistEntry } from '@bailiwick/contract'
import type { WaitlistRow } from './queries.ts'

export const presentEntry = (row: WaitlistRow): WaitlistEntry => ({
  id: row.id,
  tenantId: row.tenant_id,
  email: row.email,
  status: row.status,
  approvedAt: row.approved_at,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
