// The sign-in rules in the groups and words in which people think of them. Effects, defaults and units come from the contract.
import type { TenantAuthSettings } from '@bailiwick/contract'

export type SettingName = keyof TenantAuthSettings

export interface SettingGroup {
  readonly title: string
  readonly about: string
  readonly settings: Readonly<Partial<Record<SettingName, string>>>
}

export const settingGroups: readonly SettingGroup[] = [
  {
    title: 'Who gets in',
    about: 'Whether people may sign in at all, and sign up by themselves.',
    settings: { signInEnabled: 'Sign-in', signUpEnabled: 'Sign-up' },
  },
  {
    title: 'What people sign in by',
    about: 'What identifies a person.',
    settings: {
      emailSignInEnabled: 'E-mail address',
      phoneSignInEnabled: 'Phone number',
      usernameSignInEnabled: 'Username',
    },
  },
  {
    title: 'How people prove who they are',
    about: 'The ways that the sign-in page offers.',
    settings: {
      passwordsEnabled: 'Passwords',
      strategyEmailPasswordEnabled: 'E-mail address and password',
      strategyUsernamePasswordEnabled: 'Username and password',
      strategyPhonePasswordEnabled: 'Phone number and password',
      strategyEmailCodeEnabled: 'Code by e-mail',
      strategyEmailLinkEnabled: 'Link by e-mail',
      strategyPhoneCodeEnabled: 'Code by text message',
      strategyOAuthEnabled: 'Social providers',
      strategySecurityKeyEnabled: 'Passkeys and security keys',
      strategyAuthenticatorCodeEnabled: 'Authenticator apps as a second factor',
    },
  },
  {
    title: 'What sign-up asks for',
    about: 'What people have to give, and what they have to verify.',
    settings: {
      nameRequired: 'Name',
      emailRequired: 'E-mail address',
      phoneRequired: 'Phone number',
      usernameRequired: 'Username',
      passwordRequired: 'Password',
      emailVerificationRequired: 'Verified e-mail address',
      emailVerificationCodeEnabled: 'Verify e-mail addresses by a code',
      emailVerificationLinkEnabled: 'Verify e-mail addresses by a link',
      phoneVerificationRequired: 'Verified phone number',
      phoneVerificationCodeEnabled: 'Verify phone numbers by a code',
    },
  },
  {
    title: 'Sessions',
    about: 'How long somebody stays signed in.',
    settings: {
      sessionMaximumLifetimeEnabled: 'End sessions at an age',
      sessionMaximumLifetime: 'Age',
      sessionInactivityTimeoutEnabled: 'End sessions that are not used',
      sessionInactivityTimeout: 'Time without use',
    },
  },
  {
    title: 'Organizations',
    about: 'What members may do with their organizations themselves.',
    settings: {
      organizationsEnabled: 'Organizations',
      organizationMembershipLimit: 'Most members of an organization',
      organizationAdminDeletingEnabled: 'Members may delete their organization',
      organizationCustomDomainManagementEnabled: 'Members may claim domains',
      organizationAutomaticInvitationEnabled: 'Invite people by the domain of their address',
      organizationAutomaticInvitationSuggestionsEnabled: 'Suggest organizations by the domain of an address',
    },
  },
  {
    title: 'Messages',
    about: 'The channels and templates of codes, links and greetings.',
    settings: {
      emailChannelId: 'Channel of e-mails',
      smsChannelId: 'Channel of text messages',
      codeVerificationEmailTemplateId: 'E-mail with a code',
      codeVerificationSMSMessageTemplateId: 'Text message with a code',
      magicLinkEmailTemplateId: 'E-mail with a link',
      magicLinkSMSMessageTemplateId: 'Text message with a link',
      welcomeEmailTemplateId: 'Welcome e-mail',
      welcomeSMSMessageTemplateId: 'Welcome text message',
    },
  },
  {
    title: 'Addresses',
    about: 'Your own pages instead of the hosted ones, and where a sign-in may end.',
    settings: {
      homeUri: 'Your application',
      signInUri: 'Sign-in page',
      signInRedirectUri: 'After sign-in',
      signUpUri: 'Sign-up page',
      signUpRedirectUri: 'After sign-up',
      logoutRedirectUri: 'After sign-out',
      userSettingsUri: 'Account page',
      organizationSettingsUri: 'Organization page',
      createOrganizationUri: 'Page to create an organization',
      createOrganizationRedirectUri: 'After an organization is created',
      frontendApiUri: 'Base address of the frontend interface',
      redirectUris: 'Further addresses that a sign-in may end at, one on each line',
    },
  },
]

const names: Readonly<Record<string, string>> = Object.assign({}, ...settingGroups.map(({ settings }) => settings))

/** Returns a sentence of the contract or of the service, with the names of settings as the console shows them. */
export const withNamesOfSettings = (text: string): string =>
  text.replaceAll(/\b[a-z]+[A-Z]\w*/g, (word) => (names[word] === undefined ? word : `“${names[word]}”`))

export const nameOfSetting = (setting: string): string => names[setting] ?? setting
