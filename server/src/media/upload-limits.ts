// How often files may be announced and sent: SECURITY.md section 5.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { addressKeyOf } from '../http/address-key.ts'
import type { Principal } from '../http/principal.ts'
import { assertWithinLimit, createRateLimiter, limitFactor } from '../http/rate-limit.ts'
import type { TenantId } from '../ids.ts'

const minute = 60

/** @throws ApiError rate_limited, from each of the functions that it gives. */
export function createUploadLimits({ config, clock }: Deps) {
  const limiter = (name: string, count: number) =>
    createRateLimiter({ name, count: count * limitFactor(config), windowSeconds: minute, clock })
  const uploads = limiter('uploads', 60)
  const attempts = limiter('upload-attempts', 10)
  const addresses = limiter('upload-address', 600)

  return {
    announce(reply: FastifyReply, principal: Principal, tenantId: TenantId) {
      if (principal.type !== 'operator') assertWithinLimit(reply, uploads, uploads.take(tenantId))
    },
    /** Before anything is looked up. */
    arrive: (request: FastifyRequest, reply: FastifyReply) =>
      assertWithinLimit(reply, addresses, addresses.take(addressKeyOf(request))),
    /** Sending wrong bytes to one address over and over. */
    send: (reply: FastifyReply, uploadId: string) => assertWithinLimit(reply, attempts, attempts.take(uploadId)),
  }
}

export type UploadLimits = ReturnType<typeof createUploadLimits>
