// Also read where the texts are put together, which is not in a browser.

/** By error code: what people are told instead of a sentence that is written for programs. */
export const ownMessages: Readonly<Record<string, string>> = {
  validation_failed: 'Some values are not accepted.',
  unauthenticated: 'Your session has ended. Sign in again.',
  forbidden: 'You do not have the right to do this.',
  not_found: 'This does not exist any more, or you do not have the right to see it.',
  changed_meanwhile: 'This was changed after you read it.',
  last_admin: 'This is the last administrator who may do everything. Give another one all rights first.',
  payload_too_large: 'This is larger than the service accepts.',
  rate_limited: 'There were too many requests.',
  too_many_attempts: 'There were too many attempts.',
  message_quota_reached: "This tenant has sent as many messages as the service's own channel allows for now.",
  internal_error: 'Something went wrong on the server.',
  unavailable: 'The server cannot do this at the moment.',
}
