// The console's only connection to the service: the SDK, with the session's cookie or the operator's key, on the origin that the page came from.
import { Bailiwick, isBailiwickError } from '@bailiwick/sdk'
import type { AnswerOf, InputOf, OperationId } from './operations.ts'
import { asOperator, setOperatorKey } from './operator-key.ts'
import { ownMessages } from './own-messages.ts'
import { translateMessage } from './service-messages.ts'
import { signedInAgain } from './session-state.ts'

export const bailiwick = new Bailiwick({
  baseUrl: `${location.origin}/api/v0`,
  fetch: asOperator((url, init) => fetch(url, init)),
})

type AnyCall = (input?: object) => Promise<unknown>

/**
 * Calls an operation. If the session has ended, the call waits until somebody has signed in again and is then sent once more, so that
 * a form goes on where it was.
 * @throws BailiwickError
 */
export async function call<Id extends OperationId>(id: Id, input: InputOf<Id>): Promise<AnswerOf<Id>> {
  // Which operation it is, only its id says here.
  const operation = bailiwick[id] as unknown as AnyCall
  try {
    return (await operation(input)) as AnswerOf<Id>
  } catch (error) {
    if (!isBailiwickError(error, 'unauthenticated')) throw error
    // A key that is no longer valid would be refused again, whoever signs in.
    setOperatorKey(undefined)
    await signedInAgain((input as { readonly signal?: AbortSignal }).signal)
    return (await operation(input)) as AnswerOf<Id>
  }
}

/** Returns a sentence for people about whatever a call threw. */
export function messageOf(error: unknown): string {
  if (!isBailiwickError(error)) return error instanceof Error ? error.message : 'Something went wrong.'
  const { code, issues, message, retryAfterSeconds: seconds } = error
  if (code === 'network_error') return 'The service cannot be reached. Check the connection and try again.'
  if (code === 'timed_out') return 'The service did not respond in time. Try again.'
  // Only what is wrong says what to do.
  if (issues.length > 0)
    return issues.map(({ path, message: rule }) => `${path.slice(1)} ${translateMessage(rule)}.`.trim()).join(' ')
  const said = ownMessages[code] ?? translateMessage(message)
  return seconds === undefined ? said : `${said} Try again in ${seconds} seconds.`
}
