// Explains to the tenant's administrators what a user is refused because somebody has guessed or sent too often, and what ends it.
import type { SignInExplanation, SignInStrategy } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type FailureRow, blockOf, selectStrangersFailures } from '../../identity/lockout/lockout.ts'
import { sendingBlockedUntil } from '../../identity/one-time-codes/one-time-codes.ts'
import type { Identifier } from '../../identity/users/identifier.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { StrategyFacts } from '../../tenancy/auth-configuration/usable-strategies.ts'
import type { SecondFactorStrategy } from '../../tenancy/tenants/second-factor-settings.ts'

export type Lock = SignInExplanation['locks'][number]

/** How much of an account's budget strangers have used up. */
export interface UsedUp {
  readonly guesses: FailureRow | undefined
  readonly sendingBlockedUntil: Timestamp | undefined
}

export async function selectUsedUp(
  deps: Deps,
  tenantId: TenantId,
  userId: UserId,
  { kind, key }: Identifier,
): Promise<UsedUp> {
  return {
    guesses: await selectStrangersFailures(deps.db, tenantId, userId),
    sendingBlockedUntil: kind === 'username' ? undefined : await sendingBlockedUntil(deps, tenantId, userId, key),
  }
}

/** The ways of unlocking that are open to a user. */
export interface UnlockOptions {
  /** The first factors that the user can prove. */
  readonly usable: readonly SignInStrategy[]
  readonly enrolled: readonly SecondFactorStrategy[]
  readonly passwordsEnabled: boolean
  readonly facts: StrategyFacts
}

const byOthers = [
  'a sign-in from a device that the user has signed in with before',
  'an administrator: POST /auth/users/{id}/unlock, or a new password by PUT /auth/users/{id}/change-password',
]

function otherProofs({ usable, passwordsEnabled, facts }: UnlockOptions): string[] {
  const others = usable.filter((strategy) => !strategy.endsWith('_password'))
  const isResettable = passwordsEnabled && (facts.hasEmailChannel || facts.hasSmsChannel)
  return [
    ...(others.length === 0 ? [] : [`a sign-in by ${others.join(' or ')}`]),
    ...(isResettable ? ['a password reset with the code that is sent'] : []),
  ]
}

/** A pure function: its result depends only on its arguments. */
export function locksOf({ guesses, sendingBlockedUntil: until }: UsedUp, ways: UnlockOptions, now: Timestamp): Lock[] {
  const password = guesses && blockOf(guesses, 'password', now)
  const second = guesses && blockOf(guesses, 'second', now)
  const locks: Lock[] = []
  if (password !== undefined) {
    locks.push({ what: 'password', until: password.until, clearedBy: [...otherProofs(ways), ...byOthers] })
  }
  if (second !== undefined) {
    const clearedBy = [
      'a sign-in with a recovery code',
      ...(ways.enrolled.includes('security_key') ? ['a sign-in with a security key'] : []),
      ...byOthers,
    ]
    locks.push({ what: 'second_factor', until: second.until, clearedBy })
  }
  if (until !== undefined) locks.push({ what: 'sent_codes', until, clearedBy: byOthers.slice(1) })
  return locks
}
