// What members do with the connections of their organization. Few apps have pages for it, so that it is not in the client of every page.
import { connectionPaths } from './connection-operations.gen.ts'
import { toTable } from './frontend/frontend-client.ts'
import type { ConnectionTable } from './frontend/frontend-operation.ts'

/**
 * The operations for single sign-on, provisioning and role rules of the user's organizations, for `createFrontendClient`.
 * @example
 * ```ts
 * import { createFrontendClient } from '@bailiwick/sdk/frontend'
 * import { connectionOperations } from '@bailiwick/sdk/organization-connections'
 *
 * const options = { baseUrl: 'https://id.example.com/frontend/api/v0', publicKey: 'pk_…' }
 * const bailiwick = createFrontendClient(options, connectionOperations)
 * const { connections } = await bailiwick.listOwnOrganizationConnections({ params: { id: 'cmi7…' } })
 * ```
 */
export const connectionOperations = /* @__PURE__ */ toTable(connectionPaths) as ConnectionTable
