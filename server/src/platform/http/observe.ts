// What operators see of requests: one JSON log line and one histogram sample for each.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { createRequestLog } from './request-log.ts'

export interface Metrics {
  readonly registry: Registry
  observe(method: string, route: string, status: number, seconds: number): void
  /** Adds a gauge that is read whenever the metrics are requested. */
  addGauge(name: string, help: string, read: () => Promise<number>): void
}

/** Also loads the library, which only a deployment with metrics needs. */
export async function createMetrics(): Promise<Metrics> {
  const { Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'bailiwick_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return {
    registry,
    observe: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
    addGauge(name, help, read) {
      const gauge: InstanceType<typeof Gauge> = new Gauge({
        name,
        help,
        registers: [registry],
        collect: async () => gauge.set(await read()),
      })
    },
  }
}

/** The tenant of the caller's key, or the one that an end user's request is for. */
const tenantIdOf = ({ principal, frontendTenantId }: FastifyRequest) =>
  principal?.type === 'secret_key' || principal?.type === 'api_key' ? principal.tenantId : frontendTenantId

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
