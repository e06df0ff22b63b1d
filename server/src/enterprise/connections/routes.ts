import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { checkConnection, previewConnection } from './check.ts'
import * as connections from './connections.ts'
import * as identities from './identities.ts'
import { getTest } from './tests.ts'

export function connectionRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createConnection, ({ tenantId, body, principal, actor }) =>
    connections.createConnection(deps, tenantId, body, { principal, actor }),
  )
  handle(endpoints.listConnectionsOfOrganization, ({ tenantId, params }) =>
    connections.listConnections(deps, tenantId, params.organizationId),
  )
  handle(endpoints.getConnection, ({ tenantId, params }) => connections.getConnection(deps, tenantId, params.id))
  handle(endpoints.updateConnection, ({ tenantId, params, body, query, principal, actor }) =>
    connections.updateConnection(deps, tenantId, params.id, { ...body, ...query }, { principal, actor }),
  )
  handle(endpoints.deleteConnection, ({ tenantId, params, principal, actor }) =>
    connections.deleteConnection(deps, tenantId, params.id, { principal, actor }),
  )
  handle(endpoints.checkConnection, ({ tenantId, params }) => checkConnection(deps, tenantId, params.id))
  handle(endpoints.previewConnection, ({ tenantId, params }) => previewConnection(deps, tenantId, params.id))
  handle(endpoints.getConnectionTest, ({ tenantId, params }) => getTest(deps, tenantId, params.id))
  handle(endpoints.listConnectionsOfUser, ({ tenantId, params }) =>
    identities.listConnectionsOfUser(deps, tenantId, params.userId),
  )
  handle(endpoints.deleteConnectionOfUser, ({ tenantId, params, actor }) =>
    identities.deleteConnectionOfUser(deps, tenantId, params.userId, params.id, actor),
  )
}
