import type { Statement } from '../../platform/db/sql.ts'

/** What a feature gives every new tenant. service/tenant-lifecycle/new-tenant.ts writes it in the transaction that creates the tenant. */
export interface TenantDefaults {
  readonly statements: readonly Statement[]
  /** What the rows add to the tenant's counters. */
  readonly counts: Readonly<Record<string, number>>
}
