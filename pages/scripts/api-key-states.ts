// The states of the pages about API keys with sample data, for looking at them all.
import {
  type Frame,
  accountGroups,
  createOrganizationKeyPage,
  createOwnKeyPage,
  newOwnKeyPage,
  organizationKeysPage,
  ownKeysPage,
} from '../src/index.ts'

const sections = accountGroups.flatMap((group) => group.sections)
const now = '2026-07-01T09:30:00.000000Z'
const key = {
  id: 'c000000000000000000000001',
  name: 'Deployment script',
  scopes: ['reports:read', 'reports:write'],
  prefix: 'acme_live_',
  last4: 'b4T1',
  expiresAt: '2026-09-29T09:30:00.000000Z',
  lastUsedAt: '2026-07-01T08:30:00.000000Z',
}
const expired = { ...key, name: 'Old laptop', scopes: [], expiresAt: '2026-06-01T09:30:00.000000Z', lastUsedAt: null }
const organization = {
  id: 'c000000000000000000000002',
  name: 'Research',
  pictureUri: null,
  sections: ['details', 'members', 'keys'],
} as const

export const apiKeyStates: Readonly<Record<string, (frame: Frame) => string>> = {
  'account, API keys': (frame) => ownKeysPage(frame, { sections, keys: [key, expired], now, done: 'keys.ended' }),
  'account, no API keys': (frame) => ownKeysPage(frame, { sections, keys: [], now }),
  'account, creating an API key': (frame) =>
    createOwnKeyPage(frame, { sections, scopes: key.scopes, daysMax: 365, errors: { form: frame.text('keys.limit') } }),
  'account, new API key': (frame) =>
    newOwnKeyPage(frame, { sections }, 'acme_live_7Qm3XfTz1KcV9rB5nYd2LhWg8JpSt6Eu0AaCiRkMvZb4xN1b4T1'),
  'organization, API keys': (frame) => organizationKeysPage(frame, { organization, keys: [key], now }),
  'organization, creating an API key': (frame) =>
    createOrganizationKeyPage(frame, { organization, scopes: [], daysMax: 0 }),
}
