// The ways of proving a factor, by name; one file each.
import type { SignInStrategy } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { ApiError, invalid } from '../../platform/http/api-error.ts'
import type { Strategy } from '../frontend/flow.ts'
import { authenticatorCodeStrategy } from './strategies/authenticator-code.ts'
import { codeStrategy } from './strategies/code.ts'
import { enrolAppStrategy, enrolKeyStrategy, mailboxStrategy } from './strategies/enrolment.ts'
import { enterpriseStrategy } from './strategies/enterprise.ts'
import { oauthStrategy } from './strategies/oauth.ts'
import { passwordStrategy } from './strategies/password.ts'
import { securityKeyStrategy } from './strategies/security-key.ts'

export type Strategies = Readonly<Partial<Record<SignInStrategy, Strategy>>>

export const firstFactorsOf = (deps: Deps): Strategies => ({
  username_password: passwordStrategy(deps, 'username_password'),
  email_password: passwordStrategy(deps, 'email_password'),
  phone_password: passwordStrategy(deps, 'phone_password'),
  email_code: codeStrategy(deps, 'email_code'),
  email_link: codeStrategy(deps, 'email_link'),
  phone_code: codeStrategy(deps, 'phone_code'),
  security_key: securityKeyStrategy(deps, 'first'),
  oauth: oauthStrategy(deps),
  enterprise: enterpriseStrategy(deps),
})

export const secondFactorsOf = (deps: Deps): Strategies => ({
  authenticator_code: authenticatorCodeStrategy(deps),
  security_key: securityKeyStrategy(deps, 'second'),
  email_code: mailboxStrategy(deps, 'email_code', 'second_factor'),
  phone_code: mailboxStrategy(deps, 'phone_code', 'second_factor'),
})

/** The ways of setting up a second factor, and what must be proven before. */
export const createEnrolments = (deps: Deps): Strategies => ({
  authenticator_code: enrolAppStrategy(deps),
  security_key: enrolKeyStrategy(deps),
  email_code: mailboxStrategy(deps, 'email_code'),
  phone_code: mailboxStrategy(deps, 'phone_code'),
})

/** @throws ApiError strategy_unavailable for a strategy that the attempt does not offer; validation_failed if none is chosen. */
export function chosenStrategy(
  strategies: Strategies,
  supported: readonly string[],
  name: SignInStrategy | null | undefined,
): Strategy {
  if (name === null || name === undefined) {
    throw invalid('/strategy', 'required', 'is required, because none has been chosen for this step yet')
  }
  const strategy = supported.includes(name) ? strategies[name] : undefined
  if (strategy === undefined) throw new ApiError('strategy_unavailable')
  return strategy
}
