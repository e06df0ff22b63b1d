// What is known of a session that can be used.
import type { RoleFlag } from '@bailiwick/contract'
import type { Serialized } from '../../platform/http/answer.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { SessionOfUserRow } from './queries.ts'

export type FlagsByTenant = ReadonlyMap<TenantId, ReadonlySet<RoleFlag>>

export interface LiveSession {
  readonly row: SessionOfUserRow
  /** The hash of the token that the request came with. */
  readonly tokenHash: string
  readonly tenant: TenantEntry
  /** The tenants that a console user administers; empty for any other user. */
  readonly flags: FlagsByTenant
  /** What was derived from the user; kept as long as neither user nor tenant changes. */
  readonly made: MadeOfUser
}

/** A holder that belongs to the entry: what is put into a holder whose entry was dropped meanwhile is lost with it. */
export interface MadeOfUser {
  profile: { readonly tenant: TenantEntry; readonly answer: Serialized } | undefined
  /** Where and in which language the user reads. */
  reader?: { readonly locale: string | null; readonly timezone: string }
}
