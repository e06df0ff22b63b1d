// What has just been done, by the name in the address of the page.
import type { TextKey } from '@bailiwick/pages'

export const doneTexts = {
  saved: 'account.saved',
  removed: 'account.removed',
  gone: 'account.gone',
  'picture-saved': 'profile.pictureSaved',
  'picture-removed': 'profile.pictureRemoved',
  'email-verified': 'emails.added',
  'email-primary': 'emails.madePrimary',
  'phone-verified': 'phones.added',
  'phone-primary': 'phones.madePrimary',
  'password-changed': 'ownPassword.changed',
  'password-removed': 'ownPassword.removed',
  'passkey-added': 'passkeys.added',
  'passkey-removed': 'passkeys.removed',
  'app-removed': 'app.removed',
  'session-ended': 'sessions.ended',
  'others-ended': 'sessions.othersEnded',
  'trust-ended': 'trusted.removed',
  connected: 'connections.connected',
  'access-removed': 'apps.removed',
  'key-ended': 'keys.ended',
  disconnected: 'connections.disconnected',
} as const satisfies Readonly<Record<string, TextKey>>

export type DoneName = keyof typeof doneTexts
