// The settings of a tenant's authentication configuration as data: kind, default, group, label and help. The shape TenantAuth, the defaults of
// a new tenant, the reference and the console's screen are made from them.
import { anonymousUserSettings } from './anonymous-user-settings.ts'
import { apiKeySettings } from './api-key-settings.ts'
import { challengeSettings } from './challenges.ts'
import { eventSettings } from './event-settings.ts'
import { noticeSettings } from './notice-settings.ts'
import { organizationSettings } from './organization-settings.ts'
import { passkeySettings } from './passkey-settings.ts'
import { passwordSettings } from './password-settings.ts'
import {
  type BooleanSetting,
  type ChoiceSetting,
  type IntegerSetting,
  type ListSetting,
  type Setting,
  channel,
  off,
  on,
  page,
  seconds,
  signUpList,
  template,
} from './setting-kinds.ts'

/** Always present in a TenantAuth. */
export const requiredSettings = {
  signUpEnabled: on('access', 'Sign-up', 'New users can sign up. While this is off, only invited users can.'),
  signInEnabled: on('access', 'Sign-in', 'Users can sign in. Turning this off does not end sessions that exist.'),
  strategyUsernamePasswordEnabled: off(
    'strategies',
    'Username and password',
    'Users can sign in with a username and a password. Needs passwordsEnabled and usernameSignInEnabled.',
  ),
  strategyEmailPasswordEnabled: on(
    'strategies',
    'E-mail address and password',
    'Users can sign in with an e-mail address and a password. Needs passwordsEnabled and emailSignInEnabled.',
  ),
  strategyEmailLinkEnabled: off(
    'strategies',
    'Link by e-mail',
    'Users can sign in with a link that they get by e-mail. Needs emailSignInEnabled.',
  ),
  strategyEmailCodeEnabled: on(
    'strategies',
    'Code by e-mail',
    'Users can sign in with a code that they get by e-mail. Needs emailSignInEnabled.',
  ),
  strategyPhoneCodeEnabled: off(
    'strategies',
    'Code by text message',
    'Users can sign in with a code that they get by text message. Needs phoneSignInEnabled.',
  ),
  strategyPhonePasswordEnabled: off(
    'strategies',
    'Phone number and password',
    'Users can sign in with a phone number and a password. Needs passwordsEnabled and phoneSignInEnabled.',
  ),
  strategyOAuthEnabled: on(
    'strategies',
    'Social providers',
    'Users can sign in with the social providers that the tenant has enabled.',
  ),
  strategyAuthenticatorCodeEnabled: on(
    'strategies',
    'Authenticator apps as a second factor',
    'Users can set up an authenticator app, whose codes are then their second factor.',
  ),
  strategySecurityKeyEnabled: on(
    'strategies',
    'Passkeys and security keys',
    'Users can add passkeys and security keys, and sign in with them.',
  ),
  passwordsEnabled: on(
    'strategies',
    'Passwords',
    'Users can have passwords. While this is off, users cannot set a password or sign in with one.',
  ),
  emailSignInEnabled: on('identifiers', 'E-mail address', 'Users can sign in with their e-mail address.'),
  phoneSignInEnabled: off(
    'identifiers',
    'Phone number',
    'Users can sign in, and reset their password, with their phone number.',
  ),
  usernameSignInEnabled: off('identifiers', 'Username', 'Users can sign in with their username.'),
  nameRequired: off('signUp', 'Name', 'New users must enter a name. Users cannot remove theirs.'),
  emailRequired: on(
    'signUp',
    'E-mail address',
    'New users must enter an e-mail address. Users cannot remove their last one.',
  ),
  phoneRequired: off(
    'signUp',
    'Phone number',
    'New users must enter a phone number. Users cannot remove their last one.',
  ),
  usernameRequired: off('signUp', 'Username', 'New users must choose a username. Users cannot remove theirs.'),
  passwordRequired: on('signUp', 'Password', 'New users must choose a password, while passwordsEnabled is on.'),
  emailVerificationRequired: on(
    'signUp',
    'Verified e-mail address',
    'Users must verify their e-mail address before sign-up is complete and before they can sign in with it.',
  ),
  phoneVerificationRequired: off(
    'signUp',
    'Verified phone number',
    'Users must verify their phone number before sign-up is complete and before they can sign in with it.',
  ),
  emailVerificationCodeEnabled: on(
    'signUp',
    'Verify e-mail addresses with a code',
    'New users can verify their e-mail address with a code.',
  ),
  emailVerificationLinkEnabled: off(
    'signUp',
    'Verify e-mail addresses with a link',
    'New users can verify their e-mail address with a link.',
  ),
  phoneVerificationCodeEnabled: off(
    'signUp',
    'Verify phone numbers with a code',
    'New users can verify their phone number with a code.',
  ),
  sessionMaximumLifetimeEnabled: on(
    'sessions',
    'Limit the length of sessions',
    'A session ends after sessionMaximumLifetime, even if it is in use.',
  ),
  sessionMaximumLifetime: seconds(
    30,
    'Maximum session length',
    'How long a session can last, while sessionMaximumLifetimeEnabled is on.',
  ),
  sessionInactivityTimeoutEnabled: on(
    'sessions',
    'End unused sessions',
    'A session ends after sessionInactivityTimeout without use. While this is off, it ends after 366 days without use.',
  ),
  sessionInactivityTimeout: seconds(
    7,
    'Maximum time without use',
    'How long a session can be unused before it ends, while sessionInactivityTimeoutEnabled is on.',
  ),
} as const satisfies Readonly<Record<string, Setting>>

