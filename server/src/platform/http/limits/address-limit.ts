// Limits how often one address may do something. Every limit by address is made here, so that none ignores that one customer may hold a
// whole IPv6 /48.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKeysOf } from './address-key.ts'
import { type RateLimit, assertWithinLimit, createRateLimiter } from './rate-limit.ts'

/** A whole /48 may do this many times as much as one of its /64s. */
const siteFactor = 10

/** Returns the range that one customer may hold: the /48 of an IPv6 address, or an IPv4 address. */
export function addressRange(request: FastifyRequest): string {
  const { site, subscriber } = addressKeysOf(request)
  return site ?? subscriber
}

export interface AddressLimiter {
  /**
   * Takes one use from the caller's address, or nothing if none is left.
   * @throws ApiError rate_limited
   */
  take(request: FastifyRequest, reply: FastifyReply): void
  /**
   * Refuses if no use is left, without taking one.
   * @throws ApiError rate_limited
   */
  check(request: FastifyRequest, reply: FastifyReply): void
  /** Takes one use if one is left, for something that has happened already. */
  count(request: FastifyRequest): void
}

export function createAddressLimiter(limit: Omit<RateLimit, 'burst'>): AddressLimiter {
  const subscribers = createRateLimiter(limit)
  const sites = createRateLimiter({ ...limit, name: `${limit.name}-48`, count: limit.count * siteFactor })
  return {
    take(request, reply) {
      const { subscriber, site } = addressKeysOf(request)
      if (site !== undefined) assertWithinLimit(reply, sites, sites.peek(site))
      assertWithinLimit(reply, subscribers, subscribers.take(subscriber))
      if (site !== undefined) sites.take(site)
    },
    check(request, reply) {
      const { subscriber, site } = addressKeysOf(request)
      if (site !== undefined) assertWithinLimit(reply, sites, sites.peek(site))
      assertWithinLimit(reply, subscribers, subscribers.peek(subscriber))
    },
    count(request) {
      const { subscriber, site } = addressKeysOf(request)
      subscribers.take(subscriber)
      if (site !== undefined) sites.take(site)
    },
  }
}
