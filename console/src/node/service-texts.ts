// What the service says of refused calls, as the console translates it: errors of operations and rules of fields.
import { type Endpoint, commonErrorCodes, endpoints, errorCatalogue, formats } from '@bailiwick/contract'
import { ownMessages } from '../api/own-messages.ts'

/** What only programs meet: how a request is written, its Idempotency-Key, cursors, refusals of gateways and the like. */
const ofPrograms =
  /^(?:malformed_|method_|request_t|uri_|unsupported_|misdirected_|headers_|idempotency_|ambiguous_|consent_|too_many_streams|api_key_refused|scopes_missing)/

/** Rules of the values of fields; numbers, and the ends of lists and patterns, are values. */
const rules = [
  'is required',
  'is required by this tenant',
  'is required, because no value is stored',
  'is not a known property',
  'must not be blank',
  'must have at least {0} characters',
  'must have at most {0} characters',
  'must be at least {0}',
  'must be at most {0}',
  'must have at least {0} items',
  'must have at most {0} items',
  'must have at most {0} properties',
  'must be one of {0}',
  'must match {0}',
  'must be whole number',
  'must be whole number or null',
  'must be number',
  'must be string',
  'must be boolean',
  'must not have the same item twice',
  'must be smaller than {0} KiB as JSON',
  'must be in the future',
  'must be a public file',
  'must be an https URL on the public internet',
  'must be an https URL; http is only for development tenants',
  'must be an enabled channel',
  'must be a known event type: {0} does not exist; did you mean {1}?',
  'is not a role of this tenant',
  'is not a user of this tenant',
  'is not a file of this tenant',
  'is not a member of the organization',
  'is not a verified domain of this tenant',
  'is not a scope of this resource',
  'is a scope of OpenID Connect',
  'is reserved',
  'appears twice',
  'was used before',
  'is too common',
  'has been in a data breach',
  'must not be a repeated pattern or a sequence',
  'must not be just a name, a username, an e-mail address, a phone number or the name of the service',
  'cannot be set without a role',
  'must not be more than maximum',
  'must not be more than maxLength',
  'must be an undamaged JPEG, PNG, WebP, GIF or AVIF image',
  'must be an undamaged JPEG, PNG, WebP, GIF, AVIF or SVG image',
]

/** Why a user cannot sign in, or a sign-in rule cannot be saved; names of settings and of connections are values. */
const reasons = [
  'the user is suspended',
  'the user is inactive',
  'no user has this identifier',
  'no first factor can be used',
  '{0} is off',
  'not used with an e-mail address',
  'not used with a phone number',
  'not used with a username',
  'the user has not set it up',
  'the user has no password',
  'the user has no security key',
  'the user has connected no social account',
  'the user must set up a second factor while signing in',
  'the e-mail address is not verified',
  'the phone number is not verified',
  'the connection {0} is required',
  'there is no e-mail channel',
  'there is no SMS channel',
  'no social provider is enabled',
  'cannot be turned on: there is no e-mail channel',
  'cannot be turned on: there is no SMS channel',
  'cannot be on while users cannot sign in by any strategy',
  'cannot be turned on while {0} is empty, because such roles could give no permissions',
]

/** Returns the errors of the operations that the console can call. */
function readErrors(): readonly string[] {
  const operations: readonly Endpoint[] = Object.values(endpoints)
  const codes = new Set([...commonErrorCodes, ...operations.flatMap(({ errors }) => errors)])
  return [...codes].flatMap((code) =>
    ofPrograms.test(code) || Object.hasOwn(ownMessages, code) ? [] : [errorCatalogue[code].message],
  )
}

/** Returns the English texts. */
export const readServiceTexts = (): readonly string[] => [
  ...readErrors(),
  ...Object.values(formats).map(({ rule }) => rule),
  ...rules,
  ...reasons,
]
