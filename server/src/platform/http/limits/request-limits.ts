// How many requests each caller of the management interface may make.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { inTenant } from '../../ids.ts'
import { ApiError } from '../api-error.ts'
import type { Principal } from '../credentials/principal.ts'
import { createAddressLimiter } from './address-limit.ts'
import { assertWithinLimit, createRateLimiter, limitFactor } from './rate-limit.ts'

export interface RequestLimits {
  /** @throws ApiError rate_limited */
  admit(request: FastifyRequest, reply: FastifyReply, principal: Principal): void
  /**
   * Called before the database is asked for a credential that is not in memory. A caller that has sent many wrong ones must wait; callers
   * at the same address with known credentials are not affected.
   * @throws ApiError rate_limited
   */
  beforeLookUp(request: FastifyRequest, reply: FastifyReply): void
  /** Counts an authentication error, if it is about a credential that was sent. */
  refused(request: FastifyRequest, error: unknown): void
}

const minute = 60

export function createRequestLimits(config: Config, clock: Pick<Clock, 'nowMs'>): RequestLimits {
  const factor = limitFactor(config)
  const limit = (name: string, count: number, windowSeconds: number) => ({
    name,
    count: count * factor,
    windowSeconds,
    clock,
  })
  const tenants = createRateLimiter(limit('tenant', config.tenantRequestsPerSecond, 1))
  const consoleUsers = createRateLimiter(limit('console-user', 300, minute))
  const addresses = createAddressLimiter(limit('address', 600, minute))
  const wrongCredentials = createAddressLimiter(limit('wrong-credentials', 300, minute))

  return {
    admit(request, reply, principal) {
      switch (principal.type) {
        case 'operator':
          return
        case 'secret_key':
        case 'api_key':
        case 'application':
          return assertWithinLimit(reply, tenants, tenants.take(principal.tenantId))
        case 'console_user':
          return assertWithinLimit(
            reply,
            consoleUsers,
            consoleUsers.take(inTenant(principal.tenantId, principal.userId)),
          )
        case 'anonymous':
          return addresses.take(request, reply)
      }
    },
    beforeLookUp(request, reply) {
      wrongCredentials.check(request, reply)
    },
    refused(request, error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthenticated') return
      const { authorization, cookie, 'x-secret-key': secretKey } = request.headers
      if (authorization ?? cookie ?? secretKey) wrongCredentials.count(request)
    },
  }
}
