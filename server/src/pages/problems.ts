// The errors of an operation, as sentences beside the fields of the form.
import {
  type ErrorCode,
  type Issue,
  errorCatalogue,
  passwordLengthMin as lengthMinEverywhere,
} from '@bailiwick/contract'
import type { FieldErrors, TextKey, TextOf } from '@bailiwick/pages'
import type { ApiError } from '../platform/http/api-error.ts'

export interface Problems {
  readonly errors: FieldErrors
  readonly status: number
}

const formatTexts: Readonly<Record<string, TextKey>> = {
  email: 'error.email',
  phone: 'error.phone',
  username: 'error.username',
}

const issueTexts: Readonly<Record<string, TextKey>> = {
  required: 'error.required',
  too_long: 'error.tooLong',
  password_breached: 'error.passwordBreached',
  password_common: 'error.passwordCommon',
  password_of_context: 'error.passwordContext',
  password_pattern: 'error.passwordPattern',
  password_reused: 'error.passwordReused',
}

/** @param lengthMin the minimum length of a password that is chosen here. */
function sentenceOf({ path, code }: Issue, text: TextOf, lengthMin: number): string {
  const field = path.slice(1)
  const isPassword = field === 'password' || field === 'newPassword'
  if (isPassword && (code === 'too_short' || code === 'invalid_format'))
    return text('error.tooShort', { count: lengthMin })
  const key = issueTexts[code] ?? (code === 'invalid_format' ? formatTexts[field] : undefined) ?? 'error.invalid'
  return (text as (key: TextKey) => string)(key)
}

/** Applies to the whole form if the field is `form`. */
const codeTexts = {
  challenge_required: ['form', 'error.challenge'],
  email_unverified: ['form', 'error.emailUnverified'],
  phone_unverified: ['form', 'error.phoneUnverified'],
  email_not_allowed: ['email', 'error.emailNotAllowed'],
  username_taken: ['username', 'error.usernameTaken'],
  email_taken: ['email', 'error.contactTaken'],
  phone_taken: ['phone', 'error.contactTaken'],
  strategy_unavailable: ['form', 'error.unavailable'],
  provider_unusable: ['form', 'error.providerNotSetUp'],
  provider_refused: ['form', 'error.providerFailed'],
  connection_refused: ['form', 'error.connectionRefused'],
  connection_required: ['form', 'error.connectionRequired'],
  enterprise_sign_in_required: ['form', 'error.organizationSignIn'],
  connection_taken: ['form', 'error.connectionTaken'],
  passkey_exists: ['form', 'passkeys.exists'],
  passkey_limit_reached: ['form', 'passkeys.limit'],
  sign_in_denied: ['form', 'error.denied'],
  sign_up_denied: ['form', 'error.denied'],
  unavailable: ['form', 'error.unavailable'],
  application_limit_reached: ['form', 'consent.full'],
} as const satisfies Partial<Record<ErrorCode, readonly [string, TextKey]>>

/** The message for the error with which a provider's answer ended. */
export const codeText = (code: string): TextKey | undefined =>
  code === 'access_denied'
    ? 'error.providerDenied'
    : Object.hasOwn(codeTexts, code)
      ? codeTexts[code as keyof typeof codeTexts][1]
      : undefined

export const minutesOf = ({ retryAfterSeconds = 60 }: Pick<ApiError, 'retryAfterSeconds'>) =>
  Math.max(Math.ceil(retryAfterSeconds / 60), 1)

type RefusedKey =
  | 'error.wrongPassword'
  | 'error.wrongCode'
  | 'error.wrongLink'
  | 'error.wrongPasskey'
  | 'passkeys.failed'

export interface ProblemOptions {
  /** The field and the message for a wrong proof. */
  readonly refused?: readonly [field: string, key: RefusedKey]
  readonly passwordLengthMin?: number
}

/** The errors whose text a hook of the tenant may have chosen. */
const deniedCodes: ReadonlySet<ErrorCode> = new Set(['sign_in_denied', 'sign_up_denied'])

/** The properties in which a link or a passkey is sent. */
const proofs: ReadonlySet<string> = new Set(['code', 'credential'])

/** Returns undefined if the form is not at fault: the attempt is over, the tenant is closed, or something has failed. */
export function problemsOf(
  error: ApiError,
  text: TextOf,
  { refused, passwordLengthMin = lengthMinEverywhere }: ProblemOptions = {},
): Problems | undefined {
  if (error.code === 'validation_failed') {
    const issues = error.issues.map((issue): readonly [string, string] => {
      const field = issue.path.slice(1) || 'form'
      // A link and a passkey have no field on the page: a malformed one is treated as wrong.
      if (refused?.[0] === 'form' && proofs.has(field.split('/', 1)[0] ?? '')) return ['form', text(refused[1])]
      return [field, sentenceOf(issue, text, passwordLengthMin)]
    })
    return { errors: Object.fromEntries(issues.toReversed()), status: 422 }
  }
  if (error.code === 'factor_refused' && refused !== undefined) {
    return { errors: { [refused[0]]: text(refused[1]) }, status: 422 }
  }
  if (error.code === 'too_many_attempts' || error.code === 'rate_limited') {
    return { errors: { form: text('error.tooManyTries', { count: minutesOf(error) }) }, status: 429 }
  }
  // A hook of the tenant says why, in the language of the page.
  if (deniedCodes.has(error.code) && error.message !== errorCatalogue[error.code].message)
    return { errors: { form: error.message }, status: 422 }
  if (!Object.hasOwn(codeTexts, error.code)) return undefined
  const [field, key] = codeTexts[error.code as keyof typeof codeTexts]
  return { errors: { [field]: text(key) }, status: 422 }
}
