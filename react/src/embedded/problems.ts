// Turns the error of a call into sentences beside the fields of the form that was sent.
import { isBailiwickError } from '@bailiwick/sdk/frontend'
import type { TextName, Texts } from '../texts/catalogue.ts'

export interface Problems {
  /** The problem with the form as a whole. */
  readonly form?: string | undefined
  readonly fields: Readonly<Record<string, string>>
  /** Whether the attempt has ended, so that the user must begin another one. */
  readonly isOver?: boolean
}

export const noProblems: Problems = { fields: {} }

/** A refused proof: the field that it was typed into, if any, and the sentence about it. */
export type Refusal = readonly [field: string | undefined, text: TextName]

const tooMany: ReadonlySet<string> = new Set(['too_many_attempts', 'rate_limited'])
const over: ReadonlySet<string> = new Set(['attempt_not_open', 'not_found'])
const closed: ReadonlySet<string> = new Set(['sign_in_disabled', 'sign_up_disabled', 'strategy_unavailable'])
/** Error codes that concern one field. */
const fieldNames: Readonly<Record<string, string>> = {
  email_not_allowed: 'email',
  email_taken: 'email',
  phone_taken: 'phone',
  username_taken: 'username',
}

export function findProblems(error: unknown, texts: Texts, [refusedField, refusedText]: Refusal): Problems {
  // The user or the browser has dismissed the passkey.
  if (error instanceof DOMException) return { form: texts.wrongPasskey, fields: {} }
  if (!isBailiwickError(error)) return { form: texts.failed, fields: {} }
  const { code, issues, message } = error
  if (code === 'factor_refused') {
    const text = texts[refusedText]
    return refusedField === undefined ? { form: text, fields: {} } : { fields: { [refusedField]: text } }
  }
  if (tooMany.has(code)) return { form: texts.tooManyTries, fields: {} }
  if (over.has(code)) return { form: texts.expired, fields: {}, isOver: true }
  if (closed.has(code)) return { form: texts.closed, fields: {} }
  if (issues.length > 0) {
    return {
      fields: Object.fromEntries(issues.map((issue) => [issue.path.slice(1), `${texts.invalid} (${issue.message})`])),
    }
  }
  const field = fieldNames[code]
  return field === undefined ? { form: message, fields: {} } : { fields: { [field]: message } }
}
