// The texts of the pages on which people let applications use their account, connect devices, and sign out at an application's request.
export const applications = {
  'signIn.goesTo': 'You then go on to {application}.',

  'consent.title': '{application} asks for access',
  'consent.list': 'If you allow it, {application} can:',
  'consent.openid': 'recognise you when you sign in there',
  'consent.profile': 'see your name, your username and your picture',
  'consent.email': 'see your e-mail address',
  'consent.phone': 'see your phone number',
  'consent.offline': 'keep this access while you are not using it',
  'consent.atResource': 'At {resource}:',
  'consent.allowedBefore': 'Allowed before',
  'consent.actFor': 'Act for',
  'consent.goesTo': 'After that you go on to {host}.',
  'consent.unknown': 'Nobody at {tenant} has checked this application. Allow it only if you know who runs it.',
  'consent.terms': 'Terms of {application}',
  'consent.policy': 'Privacy policy of {application}',
  'consent.allow': 'Allow',
  'consent.deny': 'Do not allow',
  'consent.removable': 'You can take this back in your account at any time.',

  'device.title': 'Connect a device',
  'device.lead': 'Enter the code that the device shows.',
  'device.unknown': 'There is no such code, or it has expired. Have the device show a new one.',
  'device.check': 'Allow this only if you started it yourself, on a device that is in front of you.',
  'device.allowedTitle': 'The device is connected',
  'device.allowedLead': 'Go back to the device. You can close this page.',
  'device.refusedTitle': 'The device has no access',
  'device.refusedLead': 'You can close this page.',

  'signOut.atApplication':
    '{application} asks whether you want to sign out. You are then signed out of all applications here.',
  'signOut.everywhere': 'You are then signed out of all applications here.',
  'signOut.stay': 'Stay signed in',

  'request.title': 'This request does not work',
  'request.lead': 'Go back to the application and begin again. If that does not help, tell those who run it.',

  'account.apps': 'Apps with access',
  'apps.lead': 'These applications can use your account.',
  'apps.none': 'No application can use your account.',
  'apps.allowedAt': 'Allowed {time}',
  'apps.removeTitle': 'Take back the access of {application}?',
  'apps.removeLead': 'It can no longer use your account. It keeps what it has already received.',
  'apps.removeSubmit': 'Take back access',
  'apps.removed': 'The application no longer has access.',
  'apps.count': { one: '{count} application', other: '{count} applications' },
} as const
