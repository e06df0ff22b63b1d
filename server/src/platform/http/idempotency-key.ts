import type { Endpoint } from '@bailiwick/contract'
import type { FastifyRequest } from 'fastify'
import { invalid } from './api-error.ts'

const path = '/idempotency-key'

/**
 * Returns the key that a POST names, or undefined if it names none. Other methods are idempotent by themselves, so the header is ignored.
 * @throws ApiError validation_failed
 */
export function idempotencyKeyOf(endpoint: Endpoint, { headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || endpoint.method !== 'POST' || endpoint.isRepeatable === true) return undefined
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) {
    throw invalid(path, 'invalid_format', 'must be 1 to 255 visible ASCII characters')
  }
  // Streamed bodies and answers are not stored for repetition.
  if (endpoint.bodyType !== undefined || endpoint.responseType !== undefined) {
    throw invalid(path, 'not_allowed', 'is not supported by this operation')
  }
  return key
}
