// What a hook's server answered: a small signed JSON document that answers this one call.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  HookAdditions,
  type HookDecision,
  type HookPoint,
  type Issue,
  hookAnswers,
  hookDecisions,
  tokenPrefixes,
} from '@bailiwick/contract'
import { structuralIssues } from '../../platform/http/body/json-body.ts'
import { issuesOf } from '../../platform/http/body/validate.ts'
import type { EgressResponse } from '../../platform/net/egress.ts'
import { addClaims } from '../../tenancy/tenants/claims/add-claims.ts'

export const answerBytesMax = 16 * 1024
const ageSecondsMax = 5 * 60
const signaturesMax = 4
const messageLengthMax = 300
const languagesMax = 30

/** What a person is told, by language. */
export type HookMessage = Readonly<Record<string, string>>

export interface HookAnswer extends HookAdditions {
  readonly decision: HookDecision
  readonly message?: HookMessage
}

/** The answer is not valid; the message says why, and quotes nothing of it. */
export class HookAnswerError extends Error {
  override readonly name = 'HookAnswerError'
}

interface Expected {
  readonly point: HookPoint
  /** The roles that the answer may give. */
  readonly roleIds: readonly string[]
  /** The id of the call. An answer to another call is refused, so none can be used again. */
  readonly id: string
  readonly secrets: readonly string[]
  readonly nowMs: number
}

function isSigned(header: string, secrets: readonly string[], signed: string): boolean {
  const signatures = header.split(' ').slice(0, signaturesMax)
  const expected = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.slice(tokenPrefixes.webhookSecret.length), 'base64'))
      .update(signed)
      .digest(),
  )
  return signatures.some((entry) => {
    if (!entry.startsWith('v1,')) return false
    const bytes = Buffer.from(entry.slice('v1,'.length), 'base64')
    return expected.some((mac) => mac.length === bytes.length && timingSafeEqual(mac, bytes))
  })
}

const header = ({ headers }: EgressResponse, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What looks like markup, ends a line, or turns the direction of the text that follows. */
const notPlain = /[<>\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E]/u

/** Messages are plain text, which whoever shows them escapes; any other text is refused here. */
const isMessage = (value: unknown): value is HookMessage =>
  isObject(value) &&
  Object.keys(value).length <= languagesMax &&
  Object.entries(value).every(
    ([language, text]) =>
      /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/.test(language) &&
      typeof text === 'string' &&
      text !== '' &&
      text.length <= messageLengthMax &&
      !notPlain.test(text),
  )

/** Says which rule is broken, without the path, which can be what the tenant's server has made up. */
const brokenRule = ({ message }: Issue) => `a value ${message}`

function checkAdditions(additions: HookAdditions, { point, roleIds }: Pick<Expected, 'point' | 'roleIds'>) {
  const allowed: readonly string[] = hookAnswers[point].properties
  const unknown = Object.keys(additions).some((name) => !allowed.includes(name))
  if (unknown) throw new HookAnswerError('The answer has a property that is not known at this point.')
  const [issue] = issuesOf(HookAdditions, additions)
  if (issue !== undefined) throw new HookAnswerError(`The answer is not valid: ${brokenRule(issue)}.`)
  const { claims, roleId } = additions
  if (claims !== undefined && addClaims({}, claims as Readonly<Record<string, unknown>>).claims === undefined)
    throw new HookAnswerError('The claims are reserved or larger than 4 KiB.')
  if (roleId !== undefined && !roleIds.includes(roleId))
    throw new HookAnswerError("roleId must be one of the hook's own roleIds.")
}

function parsed(body: string, expected: Expected): HookAnswer {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new HookAnswerError('The answer is not JSON.')
  }
  if (!isObject(value)) throw new HookAnswerError('The answer is not an object.')
  // As in requests: nothing behind this is prepared for deep nesting, ill-formed text or the names of prototypes.
  const [broken] = structuralIssues(value, body)
  if (broken !== undefined) throw new HookAnswerError(`The answer is not valid: ${brokenRule(broken)}.`)
  const { decision, message, ...additions } = value
  const decisions: readonly HookDecision[] = ['allow', 'deny', ...hookAnswers[expected.point].decisions]
  const known = hookDecisions.find((each) => each === decision && decisions.includes(each))
  if (known === undefined) throw new HookAnswerError(`decision must be one of ${decisions.join(', ')}.`)
  if (message !== undefined && (known !== 'deny' || !isMessage(message)))
    throw new HookAnswerError(
      `message must be an object of plain texts by language, of at most ${messageLengthMax} characters, and only with deny.`,
    )
  checkAdditions(additions, expected)
  if (known !== 'allow' && Object.keys(additions).length > 0)
    throw new HookAnswerError('Only an answer that allows may add something.')
  return { decision: known, ...additions, ...(message === undefined ? {} : { message }) }
}

/** @throws HookAnswerError */
export function readAnswer(answer: EgressResponse, expected: Expected): HookAnswer {
  const { id, secrets, nowMs } = expected
  if (answer.status !== 200) throw new HookAnswerError(`The server answered ${answer.status}.`)
  if (answer.isTruncated) throw new HookAnswerError('The answer is longer than 16 KiB.')
  const seconds = header(answer, 'webhook-timestamp')
  if (header(answer, 'webhook-id') !== id)
    throw new HookAnswerError('The answer does not have the webhook-id of the call.')
  if (!/^\d{1,12}$/.test(seconds) || Math.abs(nowMs / 1000 - Number(seconds)) > ageSecondsMax)
    throw new HookAnswerError('The webhook-timestamp of the answer is not the present time.')
  const body = answer.body.toString('utf8')
  if (!isSigned(header(answer, 'webhook-signature'), secrets, `${id}.${seconds}.${body}`))
    throw new HookAnswerError("The answer is not signed with the hook's secret.")
  return parsed(body, expected)
}
