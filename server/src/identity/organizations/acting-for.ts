// What an organization requires of a session that acts for it. The session itself continues without it.
import type { SignInStrategy, TenantAuthSettings } from '@bailiwick/contract'
import { type Timestamp, toMs } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import { hasSecondFactors } from '../../tenancy/tenants/second-factor-settings.ts'
import type { Membership } from './membership-of.ts'

/** What a session says about how its user has proven who it is. */
export interface ActingSession {
  readonly created_at: Timestamp
  readonly auth_time: Timestamp | null
  readonly second_factor_at: Timestamp | null
  readonly factors: JsonText<SignInStrategy[]> | null
  /** Set if somebody acts in the user's place, of whom the rules ask nothing. */
  readonly actor_type: string | null
}

/** Returns why a session may not act for the organization of a membership; undefined if it may. */
export function actingObstacle(
  session: ActingSession,
  auth: TenantAuthSettings,
  { rules, roles }: Membership,
  nowMs: number,
): ApiError | undefined {
  if (session.actor_type !== null) return undefined
  const { secondFactorRequired, allowedStrategies, sessionMaximumLifetime } = rules
  const needsSecond = secondFactorRequired || roles.some((role) => role.requires_second_factor === 1)
  if (needsSecond && session.second_factor_at === null && hasSecondFactors(auth)) {
    return new ApiError('second_factor_required', {
      detail: 'Prove a second factor with POST /user/verifications before you act for this organization.',
    })
  }
  if (allowedStrategies.length > 0) {
    const proven: readonly string[] = session.factors === null ? [] : fromJson(session.factors)
    if (!allowedStrategies.some((strategy) => proven.includes(strategy))) {
      const detail = `This organization requires a sign-in by ${allowedStrategies.join(' or ')}.`
      return new ApiError('reauthentication_required', { detail })
    }
  }
  const age = nowMs - toMs(session.auth_time ?? session.created_at)
  if (sessionMaximumLifetime !== null && age > sessionMaximumLifetime * 1000) {
    const detail = `This organization requires a sign-in that is at most ${sessionMaximumLifetime} seconds old.`
    return new ApiError('reauthentication_required', { detail })
  }
  return undefined
}
