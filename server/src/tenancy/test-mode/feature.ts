import { endpoints } from '@bailiwick/contract'
import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { moveClock, readClock, resetClock } from './clock.ts'

export const feature: Feature<Deps> = {
  name: 'tenancy/test-mode',
  management({ handle }, deps) {
    handle(endpoints.getTenantClock, ({ tenantId }) => readClock(deps, tenantId))
    handle(endpoints.putTenantClock, ({ tenantId, body, actor }) => moveClock(deps, tenantId, body, actor))
    handle(endpoints.resetTenantClock, ({ tenantId, actor }) => resetClock(deps, tenantId, actor))
  },
}
