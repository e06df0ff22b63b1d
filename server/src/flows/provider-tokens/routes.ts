import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { listConnections, withdrawAccess } from '../../identity/social-connections/connections.ts'
import { getUserRow } from '../../identity/users/find-user.ts'
import { assertWithinLimit, createRateLimiter, limitFactor } from '../../platform/http/limits/rate-limit.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { inTenant } from '../../platform/ids.ts'
import { createFreshTokens } from './fresh-tokens.ts'
import { getProviderToken } from './get-token.ts'

const perMinute = 60

export function providerTokenRoutes({ handle }: Management, deps: Deps) {
  const makeFresh = createFreshTokens(deps)
  const count = perMinute * limitFactor(deps.config)
  const limiter = createRateLimiter({ name: 'provider-tokens', count, windowSeconds: 60, clock: deps.clock })

  handle(endpoints.getProviderToken, ({ tenantId, params: { id }, body, actor, reply }) => {
    assertWithinLimit(reply, limiter, limiter.take(inTenant(tenantId, id)))
    return getProviderToken(deps, makeFresh, tenantId, { id, ...body }, actor)
  })
  handle(endpoints.listSocialConnections, async ({ tenantId, params }) => {
    const user = await getUserRow(deps.db, tenantId, params.id)
    return listConnections(deps.db, tenantId, user.id)
  })
  handle(endpoints.deleteProviderAccess, async ({ tenantId, params: { userId, id }, actor }) => {
    const user = await getUserRow(deps.db, tenantId, userId)
    return withdrawAccess(deps, tenantId, { userId: user.id, id }, actor)
  })
}
