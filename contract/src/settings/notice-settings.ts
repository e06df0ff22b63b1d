// Which security notices a tenant's users get.
import { type Setting, off, on } from './setting-kinds.ts'

export const noticeSettings = {
  noticeNewDevice: off(
    'notices',
    'Sign-in from a new device',
    'Users get a notice by e-mail after a sign-in to their account from a device that they have not used before.',
  ),
  noticeFailedAttempts: on(
    'notices',
    'Sign-in after wrong passwords',
    'Users get a notice by e-mail after a sign-in to their account that followed several wrong passwords or codes.',
  ),
  noticePasswordChanged: on(
    'notices',
    'Password changed',
    'Users get a notice by e-mail when their password is changed, reset or removed.',
  ),
  noticeFactorsChanged: on(
    'notices',
    'Passkeys and authenticator apps changed',
    'Users get a notice by e-mail when a passkey or an authenticator app is added to or removed from their account.',
  ),
  noticeContactsChanged: on(
    'notices',
    'Addresses and numbers changed',
    'Users get a notice by e-mail, at all their verified addresses, when an address or a phone number is added, removed or made primary.',
  ),
  noticeRecoveryCodeUsed: on(
    'notices',
    'Recovery code used',
    'Users get a notice by e-mail after a sign-in with one of their recovery codes.',
  ),
} as const satisfies Readonly<Record<string, Setting>>
