// The questions that the sign-in rules answer. Each is one tab, with the groups of settings that answer it.
import type { SettingGroup } from '@bailiwick/contract'

/** The titles of the tabs, by their keys in the address. */
const titles = {
  who: 'Who may come in',
  how: 'How they sign in',
  'sign-up': 'Sign-up',
  'second-factor': 'Second factor',
  protection: 'Protection',
  sessions: 'Sessions',
  organizations: 'Organizations',
  messages: 'Messages',
  addresses: 'Addresses',
} as const
type QuestionKey = keyof typeof titles

/** The question that each group answers. A group that is missing here does not compile, so that no setting is hidden. */
const questionByGroup: Readonly<Record<SettingGroup, QuestionKey>> = {
  access: 'who',
  identifiers: 'who',
  strategies: 'how',
  passwords: 'how',
  signUp: 'sign-up',
  secondFactor: 'second-factor',
  bots: 'protection',
  notices: 'protection',
  sessions: 'sessions',
  organizations: 'organizations',
  apiKeys: 'protection',
  messages: 'messages',
  addresses: 'addresses',
  eventLog: 'protection',
}

interface Question {
  /** The tab in the address. */
  readonly key: string
  readonly title: string
  readonly groups: readonly SettingGroup[]
}

const groups = Object.keys(questionByGroup) as readonly SettingGroup[]

export const questions: readonly Question[] = Object.entries(titles).map(([key, title]) => ({
  key,
  title,
  groups: groups.filter((group) => questionByGroup[group] === key),
}))

export const findQuestion = (group: string): Question | undefined =>
  questions.find((question) => question.groups.some((each) => each === group))
