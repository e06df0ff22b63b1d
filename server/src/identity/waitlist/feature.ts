import { endpoints } from '@bailiwick/contract'
import type { Feature } from '../../platform/feature.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { waitlistEntries } from './tables.ts'
import * as waitlist from './waitlist.ts'

function waitlistRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listWaitlist, ({ tenantId, query }) => waitlist.listWaitlist(deps, tenantId, query))
  handle(endpoints.approveWaitlist, ({ tenantId, body, actor }) =>
    waitlist.approveWaitlist(deps, tenantId, body.ids, actor),
  )
  handle(endpoints.declineWaitlist, ({ tenantId, body, actor }) =>
    waitlist.declineWaitlist(deps, tenantId, body.ids, actor),
  )
  handle(endpoints.deleteWaitlistEntry, ({ tenantId, params, actor }) =>
    waitlist.deleteWaitlistEntry(deps, tenantId, params.id, actor),
  )
}

export const feature: Feature<Deps> = {
  name: 'identity/waitlist',
  tables: [waitlistEntries],
  management: waitlistRoutes,
}
