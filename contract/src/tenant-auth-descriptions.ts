// Describes each setting of a tenant's authentication configuration for the reference. Defaults and limits are added from the data.
import { type TenantAuthSettings, tenantAuthSettings } from './tenant-auth-settings.ts'

const page = (what: string) =>
  `The address of ${what}. Redirects may lead to it, and pages of its origin may call the frontend interface.`
const channel = (kind: string, otherwise: string) => `The channel that ${kind} are sent through. null: ${otherwise}.`
const template = (message: string) => `The template of ${message}. null: the service's own text.`

const effects: Readonly<Record<keyof TenantAuthSettings, string>> = {
  signUpEnabled: 'Whether people may sign up by themselves. If it is off, only invited people can sign up.',
  signInEnabled: 'Whether anybody may sign in. Existing sessions continue.',
  strategyUsernamePasswordEnabled:
    'Whether a username and a password sign in; passwordsEnabled and usernameSignInEnabled must be on too.',
  strategyEmailPasswordEnabled:
    'Whether an e-mail address and a password sign in; passwordsEnabled and emailSignInEnabled must be on too.',
  strategyEmailLinkEnabled: 'Whether a link sent by e-mail signs in; emailSignInEnabled must be on too.',
  strategyEmailCodeEnabled: 'Whether a code sent by e-mail signs in; emailSignInEnabled must be on too.',
  strategyPhoneCodeEnabled: 'Whether a code sent by text message signs in; phoneSignInEnabled must be on too.',
  strategyPhonePasswordEnabled:
    'Whether a phone number and a password sign in; passwordsEnabled and phoneSignInEnabled must be on too.',
  strategyOAuthEnabled: 'Whether the social providers that the tenant has enabled sign people in.',
  strategyAuthenticatorCodeEnabled:
    'Whether users may set up an authenticator app and use its codes as a second factor.',
  strategySecurityKeyEnabled: 'Whether users may add passkeys and security keys and sign in with them.',
  passwordsEnabled: 'Whether users have passwords at all. If it is off, none can be chosen or used.',
  emailSignInEnabled: 'Whether an e-mail address is accepted as an identifier at sign-in.',
  phoneSignInEnabled: 'Whether a phone number is accepted as an identifier at sign-in and to reset a password.',
  usernameSignInEnabled: 'Whether a username is accepted as an identifier at sign-in.',
  nameRequired: 'Whether a name must be given to sign up, and cannot be removed by its user.',
  emailRequired: 'Whether an e-mail address must be given to sign up, and the last one cannot be removed by its user.',
  phoneRequired: 'Whether a phone number must be given to sign up, and the last one cannot be removed by its user.',
  usernameRequired: 'Whether a username must be given to sign up, and cannot be removed by its user.',
  passwordRequired: 'Whether a password must be given to sign up, while passwordsEnabled is on.',
  emailVerificationRequired:
    'Whether an e-mail address must be verified before sign-up is complete and before its user can sign in with it.',
  phoneVerificationRequired:
    'Whether a phone number must be verified before sign-up is complete and before its user can sign in with it.',
  emailVerificationCodeEnabled: 'Whether an e-mail address can be verified by a code at sign-up.',
  emailVerificationLinkEnabled: 'Whether an e-mail address can be verified by a link at sign-up.',
  phoneVerificationCodeEnabled: 'Whether a phone number can be verified by a code at sign-up.',
  sessionMaximumLifetimeEnabled: 'Whether a session ends at a certain age, however much it is used.',
  sessionMaximumLifetime: 'The age in seconds at which a session ends, while sessionMaximumLifetimeEnabled is on.',
  sessionInactivityTimeoutEnabled:
    'Whether a session ends that has not been used for some time. If it is off, the session still ends after 366 days without use.',
  sessionInactivityTimeout:
    'The seconds without use after which a session ends, while sessionInactivityTimeoutEnabled is on.',
  homeUri: page("the tenant's application"),
  frontendApiUri:
    "The base address of the frontend interface as the tenant's users reach it, and the issuer of their JWTs. null: the deployment's own.",
  signUpUri: page('the page where people sign up'),
  signInRedirectUri: page('the page to show after signing in'),
  signInUri: page('the page where people sign in'),
  signUpRedirectUri: page('the page to show after signing up'),
  logoutRedirectUri: page('the page to show after signing out'),
  userSettingsUri: page('the page where users change their account'),
  organizationSettingsUri: page('the page where members change their organization'),
  createOrganizationUri: page('the page where users create an organization'),
  createOrganizationRedirectUri: page('the page to show after an organization was created'),
  redirectUris:
    'Addresses that a redirectUri may name, besides the pages above. They are compared as a whole, with path and query. In a development tenant ' +
    'the port of http://localhost, http://127.0.0.1 and http://[::1] may differ. Apps are listed by their own scheme, such as ' +
    'com.example.app:/callback.',
  emailChannelId: channel('e-mails', "the deployment's mail server, if it has one"),
  smsChannelId: channel('text messages', 'none can be sent outside a development deployment'),
  codeVerificationEmailTemplateId: template('the e-mail with a code'),
  codeVerificationSMSMessageTemplateId: template('the text message with a code'),
  magicLinkEmailTemplateId: template('the e-mail with a link to sign in'),
  magicLinkSMSMessageTemplateId: template('the text message with a link to sign in'),
  welcomeEmailTemplateId: template('the e-mail to somebody who has signed up'),
  welcomeSMSMessageTemplateId: template('the text message to somebody who has signed up'),
  organizationsEnabled: 'Whether the tenant has organizations.',
  organizationMembershipLimit: 'The maximum number of members of an organization. 0: no limit.',
  organizationAdminDeletingEnabled:
    'Whether members with the permission org:delete may delete their organization themselves.',
  organizationCustomDomainManagementEnabled:
    'Whether members with the permission org:domains:manage may claim domains for their organization.',
  organizationAutomaticInvitationEnabled:
    'Whether somebody who verifies an e-mail address on a domain of an organization is invited to it.',
  organizationAutomaticInvitationSuggestionsEnabled:
    'Whether organizations are suggested to users who have a verified e-mail address on one of their domains.',
}

function defaultOf(name: keyof TenantAuthSettings): string {
  const setting = tenantAuthSettings[name]
  switch (setting.kind) {
    case 'boolean':
      return setting.default ? 'On unless set.' : 'Off unless set.'
    case 'integer':
      return `${setting.default} unless set.`
    case 'redirects':
      return 'Empty unless set.'
    case 'reference':
      return name.endsWith('TemplateId') ? "The tenant's first such template unless set." : 'null unless set.'
    case 'uri':
      return 'null unless set.'
  }
}

/** Returns a setting's description without its default. */
export const effectOfSetting = (name: keyof TenantAuthSettings): string => effects[name]

export const descriptionOfSetting = (name: keyof TenantAuthSettings): string => `${effects[name]} ${defaultOf(name)}`
