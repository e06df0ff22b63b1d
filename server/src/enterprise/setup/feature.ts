import { endpoints } from '@bailiwick/contract'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import * as links from './setup-links.ts'
import { setupLinks } from './tables.ts'

function setupRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createSetupLink, ({ tenantId, params, body, principal, actor }) =>
    links.createSetupLink(deps, tenantId, params.organizationId, body, { principal, actor }),
  )
  handle(endpoints.listSetupLinks, ({ tenantId, params }) =>
    links.listSetupLinks(deps, tenantId, params.organizationId),
  )
  handle(endpoints.deleteSetupLink, ({ tenantId, params, actor }) =>
    links.deleteSetupLink(deps, tenantId, params, actor),
  )
}

export const feature: Feature<Deps> = {
  name: 'enterprise/setup',
  tables: [setupLinks],
  management: setupRoutes,
  loops: ({ db, clock }) => [
    {
      name: 'setup links',
      ...cleanUpPause,
      step: () =>
        removeExpired(db, [
          { table: 'setup_links', key: ['id', 'tenant_id'], column: 'expires_at', before: clock.now() },
        ]),
    },
  ],
}
