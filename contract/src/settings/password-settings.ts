// What a new password must be, and what becomes of one that is no longer good enough.
import { passwordLengthMin } from '../formats/password.ts'
import { type IntegerSetting, off, on } from './setting-kinds.ts'

export const passwordSettings = {
  passwordLengthMin: {
    kind: 'integer',
    default: passwordLengthMin,
    minimum: passwordLengthMin,
    maximum: 64,
    unit: 'characters',
    group: 'passwords',
    label: 'Minimum length',
    help: 'How many characters a new password must have.',
  } satisfies IntegerSetting,
  passwordHistory: {
    kind: 'integer',
    default: 0,
    minimum: 0,
    maximum: 24,
    unit: 'passwords',
    group: 'passwords',
    label: 'Refuse former passwords',
    help: "How many of a user's last passwords cannot be chosen again, the present one included. 0 means that all can.",
  } satisfies IntegerSetting,
  administratorsChoosePasswords: on(
    'passwords',
    'Administrators choose passwords',
    'Administrators and servers can set the password of an existing user. While this is off, they can only have the user choose a new one.',
  ),
  breachedPasswordsRefused: on(
    'passwords',
    'Refuse breached passwords',
    'Users cannot choose a password that was in a data breach. Needs a list of such passwords on the server.',
  ),
  breachedPasswordsChanged: off(
    'passwords',
    'Change breached passwords at sign-in',
    'Users who sign in with a password that was in a data breach must choose another one. Needs a list of such passwords on the server.',
  ),
} as const
