/**
 * The texts of messages. In braces: {tenant}, {name} of the reader, {code}, {duration} such as "10 minutes", {organization}, {administered}
 * (a tenant), {inviter}, {factor} (a way to sign in) and {left} (a number).
 */
export const en = {
  hello: 'Hello,',
  helloName: 'Hello {name},',
  ignore: 'If you did not ask for this, you can ignore this message.',
  valid: 'It is valid for {duration}.',
  warning: 'If this was not you, reset your password and tell the administrator of {tenant}.',
  footer: 'This message was sent by {tenant}.',
  help: 'Help',
  factorApp: 'An authenticator app',
  factorPasskey: 'A passkey',
  factorRecoveryCodes: 'A set of recovery codes',
  codeSubject: '{code} is your code for {tenant}',
  codeHeading: 'Your code',
  codeIntro: 'Enter this code to continue at {tenant}:',
  linkSubject: 'Sign in to {tenant}',
  linkIntro: 'With this button you sign in to {tenant} without a password.',
  linkAction: 'Sign in',
  welcomeSubject: 'Welcome to {tenant}',
  welcomeIntro: 'Your account is ready.',
  resetSubject: 'Reset your password for {tenant}',
  resetIntro: 'Somebody, probably you, asked for a new password for your account at {tenant}.',
  resetAction: 'Choose a new password',
  organizationSubject: 'You are invited to {organization}',
  organizationIntro: 'You are invited to join {organization} at {tenant}.',
  organizationBy: '{inviter} has invited you to join {organization} at {tenant}.',
  administratorSubject: 'You are invited to administer {administered}',
  administratorIntro: 'You are invited to administer {administered}.',
  administratorBy: '{inviter} has invited you to administer {administered}.',
  invitationAction: 'Accept the invitation',
  invitationCode: 'This is the code of your invitation:',
  existsSubject: 'You have an account at {tenant} already',
  existsIntro:
    'Somebody, perhaps you, tried to sign up at {tenant} with this address. You have an account already: sign in, or reset your password.',
  passwordChangedSubject: 'Your password for {tenant} was changed',
  emailChangedSubject: 'Your e-mail addresses at {tenant} were changed',
  phoneChangedSubject: 'Your phone numbers at {tenant} were changed',
  factorAddedSubject: 'Your account at {tenant} has a new way to sign in',
  factorAddedIntro: '{factor} was added to your account.',
  factorRemovedSubject: 'Your account at {tenant} has lost a way to sign in',
  factorRemovedIntro: '{factor} was removed from your account.',
  recoverySubject: 'A recovery code was used to sign in at {tenant}',
  recoveryIntro: 'Recovery codes that are left: {left}',
} as const

export type MessageKey = keyof typeof en
export type MessageTexts = Readonly<Record<MessageKey, string>>
