// Where a request of a directory acts: one connection of one organization of one tenant.
import type { Config } from '../../platform/config.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { ConnectionRow } from '../connections/find-connection.ts'

export interface ScimPlace {
  readonly tenantId: TenantId
  readonly connection: ConnectionRow
  /** The address of the connection's SCIM interface. */
  readonly base: string
  readonly actor: Actor
}

type Placed = Pick<ConnectionRow, 'tenant_id' | 'id'>

export const baseUri = ({ baseUrl }: Pick<Config, 'baseUrl'>, { tenant_id: tenantId, id }: Placed) =>
  new URL(`/t/${tenantId}/scim/${id}/v2`, baseUrl).href

/** The directory as events name it: by its connection. */
export const directoryActor = ({ id }: Placed, ip: string | null, ua: string | null): Actor => ({
  type: 'system',
  id,
  ip,
  ua,
})
