// Limits how often files may be announced and sent.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../platform/http/credentials/principal.ts'
import { createAddressLimiter } from '../../platform/http/limits/address-limit.ts'
import { assertWithinLimit, createRateLimiter, limitFactor } from '../../platform/http/limits/rate-limit.ts'
import { type TenantId, inTenant } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'

const minute = 60

/** @throws ApiError rate_limited, from each of the returned functions. */
export function createUploadLimits({ config, clock }: Deps) {
  const limit = (name: string, count: number) => ({
    name,
    count: count * limitFactor(config),
    windowSeconds: minute,
    clock,
  })
  const uploads = createRateLimiter(limit('uploads', 60))
  const attempts = createRateLimiter(limit('upload-attempts', 10))
  const addresses = createAddressLimiter(limit('upload-address', 600))

  return {
    announce(reply: FastifyReply, principal: Principal, tenantId: TenantId) {
      if (principal.type !== 'operator') assertWithinLimit(reply, uploads, uploads.take(tenantId))
    },
    /** Called before anything is looked up. */
    arrive: (request: FastifyRequest, reply: FastifyReply) => addresses.take(request, reply),
    /** Limits repeated sending of wrong bytes to one address. */
    send: (reply: FastifyReply, tenantId: TenantId, uploadId: string) =>
      assertWithinLimit(reply, attempts, attempts.take(inTenant(tenantId, uploadId))),
  }
}

export type UploadLimits = ReturnType<typeof createUploadLimits>