/** Clients may omit these, but the configuration of every tenant has them. */
export const optionalSettings = {
  secondFactorRequired: off(
    'secondFactor',
    'Second factor required',
    'Users who have no second factor set one up when they sign in or sign up. Needs strategyAuthenticatorCodeEnabled or ' +
      'strategySecurityKeyEnabled. Existing sessions continue.',
  ),
  secondFactorRequiredFrom: {
    kind: 'time',
    group: 'secondFactor',
    label: 'Required from',
    help: 'Until this time users can sign in without the second factor that secondFactorRequired asks for. Leave it empty to require it at once.',
  },
  strategySecondEmailCodeEnabled: off(
    'secondFactor',
    'Code by e-mail as second factor',
    'Where a second factor is required, a code by e-mail counts as one for users who have set up no other, except after a sign-in or a password reset by e-mail.',
  ),
  strategySecondPhoneCodeEnabled: off(
    'secondFactor',
    'Code by text message as second factor',
    'Where a second factor is required, a code by text message counts as one for users who have set up no other, except after a sign-in or a password reset by text message.',
  ),
  trustedDeviceDays: {
    kind: 'integer',
    default: 0,
    minimum: 0,
    maximum: 365,
    unit: 'days',
    group: 'secondFactor',
    label: 'Trust a device for',
    help: 'For how many days users can choose not to be asked for the second factor on a device. 0 means that they are always asked.',
  },
  ...passkeySettings,
  severalAccountsEnabled: off(
    'sessions',
    'Several accounts in one browser',
    'A browser keeps up to five users signed in, and they can switch between their accounts without signing in again.',
  ),
  ...passwordSettings,
  ...noticeSettings,
  signUpDomains: signUpList(
    'mail-domain',
    'domains',
    'Allowed domains',
    'New users need an e-mail address at one of these domains or their subdomains. An empty list allows every domain. Invited users are exempt.',
  ),
  signUpBlockedDomains: signUpList(
    'mail-domain',
    'domains',
    'Blocked domains',
    'Users cannot sign up with an e-mail address at one of these domains or their subdomains. Invited users are exempt.',
  ),
  signUpBlockedAddresses: signUpList(
    'email',
    'addresses',
    'Blocked addresses',
    'Users cannot sign up with one of these e-mail addresses. Invited users are exempt.',
  ),
  disposableEmailsRefused: off(
    'signUp',
    'Refuse disposable addresses',
    'Users cannot sign up with an e-mail address of a service for disposable addresses. Invited users are exempt.',
  ),
  ...challengeSettings,
  waitlistEnabled: off(
    'access',
    'Waiting list',
    'While signUpEnabled is off, visitors can leave their e-mail address on a waiting list, from which you let them in. The list cannot be on together with signUpEnabled.',
  ),
  ...anonymousUserSettings,
  homeUri: page('Your application', "the tenant's application"),
  frontendApiUri: {
    kind: 'uri',
    group: 'addresses',
    label: 'Base URL of the frontend interface',
    help: "Where the tenant's users reach the frontend interface, and the issuer of their JWTs. Leave it empty to use the server's own address.",
  },
  signUpUri: page('Sign-up page', 'the page where users sign up'),
  signInRedirectUri: page('After sign-in', 'the page that users see after they sign in'),
  signInUri: page('Sign-in page', 'the page where users sign in'),
  signUpRedirectUri: page('After sign-up', 'the page that users see after they sign up'),
  logoutRedirectUri: page('After sign-out', 'the page that users see after they sign out'),
  userSettingsUri: page('Account page', 'the page where users change their account'),
  organizationSettingsUri: page('Organization page', 'the page where members change their organization'),
  createOrganizationUri: page('Page to create an organization', 'the page where users create an organization'),
  createOrganizationRedirectUri: page(
    'After an organization is created',
    'the page that users see after they create an organization',
  ),
  redirectUris: {
    kind: 'list',
    default: [],
    format: 'redirect-uri',
    items: 'addresses',
    itemsMax: 100,
    lengthMax: 2048,
    group: 'addresses',
    label: 'Allowed redirect URLs',
    help:
      'Further addresses that a redirectUri may name. They are compared as a whole, with path and query. In a development tenant the port of ' +
      'http://localhost, http://127.0.0.1 and http://[::1] may differ. Apps are listed by their own scheme, such as com.example.app:/callback.',
  },
  emailChannelId: channel(
    'email',
    'E-mail channel',
    "The channel that sends e-mails. Leave it empty to use the server's default mail.",
  ),
  smsChannelId: channel(
    'sms',
    'Text message channel',
    'The channel that sends text messages. While it is empty, only a development server sends any.',
  ),
  codeVerificationEmailTemplateId: template('email', 'E-mail with a code', 'E-mail that carries the sign-in code.'),
  codeVerificationSMSMessageTemplateId: template(
    'sms',
    'Text message with a code',
    'Text message that carries the sign-in code.',
  ),
  magicLinkEmailTemplateId: template('email', 'E-mail with a link', 'E-mail that carries the sign-in link.'),
  magicLinkSMSMessageTemplateId: template(
    'sms',
    'Text message with a link',
    'Text message that carries the sign-in link.',
  ),
  welcomeEmailTemplateId: template('email', 'Welcome e-mail', 'E-mail that new users get.'),
  welcomeSMSMessageTemplateId: template('sms', 'Welcome text message', 'Text message that new users get.'),
  ...organizationSettings,
  ...apiKeySettings,
  ...eventSettings,
} as const satisfies Readonly<Record<string, Setting>>

export const tenantAuthSettings = { ...requiredSettings, ...optionalSettings }
export type SettingName = keyof typeof tenantAuthSettings

type ValueOf<S> = S extends BooleanSetting
  ? boolean
  : S extends IntegerSetting
    ? number
    : S extends ChoiceSetting
      ? S['values'][number]
      : S extends ListSetting
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

function describeDefault(setting: Setting): string {
  switch (setting.kind) {
    case 'boolean':
      return setting.default ? 'On by default.' : 'Off by default.'
    case 'integer':
      return `Default: ${setting.default} ${setting.unit}.`
    case 'choice':
      return `Default: ${setting.default}.`
    case 'list':
      return 'Default: an empty list.'
    case 'reference':
      return setting.to === 'template'
        ? "Default: the tenant's first such template. Null: the service's own text."
        : 'Default: null.'
    case 'text':
    case 'time':
    case 'uri':
      return 'Default: null.'
  }
}

/** Returns what the reference says of a setting: what it does, and its default. */
export const descriptionOfSetting = (name: SettingName): string =>
  `${tenantAuthSettings[name].help} ${describeDefault(tenantAuthSettings[name])}`
