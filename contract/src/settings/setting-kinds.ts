// The kinds of a tenant's settings, their groups, and short ways to declare one.

/** The groups in the order in which the console and the reference show them. */
export const settingGroups = {
  access: { title: 'Access', about: 'Whether users can sign in at all, and whether new users can sign up.' },
  identifiers: { title: 'Identifiers', about: 'What users enter to say which account is theirs.' },
  strategies: { title: 'Ways to sign in', about: 'What the sign-in page offers.' },
  secondFactor: { title: 'Second factor', about: 'Whether users must have a second factor, and from when on.' },
  passwords: { title: 'Passwords', about: 'What a new password must be.' },
  bots: {
    title: 'Protection against bots',
    about: 'When a browser has to solve a puzzle first, which costs bots time.',
  },
  signUp: { title: 'Sign-up', about: 'What new users must enter, and what they must verify.' },
  sessions: { title: 'Sessions', about: 'How long users stay signed in.' },
  notices: {
    title: 'Security notices',
    about: 'What users are told by e-mail about their account, with a link that secures it.',
  },
  organizations: { title: 'Organizations', about: 'What members can do with their organizations themselves.' },
  apiKeys: { title: 'API keys', about: 'Keys of users for your own API.' },
  messages: { title: 'Messages', about: 'How codes, links and welcome messages are sent.' },
  eventLog: { title: 'Event log', about: 'How long the log of all changes is kept.' },
  addresses: { title: 'Addresses', about: 'Your own pages in place of the hosted ones, and where users arrive.' },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly about: string }>>
export type SettingGroup = keyof typeof settingGroups

interface Words {
  readonly group: SettingGroup
  /** What the setting is called on screen. */
  readonly label: string
  /** What it does, in sentences. They name other settings as the interface does; the console shows their labels instead. */
  readonly help: string
}
export interface BooleanSetting extends Words {
  readonly kind: 'boolean'
  readonly default: boolean
}
export interface IntegerSetting extends Words {
  readonly kind: 'integer'
  readonly default: number
  readonly minimum: number
  readonly maximum: number
  readonly unit: 'seconds' | 'members' | 'characters' | 'days' | 'hashes' | 'passwords' | 'keys' | 'roles'
}
/** One of a few words. */
export interface ChoiceSetting extends Words {
  readonly kind: 'choice'
  readonly default: string
  readonly values: readonly string[]
}
/** The address of one of the tenant's pages, or null. */
export interface UriSetting extends Words {
  readonly kind: 'uri'
}
/** A point in time (ISO 8601), or null. */
export interface TimeSetting extends Words {
  readonly kind: 'time'
}
/** The id of a channel or a template, or null. */
export interface ReferenceSetting extends Words {
  readonly kind: 'reference'
  readonly to: 'channel' | 'template'
  readonly type: 'email' | 'sms'
}
/** A short text, or null. */
export interface TextSetting extends Words {
  readonly kind: 'text'
  readonly format: 'key-prefix'
  readonly lengthMax: number
}
/** A list of texts, for the tenant's administrators only: pages do not get it. */
export interface ListSetting extends Words {
  readonly kind: 'list'
  readonly default: readonly string[]
  /** The format of each text. */
  readonly format: 'redirect-uri' | 'mail-domain' | 'email' | 'host-name' | 'permission'
  /** What one of them is called, in the plural. */
  readonly items: string
  readonly itemsMax: number
  /** How many characters each can have. */
  readonly lengthMax: number
}
export type Setting =
  | BooleanSetting
  | IntegerSetting
  | ChoiceSetting
  | UriSetting
  | TimeSetting
  | ReferenceSetting
  | TextSetting
  | ListSetting

export const on = (group: SettingGroup, label: string, help: string) =>
  ({ kind: 'boolean', default: true, group, label, help }) as const satisfies BooleanSetting
export const off = (group: SettingGroup, label: string, help: string) =>
  ({ kind: 'boolean', default: false, group, label, help }) as const satisfies BooleanSetting
export const page = (label: string, what: string) =>
  ({
    kind: 'uri',
    group: 'addresses',
    label,
    help: `The address of ${what}. Redirects may lead there, and pages of its origin may call the frontend interface.`,
  }) as const satisfies UriSetting
export const channel = (type: 'email' | 'sms', label: string, help: string) =>
  ({ kind: 'reference', to: 'channel', type, group: 'messages', label, help }) as const satisfies ReferenceSetting
export const template = (type: 'email' | 'sms', label: string, help: string) =>
  ({ kind: 'reference', to: 'template', type, group: 'messages', label, help }) as const satisfies ReferenceSetting
export const signUpList = (format: 'mail-domain' | 'email', items: string, label: string, help: string) =>
  ({
    kind: 'list',
    default: [],
    format,
    items,
    itemsMax: 500,
    lengthMax: 254,
    group: 'signUp',
    label,
    help,
  }) as const satisfies ListSetting
const daySeconds = 24 * 60 * 60
/** Session limits range from five minutes to one year. */
export const seconds = (days: number, label: string, help: string) =>
  ({
    kind: 'integer',
    default: days * daySeconds,
    minimum: 300,
    maximum: 366 * daySeconds,
    unit: 'seconds',
    group: 'sessions',
    label,
    help,
  }) as const satisfies IntegerSetting
