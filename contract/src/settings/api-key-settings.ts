// The settings of API keys of users.
import { keyPrefixLengthMax } from '../token-prefixes.ts'
import { type Setting, off } from './setting-kinds.ts'

export const apiKeySettings = {
  userApiKeysEnabled: off(
    'apiKeys',
    'API keys of users',
    'Users and organizations can create keys for your own API. While this is off, no key is valid.',
  ),
  userApiKeyPrefix: {
    kind: 'text',
    format: 'key-prefix',
    lengthMax: keyPrefixLengthMax,
    group: 'apiKeys',
    label: 'Prefix',
    help: 'What new keys begin with, such as acme_live_. Leave it empty for uk_.',
  },
  userApiKeyDaysMax: {
    kind: 'integer',
    default: 365,
    minimum: 0,
    maximum: 3650,
    unit: 'days',
    group: 'apiKeys',
    label: 'Maximum lifetime',
    help: 'After how many days a new key expires at the latest. 0 means no limit.',
  },
  userApiKeysMax: {
    kind: 'integer',
    default: 50,
    minimum: 1,
    maximum: 100,
    unit: 'keys',
    group: 'apiKeys',
    label: 'Maximum keys per owner',
    help: 'How many keys a user, and an organization, can have at once.',
  },
} as const satisfies Readonly<Record<string, Setting>>
