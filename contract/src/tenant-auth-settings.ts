// The settings of a tenant's authentication configuration as data: name, kind, default and meaning. The shape TenantAuth, the defaults of a
// new tenant and the settings' documentation are made from them.

export interface BooleanSetting {
  readonly kind: 'boolean'
  readonly default: boolean
}
export interface IntegerSetting {
  readonly kind: 'integer'
  readonly default: number
  readonly minimum: number
  readonly maximum: number
  readonly unit: 'seconds' | 'members'
}
/** A list of addresses where a sign-in or sign-up may end. */
export interface RedirectsSetting {
  readonly kind: 'redirects'
  readonly default: readonly string[]
}

const on = { kind: 'boolean', default: true } as const
const off = { kind: 'boolean', default: false } as const
const uri = { kind: 'uri' } as const
const reference = { kind: 'reference' } as const
const daySeconds = 24 * 60 * 60
/** Session limits range from five minutes to one year. */
const seconds = (value: number) =>
  ({ kind: 'integer', default: value, minimum: 300, maximum: 366 * daySeconds, unit: 'seconds' }) as const

/** Always present in a TenantAuth. */
export const requiredSettings = {
  signUpEnabled: on,
  signInEnabled: on,
  strategyUsernamePasswordEnabled: off,
  strategyEmailPasswordEnabled: on,
  strategyEmailLinkEnabled: off,
  strategyEmailCodeEnabled: on,
  strategyPhoneCodeEnabled: off,
  strategyPhonePasswordEnabled: off,
  strategyOAuthEnabled: on,
  strategyAuthenticatorCodeEnabled: on,
  strategySecurityKeyEnabled: on,
  passwordsEnabled: on,
  emailSignInEnabled: on,
  phoneSignInEnabled: off,
  usernameSignInEnabled: off,
  nameRequired: off,
  emailRequired: on,
  phoneRequired: off,
  usernameRequired: off,
  passwordRequired: on,
  emailVerificationRequired: on,
  phoneVerificationRequired: off,
  emailVerificationCodeEnabled: on,
  emailVerificationLinkEnabled: off,
  phoneVerificationCodeEnabled: off,
  sessionMaximumLifetimeEnabled: on,
  sessionMaximumLifetime: seconds(30 * daySeconds),
  sessionInactivityTimeoutEnabled: on,
  sessionInactivityTimeout: seconds(7 * daySeconds),
} as const

/** Clients may omit these, but the configuration of every tenant has them. */
export const optionalSettings = {
  homeUri: uri,
  frontendApiUri: uri,
  signUpUri: uri,
  signInRedirectUri: uri,
  signInUri: uri,
  signUpRedirectUri: uri,
  logoutRedirectUri: uri,
  userSettingsUri: uri,
  organizationSettingsUri: uri,
  createOrganizationUri: uri,
  createOrganizationRedirectUri: uri,
  redirectUris: { kind: 'redirects', default: [] },
  emailChannelId: reference,
  smsChannelId: reference,
  codeVerificationEmailTemplateId: reference,
  codeVerificationSMSMessageTemplateId: reference,
  magicLinkEmailTemplateId: reference,
  magicLinkSMSMessageTemplateId: reference,
  welcomeEmailTemplateId: reference,
  welcomeSMSMessageTemplateId: reference,
  organizationsEnabled: on,
  organizationMembershipLimit: { kind: 'integer', default: 0, minimum: 0, maximum: 2_147_483_647, unit: 'members' },
  organizationAdminDeletingEnabled: on,
  organizationCustomDomainManagementEnabled: off,
  organizationAutomaticInvitationEnabled: off,
  organizationAutomaticInvitationSuggestionsEnabled: off,
} as const

export const tenantAuthSettings = { ...requiredSettings, ...optionalSettings }

type ValueOf<S> = S extends BooleanSetting
  ? boolean
  : S extends IntegerSetting
    ? number
    : S extends RedirectsSetting
      ? readonly string[]
      : string | null

/** A tenant's authentication configuration with a value for each setting. Session limits are in seconds. */
export type TenantAuthSettings = {
  -readonly [K in keyof typeof tenantAuthSettings]: ValueOf<(typeof tenantAuthSettings)[K]>
}

/** Returns the configuration of a new tenant, before its templates are known. */
export function defaultTenantAuthSettings(): TenantAuthSettings {
  const entries = Object.entries(tenantAuthSettings).map(([name, setting]) => [
    name,
    'default' in setting ? setting.default : null,
  ])
  return Object.fromEntries(entries) as TenantAuthSettings
}
