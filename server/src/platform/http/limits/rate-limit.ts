// Limits rates with GCRA, which stores one number for each key, in the bounded memory of this node. Each node counts by itself; processes of
// one machine count together (shared-limits.ts).
import type { FastifyReply } from 'fastify'
import { type Clock, machineMs } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { ApiError } from '../api-error.ts'
import { recordUse, registerLimiter } from './shared-limits.ts'

export interface RateLimit {
  /** Used in the RateLimit headers: letters, digits and hyphens. */
  readonly name: string
  /** How many uses a window allows on average. */
  readonly count: number
  readonly windowSeconds: number
  /** How many uses are allowed at once after a pause; by default `count`. */
  readonly burst?: number
  readonly clock: Pick<Clock, 'nowMs'>
  /** How many keys are remembered. Beyond this the least recently used ones may be forgotten. */
  readonly keysMax?: number
}

export interface Taken {
  readonly ok: boolean
  /** 0 when ok, otherwise whole seconds, at least 1. */
  readonly retryAfterSeconds: number
  /** How many more uses are available now. */
  readonly remaining: number
}

export interface RateLimiter {
  readonly name: string
  /** How many uses can be taken at once. */
  readonly burst: number
  /** The limit as a RateLimit-Policy value. */
  readonly policy: string
  /**
   * Takes `cost` uses, or none if that exceeds the limit.
   * @throws RangeError for a cost that could never be taken.
   */
  take(key: string, cost?: number): Taken
  /** Returns what {@link take} would return, without taking anything. */
  peek(key: string, cost?: number): Taken
}

const keysMaxDefault = 20_000
/** Once this share of a limit is used, the other processes must hear of each use soon. */
const scarceShare = 1 / 4
const namePattern = /^[a-z][a-z0-9-]*$/

export function createRateLimiter(limit: RateLimit): RateLimiter {
  const { name, count, windowSeconds, burst = count, clock, keysMax = keysMaxDefault } = limit
  if (!namePattern.test(name) || !(count > 0 && windowSeconds > 0 && burst >= 1)) {
    throw new RangeError(`the rate limit ${name} makes no sense`)
  }
  const intervalMs = (windowSeconds * 1000) / count
  const toleranceMs = burst * intervalMs
  /** Keeps rounding of fractional milliseconds from refusing the last use of a burst. */
  const roundingMs = intervalMs / 1e6
  // When each key will have its full burst again. There are two generations: when the young one is full, keys not used since the last
  // change are dropped.
  let young = new Map<string, number>()
  let old = new Map<string, number>()

  function keep(key: string, fullAt: number) {
    if (young.size >= keysMax / 2 && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, fullAt)
  }

  // Elapsed time by the clock. When the clock is set back, no time passes.
  let passedMs = 0
  // One limiter serves all tenants.
  let lastMs = machineMs(clock)
  function passed(): number {
    const nowMs = machineMs(clock)
    if (nowMs > lastMs) passedMs += nowMs - lastMs
    lastMs = nowMs
    return passedMs
  }

  function consider(key: string, cost: number, isTaking: boolean): Taken {
    if (!(cost >= 0 && cost <= burst)) throw new RangeError(`${cost} can never be taken of ${burst} (${name})`)
    const nowMs = passed()
    const debtMs = Math.max((young.get(key) ?? old.get(key) ?? 0) - nowMs, 0)
    const owedMs = debtMs + cost * intervalMs
    const overMs = owedMs - toleranceMs
    if (overMs > roundingMs) {
      const remaining = Math.max(Math.floor((toleranceMs - debtMs + roundingMs) / intervalMs), 0)
      return { ok: false, retryAfterSeconds: Math.max(Math.ceil(overMs / 1000), 1), remaining }
    }
    if (isTaking) {
      keep(key, nowMs + owedMs)
      recordUse(name, key, cost, owedMs > toleranceMs * scarceShare)
    }
    return { ok: true, retryAfterSeconds: 0, remaining: Math.floor((roundingMs - overMs) / intervalMs) }
  }

  registerLimiter(name, (key, cost) => {
    const nowMs = passed()
    keep(key, Math.max(young.get(key) ?? old.get(key) ?? 0, nowMs) + cost * intervalMs)
  })

  return {
    name,
    burst,
    policy: `"${name}";q=${count};w=${windowSeconds}`,
    take: (key, cost = 1) => consider(key, cost, true),
    peek: (key, cost = 1) => consider(key, cost, false),
  }
}

/** Limits are this many times as high in development, where one address or tenant does all the work. */
export const limitFactor = ({ env }: Pick<Config, 'env'>): number => (env === 'development' ? 100 : 1)

/** Sends the caller its state (draft-ietf-httpapi-ratelimit-headers-10) once less than half is left. */
function tell(reply: FastifyReply, limiter: RateLimiter, { ok, remaining, retryAfterSeconds }: Taken) {
  if (ok && remaining * 2 >= limiter.burst) return
  reply.header('ratelimit-policy', limiter.policy)
  reply.header('ratelimit', `"${limiter.name}";r=${remaining}${ok ? '' : `;t=${retryAfterSeconds}`}`)
}

/**
 * Refuses if the limiter did, and adds the caller's state to the answer.
 * @throws ApiError rate_limited
 */
export function assertWithinLimit(reply: FastifyReply, limiter: RateLimiter, taken: Taken) {
  tell(reply, limiter, taken)
  if (!taken.ok) throw new ApiError('rate_limited', { retryAfterSeconds: taken.retryAfterSeconds })
}
