// The strategies that a configuration really offers. A pure function of the configuration and the facts that it depends on.
import type { Issue, TenantAuthSettings } from '@bailiwick/contract'
import { hasSecondFactors, neededSettings } from '../tenants/second-factor-settings.ts'

/** What a tenant has besides its configuration. */
export interface StrategyFacts {
  /** Whether a mail, or a text message, can be sent. */
  readonly hasEmailChannel: boolean
  readonly hasSmsChannel: boolean
  /** Whether a social provider is enabled and may sign people in. */
  readonly hasSocialProvider: boolean
}

export const firstFactorStrategies = [
  'username_password',
  'email_password',
  'phone_password',
  'email_link',
  'email_code',
  'phone_code',
  'oauth',
  'security_key',
] as const
export type FirstFactorStrategy = (typeof firstFactorStrategies)[number]

type Setting = keyof TenantAuthSettings

/** The settings that a strategy needs; the first one is its own switch. */
export const strategySettings: Readonly<Record<FirstFactorStrategy, readonly [Setting, ...Setting[]]>> = {
  username_password: ['strategyUsernamePasswordEnabled', 'passwordsEnabled', 'usernameSignInEnabled'],
  email_password: ['strategyEmailPasswordEnabled', 'passwordsEnabled', 'emailSignInEnabled'],
  phone_password: ['strategyPhonePasswordEnabled', 'passwordsEnabled', 'phoneSignInEnabled'],
  email_link: ['strategyEmailLinkEnabled', 'emailSignInEnabled'],
  email_code: ['strategyEmailCodeEnabled', 'emailSignInEnabled'],
  phone_code: ['strategyPhoneCodeEnabled', 'phoneSignInEnabled'],
  oauth: ['strategyOAuthEnabled'],
  security_key: ['strategySecurityKeyEnabled'],
}

/** Returns what a strategy lacks besides settings, according to the facts. */
function lackOf(strategy: FirstFactorStrategy, facts: StrategyFacts): string | undefined {
  switch (strategy) {
    case 'email_link':
    case 'email_code':
      return facts.hasEmailChannel ? undefined : 'there is no e-mail channel'
    case 'phone_code':
      return facts.hasSmsChannel ? undefined : 'there is no SMS channel'
    case 'oauth':
      return facts.hasSocialProvider ? undefined : 'no social provider is enabled'
    default:
      return undefined
  }
}

/** Returns why a strategy cannot be used; undefined if it can. */
export function obstacle(
  strategy: FirstFactorStrategy,
  auth: TenantAuthSettings,
  facts: StrategyFacts,
): string | undefined {
  const off = strategySettings[strategy].find((setting) => auth[setting] !== true)
  return off === undefined ? lackOf(strategy, facts) : `${off} is off`
}

export const usableStrategies = (auth: TenantAuthSettings, facts: StrategyFacts) =>
  firstFactorStrategies.filter((strategy) => obstacle(strategy, auth, facts) === undefined)

/**
 * Returns why the change from `before` to `after` is refused: nobody could sign in any more, or a strategy that is switched on could not
 * work.
 */
export function lockoutIssues(before: TenantAuthSettings, after: TenantAuthSettings, facts: StrategyFacts): Issue[] {
  const issues: Issue[] = []
  for (const strategy of firstFactorStrategies) {
    const [own] = strategySettings[strategy]
    const lack = lackOf(strategy, facts)
    if (strategy !== 'oauth' && lack !== undefined && after[own] === true && before[own] !== true) {
      issues.push({ path: `/${own}`, code: 'unusable', message: `cannot be turned on: ${lack}` })
    }
  }
  const codes = [
    ['strategySecondEmailCodeEnabled', facts.hasEmailChannel, 'there is no e-mail channel'],
    ['strategySecondPhoneCodeEnabled', facts.hasSmsChannel, 'there is no SMS channel'],
  ] as const
  for (const [setting, hasChannel, lack] of codes) {
    if (after[setting] && !before[setting] && !hasChannel)
      issues.push({ path: `/${setting}`, code: 'unusable', message: `cannot be turned on: ${lack}` })
  }
  if (
    after.organizationRolesEnabled &&
    !before.organizationRolesEnabled &&
    after.organizationRolePermissions.length === 0
  ) {
    const message =
      'cannot be turned on while organizationRolePermissions is empty, because such roles could give no permissions'
    issues.push({ path: '/organizationRolesEnabled', code: 'unusable', message })
  }
  if (after.secondFactorRequired && !hasSecondFactors(after)) {
    const path = before.secondFactorRequired ? '/strategyAuthenticatorCodeEnabled' : '/secondFactorRequired'
    issues.push({ path, code: 'unusable', message: `secondFactorRequired needs ${neededSettings} to be on` })
  }
  if (after.signInEnabled && usableStrategies(after, facts).length === 0) {
    const reasons = firstFactorStrategies.map((strategy) => `${strategy}: ${obstacle(strategy, after, facts) ?? ''}`)
    issues.push({
      path: '/signInEnabled',
      code: 'locks_everybody_out',
      message: `cannot be on while users cannot sign in by any strategy (${reasons.join('; ')})`,
    })
  }
  return issues
}
