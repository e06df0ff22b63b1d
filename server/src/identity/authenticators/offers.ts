// Decides which steps of signing in are offered. It is one pure function, which the flows use and which explains itself.
import type { SignInStrategy, TenantAuthSettings } from '@bailiwick/contract'
import {
  type FirstFactorStrategy,
  type StrategyFacts,
  firstFactorStrategies,
  obstacle,
} from '../../tenancy/auth-configuration/usable-strategies.ts'
import {
  type SecondFactorStrategy,
  secondFactorSettings,
  secondFactorStrategies,
} from '../../tenancy/tenants/second-factor-settings.ts'
import type { IdentifierKind } from '../users/identifier.ts'

const identifierNames: Readonly<Record<IdentifierKind, string>> = {
  email: 'an e-mail address',
  phone: 'a phone number',
  username: 'a username',
}

/** The identifiers that a strategy can begin with; a strategy that needs none is offered with each. */
const kindsOf: Readonly<Record<FirstFactorStrategy, readonly (IdentifierKind | undefined)[]>> = {
  username_password: ['username'],
  email_password: ['email'],
  phone_password: ['phone'],
  email_link: ['email'],
  email_code: ['email'],
  phone_code: ['phone'],
  oauth: [undefined, 'email', 'phone', 'username'],
  security_key: [undefined, 'email', 'phone', 'username'],
}

export interface Offer {
  readonly strategy: SignInStrategy
  /** Why the strategy is not offered; undefined if it is. */
  readonly blockedBy: string | undefined
}

/**
 * Returns the first factors for a kind of identifier, or before one is given. They depend on the tenant alone, never on who has the
 * identifier, so they do not reveal whether anybody has it.
 */
export function firstFactors(auth: TenantAuthSettings, facts: StrategyFacts, kind?: IdentifierKind): Offer[] {
  return firstFactorStrategies.map((strategy) => {
    if (!auth.signInEnabled) return { strategy, blockedBy: 'signInEnabled is off' }
    if (kind !== undefined && !kindsOf[strategy].includes(kind)) {
      return { strategy, blockedBy: `not used with ${identifierNames[kind]}` }
    }
    return { strategy, blockedBy: obstacle(strategy, auth, facts) }
  })
}

/** @param enrolled what the user has set up. */
export function secondFactors(auth: TenantAuthSettings, enrolled: readonly SecondFactorStrategy[]): Offer[] {
  return secondFactorStrategies.map((strategy) => {
    if (!enrolled.includes(strategy)) return { strategy, blockedBy: 'the user has not set it up' }
    const setting = secondFactorSettings[strategy]
    return { strategy, blockedBy: auth[setting] ? undefined : `${setting} is off` }
  })
}

export const offered = (offers: readonly Offer[]): SignInStrategy[] =>
  offers.filter(({ blockedBy }) => blockedBy === undefined).map(({ strategy }) => strategy)

/** Returns the strategies that the tenant's settings switch on. Channels are not considered: what was sent already needs none any more. */
export const switchedOn = (auth: TenantAuthSettings, which: 'first' | 'second'): SignInStrategy[] =>
  offered(
    which === 'first'
      ? firstFactors(auth, { hasEmailChannel: true, hasSmsChannel: true, hasSocialProvider: true })
      : secondFactors(auth, secondFactorStrategies),
  )
