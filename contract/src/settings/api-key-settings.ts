// The settings of API keys of users.
import { keyPrefixLengthMax } from '../token-prefixes.ts'
import { type Setting, off } from './setting-kinds.ts'

export const apiKeySettings = {
  userApiKeysEnabled: off(
    'apiKeys',
    'API keys',
    'Users and organizations can create keys. While this is off, none is valid.',
  ),
  userApiKeyPrefix: {
    kind: 'text',
    format: 'key-prefix',
    lengthMax: keyPrefixLengthMax,
    group: 'apiKeys',
    label: 'Prefix',
    help: 'What new keys begin with; uk_ if empty.',
  },
  userApiKeyDaysMax: {
    kind: 'integer',
    default: 365,
    minimum: 0,
    maximum: 3650,
    unit: 'days',
    group: 'apiKeys',
    label: 'Lifetime',
    help: 'How long a new key can be valid. 0 means no limit.',
  },
  userApiKeysMax: {
    kind: 'integer',
    default: 50,
    minimum: 1,
    maximum: 100,
    unit: 'keys',
    group: 'apiKeys',
    label: 'Maximum keys',
    help: 'For each user and each organization.',
  },
} as const satisfies Readonly<Record<string, Setting>>
