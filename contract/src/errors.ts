// Every error of the service, with its status and its sentence for people. `docs/errors.md` explains each.

export const errorCatalogue = {
  validation_failed: { status: 400, message: 'The request breaks one or more rules; see issues.' },
  malformed_json: { status: 400, message: 'The body is not well-formed JSON in UTF-8.' },
  malformed_request: { status: 400, message: 'The request is not well-formed HTTP or its path is not well encoded.' },
  strategy_unavailable: {
    status: 400,
    message: "This tenant does not offer that strategy here; see the attempt's supported factors.",
  },
  redirect_refused: { status: 400, message: 'The redirect address is not one that the tenant has listed.' },
  passkey_refused: {
    status: 400,
    message: 'That is no answer to the options that were given, or no acceptable one; ask for new options.',
  },
  oauth_state_invalid: {
    status: 400,
    message:
      'This answer of a social provider does not belong to a sign-in of this browser, or was used already; begin again.',
  },
  public_key_required: {
    status: 400,
    message:
      "Say which tenant this is for: send the tenant's public key as the header x-public-key, or call at a domain of the tenant's.",
  },
  unauthenticated: { status: 401, message: 'A valid credential is needed.' },
  token_expired: { status: 401, message: 'This JWT has expired: get a fresh one with POST /user/sessions/token.' },
  factor_refused: { status: 401, message: 'That is not right.' },
  provider_refused: { status: 401, message: 'The social provider has not confirmed who you are.' },
  forbidden: { status: 403, message: 'This credential does not allow that.' },
  session_token_required: {
    status: 403,
    message:
      "A JWT can only read. To change something send the session's own token (se_…) as Authorization: Bearer, or its cookie.",
  },
  email_unverified: {
    status: 403,
    message: 'The e-mail address has to be verified first: sign in with a code or link that is sent to it.',
  },
  phone_unverified: {
    status: 403,
    message: 'The phone number has to be verified first: sign in with a code that is sent to it.',
  },
  password_change_required: {
    status: 403,
    message: 'Another password has to be chosen: send newPassword along, or reset the password.',
  },
  sign_up_disabled: { status: 403, message: 'This tenant does not let anybody sign up.' },
  reauthentication_required: {
    status: 403,
    message: 'This needs a session that began at most ten minutes ago: sign in again, then repeat it.',
  },
  sign_in_disabled: { status: 403, message: 'This tenant does not let anybody sign in.' },
  origin_refused: { status: 403, message: 'A page of that origin may not call; the tenant has not listed it.' },
  not_found: { status: 404, message: 'There is no such resource.' },
  method_not_allowed: { status: 405, message: 'This path does not take that method; see the Allow header.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  archive_conflict: { status: 409, message: 'Something here is in the way of the tenant in the archive.' },
  ambiguous_id: { status: 409, message: "Several tenants have a record with this id; use the tenant's own key." },
  connection_required: {
    status: 409,
    message: 'There is an account with this e-mail address: sign in to it first, then connect the provider.',
  },
  connection_taken: { status: 409, message: 'Another user of this tenant has connected this account.' },
  contact_limit_reached: { status: 409, message: 'A user has at most 100 e-mail addresses and 100 phone numbers.' },
  contact_unverified: { status: 409, message: 'An address or number has to be verified for that.' },
  invitation_invalid: {
    status: 409,
    message: 'This invitation has expired, was answered or revoked, or is for somebody else.',
  },
  last_manager: { status: 409, message: 'An organization keeps a member who may manage its members.' },
  last_contact: {
    status: 409,
    message: 'The tenant requires it, or nothing else is left to sign in with; add another one first.',
  },
  api_key_limit_reached: { status: 409, message: 'A tenant has at most 100 API keys.' },
  changed_meanwhile: {
    status: 409,
    message: 'Somebody has changed this since it was read; `current` is what it is now.',
  },
  application_limit_reached: { status: 409, message: 'A tenant has at most 200 applications.' },
  application_without_secret: { status: 409, message: 'This application shows itself without a secret.' },
  channel_in_use: {
    status: 409,
    message: 'The authentication configuration uses this channel; point it elsewhere first.',
  },
  channel_key_taken: { status: 409, message: 'Another channel of this tenant has this key.' },
  channel_name_taken: { status: 409, message: 'Another channel of this tenant has this name.' },
  email_taken: { status: 409, message: 'Another user of this tenant has this e-mail address.' },
  domain_exists: { status: 409, message: 'This domain has been added already.' },
  domain_limit_reached: { status: 409, message: 'A tenant has at most 100 domains, an organization at most 20.' },
  domain_taken: { status: 409, message: 'Another has verified this domain.' },
  domain_unverified: { status: 409, message: 'This requires a verified domain.' },
  file_in_use: {
    status: 409,
    message:
      "This file is shown as the tenant's icon or logo, as that of a provider, or as the picture of a user; choose another one first.",
  },
  idempotency_answer_lost: {
    status: 409,
    message: 'The request with this Idempotency-Key took effect, but its answer was lost.',
  },
  idempotency_key_in_use: { status: 409, message: 'The first request with this Idempotency-Key is still running.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used for another request.' },
  invitation_exists: { status: 409, message: 'There is an open invitation for this e-mail address already.' },
  last_way_in: { status: 409, message: 'The user could no longer sign in; add another way of signing in first.' },
  last_admin: { status: 409, message: 'A tenant must keep at least one member with roleAdmin.' },
  media_quota_exceeded: { status: 409, message: 'The tenant has as many files, or bytes of them, as it may have.' },
  member_exists: { status: 409, message: 'This user is a member already.' },
  membership_limit_reached: { status: 409, message: 'The organization has reached its limit of members.' },
  organization_slug_taken: { status: 409, message: 'Another organization of this tenant has this slug.' },
  passkey_exists: { status: 409, message: 'This passkey has been added already.' },
  passkey_limit_reached: { status: 409, message: 'A user has at most 20 passkeys.' },
  phone_taken: { status: 409, message: 'Another user of this tenant has this phone number.' },
  provider_unusable: {
    status: 409,
    message: 'The social provider is not set up completely: its client id, secret or config is missing or wrong.',
  },
  provider_limit_reached: { status: 409, message: 'A tenant has at most 50 custom providers.' },
  provider_taken: { status: 409, message: 'This tenant has a social provider of this key already.' },
  resource_in_use: {
    status: 409,
    message: 'Applications have scopes at this resource or may exchange its tokens. Remove that from them first.',
  },
  resource_indicator_taken: { status: 409, message: 'Another resource of this tenant has this indicator.' },
  resource_limit_reached: { status: 409, message: 'A tenant has at most 100 resources.' },
  role_in_use: { status: 409, message: 'Users, members or invitations hold this role; give them another one first.' },
  message_over: {
    status: 409,
    message: 'The content of this message has been removed: it was sent, or is no longer valid.',
  },
  role_name_taken: { status: 409, message: 'Another role of this tenant has this name.' },
  second_factor_missing: { status: 409, message: 'Set up an authenticator app or a passkey first.' },
  sign_up_required: {
    status: 409,
    message: 'This account of the provider is new here, and the tenant asks for more: sign up with the provider.',
  },
  slug_taken: { status: 409, message: 'Another tenant has this slug.' },
  template_in_use: {
    status: 409,
    message: 'The authentication configuration uses this template; point it elsewhere first.',
  },
  template_name_taken: { status: 409, message: 'Another template of this tenant has this name.' },
  transformation_name_taken: { status: 409, message: 'Another transformation of this tenant has this name.' },
  upload_finished: { status: 409, message: 'This upload is finished already.' },
  upload_under_way: { status: 409, message: 'The bytes of this upload are arriving already.' },
  user_not_active: { status: 409, message: 'Only an active user can have a session.' },
  username_taken: { status: 409, message: 'Another user of this tenant has this username.' },
  webhook_disabled: { status: 409, message: 'This webhook is disabled; enable it first.' },
  tenant_limit_reached: {
    status: 409,
    message: 'The console user has created as many tenants as this deployment allows; delete one, or ask the operator.',
  },
  webhook_limit_reached: { status: 409, message: 'A tenant has at most 50 webhooks.' },
  attempt_not_open: {
    status: 409,
    message: 'No such attempt is open: it is finished, has expired, or what it rests on has changed; begin a new one.',
  },
  attempt_at_another_step: {
    status: 409,
    message: 'The attempt is open, but at another step; read its status and continue from there.',
  },
  image_too_large: { status: 413, message: 'The image has more pixels or frames than this service accepts.' },
  payload_too_large: { status: 413, message: 'The body is larger than this operation accepts.' },
  uri_too_long: { status: 414, message: 'The address is longer than 4,096 bytes.' },
  image_unprocessable: { status: 422, message: 'The image, or a layer of it, cannot be processed.' },
  archive_refused: { status: 422, message: 'The file is not an archive of a tenant that can be imported here.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json in UTF-8.' },
  misdirected_request: { status: 421, message: 'This service does not answer for that host.' },
  message_quota_reached: {
    status: 429,
    message: "No further message may be sent through the deployment's own channel for now; see Retry-After.",
  },
  rate_limited: { status: 429, message: 'Too many requests; try again after the time that Retry-After gives.' },
  too_many_streams: { status: 429, message: 'Too many streams are open; close one or try again shortly.' },
  too_many_attempts: { status: 429, message: 'Too many tries; wait as long as Retry-After says.' },
  headers_too_large: { status: 431, message: 'The headers are larger than 16 KiB.' },
  internal_error: { status: 500, message: 'Something failed on our side; the request id finds it in the log.' },
  billing_not_offered: {
    status: 501,
    message:
      'This service has no subscriptions and invoices. GET and PUT /tenants/{id}/billing keep orgId, plan, paymentMethodId, paymentMethodBrand and paymentMethodLast4.',
  },
  unavailable: { status: 503, message: 'The service cannot do this just now; try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** The errors of every operation, in addition to those that it declares. */
export const commonErrorCodes = [
  'validation_failed',
  'malformed_json',
  'malformed_request',
  'unauthenticated',
  'forbidden',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'misdirected_request',
  'idempotency_answer_lost',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** The errors of paths that no operation has. */
export const outsideErrorCodes = ['billing_not_offered'] as const satisfies readonly ErrorCode[]

/** One broken rule; `path` is a JSON pointer into the body, or into the query or path parameters. */
export interface Issue {
  readonly path: string
  readonly code: string
  readonly message: string
}
