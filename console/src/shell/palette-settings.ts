// The sign-in rules as the palette finds them. Loaded once something is typed.
import { groups, labels } from 'virtual:setting-labels'
import { findQuestion } from '../screens/rules/questions.ts'
import { isNamed } from './palette-words.ts'

export interface FoundSetting {
  readonly name: string
  readonly label: string
  /** The tab of the sign-in rules. */
  readonly tab: string
  readonly question: string
}

const topics: Readonly<Record<string, string>> = {
  passwords: 'password',
  secondFactor: 'mfa 2fa two-factor otp',
  sessions: 'session timeout expiry logout',
  strategies: 'login method',
}

/** The sign-in rules that a text names. */
export const settingsNamed = (text: string): readonly FoundSetting[] =>
  Object.entries(labels).flatMap(([name, label], index) => {
    const group = groups[index] ?? ''
    const question = findQuestion(group)
    if (question === undefined || !isNamed(text, label, topics[group])) return []
    return [{ name, label, tab: question.key, question: question.title }]
  })
