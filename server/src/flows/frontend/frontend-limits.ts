// How often one address may call operations that guess, send or make something.
import type { FrontendEndpointId } from '@bailiwick/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import { type AddressLimiter, createAddressLimiter } from '../../platform/http/limits/address-limit.ts'
import {
  type RateLimiter,
  assertWithinLimit,
  createRateLimiter,
  limitFactor,
} from '../../platform/http/limits/rate-limit.ts'
import { type TenantId, type UserId, inTenant } from '../../platform/ids.ts'

const minute = 60
const hour = 60 * minute

const limits = {
  public: { count: 600, windowSeconds: minute },
  'sign-in': { count: 10, windowSeconds: minute },
  'sign-up': { count: 5, windowSeconds: minute },
  // Sign-ups may send one field at a time, for several people behind one address; each may cost a password's hash, or reveal that a name is
  // taken.
  'sign-up-field': { count: 30, windowSeconds: minute },
  // Each leaves a user behind.
  anonymous: { count: 10, windowSeconds: minute },
  // Each redeems a code at a provider; several people may be behind one address.
  callback: { count: 60, windowSeconds: minute },
  // Each may look up a tenant.
  preflight: { count: 600, windowSeconds: minute },
  verify: { count: 10, windowSeconds: minute },
  // A wrong one may be another person's, so development allows not many more.
  'device-code': { count: 10, windowSeconds: minute },
  // Challenges of passkeys, and redirects to a provider: they send nothing to anybody. Whatever is sent also counts against `send`.
  options: { count: 60, windowSeconds: minute },
  send: { count: 20, windowSeconds: hour },
  // Each picture is decoded, cropped and encoded.
  picture: { count: 10, windowSeconds: 10 * minute },
  // Each is held in memory before its content is known.
  file: { count: 30, windowSeconds: 10 * minute },
  // Each reads all data about a user.
  export: { count: 10, windowSeconds: hour },
} as const
/** A test of an application tries some codes; nobody tries hundreds. */
const deviceCodeFactorMax = 5
type LimitName = keyof typeof limits

const limitOf: Readonly<
  Partial<
    Record<
      FrontendEndpointId | 'oauthCallback' | 'preflight' | 'sendFirstFactor' | 'passkeyOptions' | 'sendFile',
      LimitName
    >
  >
> = {
  oauthCallback: 'callback',
  preflight: 'preflight',
  getChallenge: 'options',
  createSignIn: 'sign-in',
  createVerification: 'sign-in',
  attemptFirstFactor: 'sign-in',
  attemptSecondFactor: 'sign-in',
  confirmAuthenticatorCode: 'verify',
  prepareFirstFactor: 'options',
  sendFirstFactor: 'send',
  passkeyOptions: 'options',
  createSignUp: 'sign-up',
  createAnonymousUser: 'anonymous',
  joinWaitlist: 'sign-up',
  updateSignUp: 'sign-up-field',
  attemptVerification: 'verify',
  prepareVerification: 'send',
  prepareOwnEmail: 'send',
  prepareOwnPhone: 'send',
  verifyOwnEmail: 'verify',
  verifyOwnPhone: 'verify',
  setOwnPicture: 'picture',
  sendFile: 'file',
  updateOwnPassword: 'verify',
  requestInvitation: 'send',
  getInvitation: 'options',
  exportOwnData: 'export',
  acceptInvitation: 'verify',
  declineInvitation: 'verify',
  createPasswordReset: 'send',
  attemptPasswordReset: 'verify',
  findOAuthDevice: 'device-code',
}

interface UserOfTenant {
  readonly tenant_id: TenantId
  readonly user_id: UserId
}

export interface FrontendLimits {
  /**
   * Counts by the address that a request comes from.
   * @throws ApiError rate_limited
   */
  readonly take: (operation: string, request: FastifyRequest, reply: FastifyReply) => void
  /**
   * Counts by the signed-in user, across all operations and across those of a kind, because many users may share an address. The key
   * includes the tenant, because an import may have brought the same id into another one.
   * @throws ApiError rate_limited
   */
  readonly takeOfUser: (operation: string, user: UserOfTenant, reply: FastifyReply) => void
}

export function createFrontendLimits({ config, clock }: Deps): FrontendLimits {
  const factor = limitFactor(config)
  const byAddress = new Map<LimitName, AddressLimiter>()
  const byUser = new Map<LimitName, RateLimiter>()
  const users = createRateLimiter({ name: 'frontend-user', count: 600 * factor, windowSeconds: minute, clock })
  for (const [name, { count, windowSeconds }] of Object.entries(limits)) {
    const times = name === 'device-code' ? Math.min(factor, deviceCodeFactorMax) : factor
    const limit = { name: `frontend-${name}`, count: count * times, windowSeconds, clock }
    byAddress.set(name as LimitName, createAddressLimiter(limit))
    byUser.set(name as LimitName, createRateLimiter(limit))
  }
  return {
    takeOfUser(operation, { tenant_id: tenantId, user_id: userId }, reply) {
      const key = inTenant(tenantId, userId)
      assertWithinLimit(reply, users, users.take(key))
      const name = limitOf[operation as FrontendEndpointId]
      const limiter = name && byUser.get(name)
      if (limiter !== undefined) assertWithinLimit(reply, limiter, limiter.take(key))
    },
    take(operation, request, reply) {
      byAddress.get(limitOf[operation as FrontendEndpointId] ?? 'public')?.take(request, reply)
    },
  }
}
