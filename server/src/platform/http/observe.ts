// What operators see of requests: one JSON log line and one histogram sample for each.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Metrics } from '../telemetry/metrics.ts'
import { isTenantsOwn } from './credentials/principal.ts'
import { createRequestLog } from './request-log.ts'

/** The tenant that the caller belongs to, or the one that an end user's request is for. */
const tenantIdOf = ({ principal, frontendTenantId }: FastifyRequest) =>
  principal !== undefined && isTenantsOwn(principal) ? principal.tenantId : frontendTenantId

/** Called when a request arrives. */
export type RequestObserver = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Observes each answer after it was sent, with a single listener: a Fastify hook would cost every request two of them and the code that
 * runs hooks. Undefined if neither log nor metrics need it.
 */
export function createRequestObserver(log: Logger, metrics: Metrics | undefined): RequestObserver | undefined {
  const logRequest = createRequestLog(log)
  if (logRequest === undefined && metrics === undefined) return undefined
  return (request, { raw }) => {
    const startedAt = performance.now()
    raw.on('finish', () => {
      const ms = performance.now() - startedAt
      const { method, principal } = request
      const route = request.routeOptions.url ?? 'unknown'
      metrics?.observe(method, route, raw.statusCode, ms / 1000)
      logRequest?.({
        requestId: request.id,
        method,
        route,
        status: raw.statusCode,
        ms: Math.round(ms * 100) / 100,
        ip: request.ip,
        principal: principal?.type,
        tenantId: tenantIdOf(request),
      })
    })
  }
}
