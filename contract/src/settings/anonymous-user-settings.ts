// Whether visitors can begin without an account, and for how long what they leave is kept.
import { type Setting, off } from './setting-kinds.ts'

export const anonymousUserSettings = {
  anonymousUsersEnabled: off(
    'access',
    'Anonymous users',
    'Visitors can begin as anonymous users, who have no address and no password. They keep their id when they sign up. Needs signUpEnabled.',
  ),
  anonymousUserDays: {
    kind: 'integer',
    default: 30,
    minimum: 1,
    maximum: 365,
    unit: 'days',
    group: 'access',
    label: 'Erase anonymous users after',
    help: 'An anonymous user who has not been active for so many days is erased, except for members of organizations.',
  },
} as const satisfies Readonly<Record<string, Setting>>
