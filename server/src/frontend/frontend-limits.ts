// How often one address may call what guesses, sends or makes something. SECURITY section 5.
import type { FrontendEndpointId } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { addressKeyOf } from '../http/address-key.ts'
import { type RateLimiter, assertWithinLimit, createRateLimiter, limitFactor } from '../http/rate-limit.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const minute = 60
const hour = 60 * minute

const limits = {
  public: { count: 600, windowSeconds: minute },
  'sign-in': { count: 10, windowSeconds: minute },
  'sign-up': { count: 5, windowSeconds: minute },
  // One field at a time, several people behind one address; each may cost a password's hash, or tell that a name is taken.
  'sign-up-field': { count: 30, windowSeconds: minute },
  // Each redeems a code at a provider; several people may sit behind one address.
  callback: { count: 60, windowSeconds: minute },
  verify: { count: 10, windowSeconds: minute },
  // Challenges of passkeys, and ways to a provider: they reach nobody. What is sent takes of `send` too.
  options: { count: 60, windowSeconds: minute },
  send: { count: 20, windowSeconds: hour },
} as const
type LimitName = keyof typeof limits

const limitOf: Readonly<Partial<Record<FrontendEndpointId | 'oauthCallback' | 'sendFirstFactor', LimitName>>> = {
  oauthCallback: 'callback',
  createSignIn: 'sign-in',
  attemptFirstFactor: 'sign-in',
  attemptSecondFactor: 'sign-in',
  confirmAuthenticatorCode: 'verify',
  prepareFirstFactor: 'options',
  sendFirstFactor: 'send',
  createSignUp: 'sign-up',
  updateSignUp: 'sign-up-field',
  attemptVerification: 'verify',
  prepareVerification: 'send',
  prepareOwnEmail: 'send',
  prepareOwnPhone: 'send',
  verifyOwnEmail: 'verify',
  verifyOwnPhone: 'verify',
  updateOwnPassword: 'verify',
  acceptInvitation: 'verify',
  declineInvitation: 'verify',
  createPasswordReset: 'send',
  attemptPasswordReset: 'verify',
}

export interface FrontendLimits {
  /**
   * By the address that a request comes from.
   * @throws ApiError rate_limited
   */
  readonly take: (operation: string, request: FastifyRequest, reply: FastifyReply) => void
  /**
   * By the signed-in user, over all operations and over those of a kind: many users may share an address.
   * @throws ApiError rate_limited
   */
  readonly takeOfUser: (operation: string, userId: string, reply: FastifyReply) => void
}

export function createFrontendLimits({ config, clock }: Deps): FrontendLimits {
  const factor = limitFactor(config)
  const limiters = new Map<LimitName, RateLimiter>()
  const users = createRateLimiter({ name: 'frontend-user', count: 600 * factor, windowSeconds: minute, clock })
  for (const [name, { count, windowSeconds }] of Object.entries(limits)) {
    const limiter = createRateLimiter({ name: `frontend-${name}`, count: count * factor, windowSeconds, clock })
    limiters.set(name as LimitName, limiter)
  }
  return {
    takeOfUser(operation, userId, reply) {
      assertWithinLimit(reply, users, users.take(userId))
      const name = limitOf[operation as FrontendEndpointId]
      const limiter = name && limiters.get(name)
      // No address looks like that.
      if (limiter !== undefined) assertWithinLimit(reply, limiter, limiter.take(`user:${userId}`))
    },
    take(operation, request, reply) {
      const limiter = limiters.get(limitOf[operation as FrontendEndpointId] ?? 'public')
      if (limiter !== undefined) assertWithinLimit(reply, limiter, limiter.take(addressKeyOf(request)))
    },
  }
}
