// Which second factors a tenant's settings switch on. Rules that require one can only be made where there is one to set up.
import type { TenantAuthSettings } from '@bailiwick/contract'
import { invalid } from '../../platform/http/api-error.ts'

/** What users can set up. */
export const secondFactorStrategies = ['authenticator_code', 'security_key'] as const
export type SecondFactorStrategy = (typeof secondFactorStrategies)[number]

export const secondFactorSettings = {
  authenticator_code: 'strategyAuthenticatorCodeEnabled',
  security_key: 'strategySecurityKeyEnabled',
} as const satisfies Readonly<Record<SecondFactorStrategy, keyof TenantAuthSettings>>

export const neededSettings = Object.values(secondFactorSettings).join(' or ')

/** Returns whether users can set up a second factor. */
export const hasSecondFactors = (auth: TenantAuthSettings): boolean =>
  secondFactorStrategies.some((strategy) => auth[secondFactorSettings[strategy]])

/**
 * Refuses a rule that nobody could follow.
 * @throws ApiError validation_failed
 */
export function assertHasSecondFactors(auth: TenantAuthSettings, property: string) {
  if (!hasSecondFactors(auth)) throw invalid(`/${property}`, 'unusable', `needs ${neededSettings} to be on`)
}
