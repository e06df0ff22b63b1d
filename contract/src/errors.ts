// Every error of the service, with its status and its message. `docs/errors.md` explains each.

export const errorCatalogue = {
  validation_failed: { status: 400, message: 'The request has one or more errors. `issues` lists them.' },
  malformed_json: { status: 400, message: 'The body is not valid JSON in UTF-8.' },
  malformed_request: { status: 400, message: 'The request is not valid HTTP, or its path is not encoded correctly.' },
  strategy_unavailable: {
    status: 400,
    message:
      'The tenant does not offer this way to sign in. `supportedFirstFactors` and `supportedSecondFactors` of the attempt list what it offers.',
  },
  redirect_refused: { status: 400, message: 'The tenant does not allow this redirect URL.' },
  passkey_refused: {
    status: 400,
    message:
      'The passkey response does not match the options that were sent, or is not acceptable. Request new options.',
  },
  oauth_state_invalid: {
    status: 400,
    message:
      'The response of the social provider does not belong to a sign-in in this browser, or was used before. Start again.',
  },
  public_key_required: {
    status: 400,
    message:
      "The request does not say which tenant it is for. Send the tenant's public key in the header x-public-key, or use a domain of the tenant.",
  },
  unauthenticated: { status: 401, message: 'The request needs a valid credential.' },
  token_expired: { status: 401, message: 'The JWT has expired. Get a new one with POST /user/sessions/token.' },
  factor_refused: { status: 401, message: 'The password or code is not correct.' },
  api_key_refused: { status: 401, message: 'There is no valid API key in the request.' },
  provider_refused: { status: 401, message: 'The social provider did not confirm your identity.' },
  forbidden: { status: 403, message: 'This credential does not have the permission for this.' },
  session_token_required: {
    status: 403,
    message:
      'A JWT can only read data. To change data, send the session token (se_…) as Authorization: Bearer, or its cookie.',
  },
  email_unverified: {
    status: 403,
    message: 'Verify the e-mail address first: sign in with a code or link that is sent to it.',
  },
  phone_unverified: { status: 403, message: 'Verify the phone number first: sign in with a code that is sent to it.' },
  password_change_required: {
    status: 403,
    message: 'Choose a new password: send newPassword with this request, or reset the password.',
  },
  anonymous_user: { status: 403, message: 'Anonymous users cannot do this. Sign up first: the user keeps its id.' },
  email_not_allowed: { status: 403, message: 'The tenant does not accept sign-ups with this e-mail address.' },
  challenge_required: {
    status: 403,
    message:
      'Solve a puzzle first: GET /challenges returns it, and the header x-challenge sends the answer. Each answer is valid once.',
  },
  sign_in_denied: { status: 403, message: 'The tenant does not allow this sign-in.' },
  sign_up_denied: { status: 403, message: 'The tenant does not allow this sign-up.' },
  scopes_missing: { status: 403, message: 'The API key does not have the scopes that this needs.' },
  user_api_keys_disabled: { status: 403, message: 'API keys of users are turned off for this tenant.' },
  hook_denied: { status: 403, message: "The tenant's server does not allow this." },
  sign_up_disabled: { status: 403, message: 'Sign-up is turned off for this tenant.' },
  waitlist_closed: { status: 403, message: 'The tenant has no waiting list.' },
  reauthentication_required: {
    status: 403,
    message: 'This needs a session that is at most ten minutes old. Sign in again, then repeat the request.',
  },
  sign_in_disabled: { status: 403, message: 'Sign-in is turned off for this tenant.' },
  origin_refused: { status: 403, message: 'The tenant does not allow requests from pages of this origin.' },
  not_found: { status: 404, message: 'The resource does not exist.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method. The Allow header lists those that it supports.',
  },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  archive_conflict: {
    status: 409,
    message: 'The archive cannot be imported, because this server already has data that conflicts with it.',
  },
  ambiguous_id: { status: 409, message: "Several tenants have a record with this id. Use the tenant's own key." },
  connection_refused: {
    status: 403,
    message:
      'The organization has identified the user, but the user cannot sign in with its connection. The events of the tenant say why.',
  },
  enterprise_sign_in_required: {
    status: 403,
    message:
      "The organization of this e-mail address requires its own sign-in. Sign in with the organization's connection.",
  },
  group_exists: { status: 409, message: 'Another group of the organization has this name.' },
  group_limit_reached: { status: 409, message: 'An organization can have at most 100 groups.' },
  connection_limit_reached: { status: 409, message: 'An organization can have at most 20 connections.' },
  setup_link_limit_reached: { status: 409, message: 'An organization can have at most 20 set-up links.' },
  managed_by_directory: {
    status: 409,
    message: 'This is managed by the directory of the organization. Change it there.',
  },
  scim_token_limit_reached: {
    status: 409,
    message: 'A connection can have at most two SCIM tokens. Revoke one first.',
  },
  connection_not_tested: {
    status: 409,
    message:
      'Test the connection first: it can go live, or be required, once a sign-in with its present settings has succeeded.',
  },
  connection_required: {
    status: 409,
    message: 'A user with this e-mail address exists already. Sign in as that user first, then connect the provider.',
  },
  connection_taken: { status: 409, message: 'Another user of this tenant has connected this account.' },
  consent_required: {
    status: 409,
    message:
      'The user has not allowed this at the provider, or the provider no longer accepts it. Let the user allow it: POST /user/connections with `accessScopes`, or the hosted page /account/connections.',
  },
  contact_limit_reached: {
    status: 409,
    message: 'A user can have at most 100 e-mail addresses and 100 phone numbers.',
  },
  already_signed_in: { status: 409, message: 'A user is signed in already. Sign out first.' },
  contact_unverified: { status: 409, message: 'Verify the e-mail address or phone number first.' },
  invitation_invalid: {
    status: 409,
    message: 'This invitation has expired, was answered or revoked, or is for another e-mail address.',
  },
  last_manager: {
    status: 409,
    message: 'You are the last member who can manage this organization. Give another member that permission first.',
  },
  last_contact: {
    status: 409,
    message:
      'The user needs this e-mail address or phone number to sign in, or the tenant requires it. Add another one first.',
  },
  api_key_limit_reached: { status: 409, message: 'A tenant can have at most 100 API keys.' },
  user_api_key_limit_reached: {
    status: 409,
    message: 'The owner has as many API keys as the tenant allows. Revoke one first.',
  },
  changed_meanwhile: { status: 409, message: 'This was changed after you read it. `current` is its present state.' },
  application_limit_reached: { status: 409, message: 'A tenant can have at most 200 applications.' },
  application_without_secret: { status: 409, message: 'This application authenticates without a secret.' },
  channel_in_use: { status: 409, message: 'The sign-in rules use this channel. Choose another channel there first.' },
  channel_key_taken: { status: 409, message: 'Another channel of this tenant has this key.' },
  channel_name_taken: { status: 409, message: 'Another channel of this tenant has this name.' },
  email_taken: { status: 409, message: 'Another user of this tenant has this e-mail address.' },
  domain_exists: { status: 409, message: 'This domain was added before.' },
  domain_limit_reached: { status: 409, message: 'A tenant can have at most 100 domains, an organization at most 20.' },
  domain_taken: { status: 409, message: 'Another organization or tenant has already verified this domain.' },
  domain_unverified: { status: 409, message: 'Verify the domain first.' },
  file_in_use: {
    status: 409,
    message: 'This file is used as an icon, a logo or the picture of a user. Choose another file there first.',
  },
  idempotency_answer_lost: {
    status: 409,
    message: 'The first request with this Idempotency-Key was carried out, but its response was lost.',
  },
  idempotency_key_in_use: { status: 409, message: 'The first request with this Idempotency-Key is still running.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used for a different request.' },
  invitation_exists: { status: 409, message: 'An open invitation for this e-mail address exists already.' },
  last_way_in: { status: 409, message: 'This is the only way in which the user can sign in. Add another one first.' },
  last_admin: {
    status: 409,
    message:
      'This is the last member with roleAdmin, and a tenant needs at least one. Give another member roleAdmin first.',
  },
  media_quota_exceeded: { status: 409, message: 'The tenant has reached its limit of files or of storage.' },
  member_exists: { status: 409, message: 'This user is already a member.' },
  import_job_limit_reached: {
    status: 409,
    message: 'A tenant can have at most three unfinished imports. Wait for one, or cancel one.',
  },
  membership_limit_reached: { status: 409, message: 'The organization has reached its maximum number of members.' },
  organization_slug_taken: { status: 409, message: 'Another organization of this tenant has this slug.' },
  passkey_exists: { status: 409, message: 'This passkey was added before.' },
  passkey_limit_reached: { status: 409, message: 'A user can have at most 20 passkeys.' },
  phone_taken: { status: 409, message: 'Another user of this tenant has this phone number.' },
  provider_unusable: {
    status: 409,
    message: 'The social provider is not set up yet: its client id, its secret or a setting is missing or wrong.',
  },
  provider_tokens_disabled: {
    status: 409,
    message: 'The tokens of this provider are not kept: it is not enabled, or its keepTokens is off.',
  },
  provider_limit_reached: { status: 409, message: 'A tenant can have at most 50 custom providers.' },
  provider_taken: { status: 409, message: 'This tenant already has a social provider with this key.' },
  resource_in_use: {
    status: 409,
    message:
      'Applications have scopes of this resource, or can exchange its tokens. Remove it from those applications first.',
  },
  resource_indicator_taken: { status: 409, message: 'Another resource of this tenant has this indicator.' },
  resource_limit_reached: { status: 409, message: 'A tenant can have at most 100 resources.' },
  role_in_use: { status: 409, message: 'Users, members or invitations have this role. Give them another role first.' },
  message_over: {
    status: 409,
    message: 'The content of this message was removed, because it was sent or is no longer valid.',
  },
  role_limit_reached: {
    status: 409,
    message: 'The organization has as many roles of its own as the tenant allows.',
  },
  role_name_taken: { status: 409, message: 'Another role of this tenant has this name.' },
  second_factor_required: {
    status: 409,
    message: 'You must have a second factor here. Set up another one before you remove this one.',
  },
  second_factor_missing: { status: 409, message: 'Set up an authenticator app or a passkey first.' },
  sign_up_required: {
    status: 409,
    message: 'No user has connected this account yet, and the tenant requires more details. Sign up with the provider.',
  },
  slug_taken: { status: 409, message: 'Another tenant has this slug.' },
  template_in_use: {
    status: 409,
    message: 'The sign-in rules use this template. Choose another template there first.',
  },
  template_name_taken: { status: 409, message: 'Another template of this tenant has this name.' },
  transformation_name_taken: { status: 409, message: 'Another transformation of this tenant has this name.' },
  upload_finished: { status: 409, message: 'This upload is already finished.' },
  upload_under_way: { status: 409, message: 'Another request is sending the content of this upload.' },
  user_not_active: { status: 409, message: 'Only an active user can have a session.' },
  username_taken: { status: 409, message: 'Another user of this tenant has this username.' },
  webhook_disabled: { status: 409, message: 'This webhook is disabled. Enable it first.' },
  test_mode_unavailable: {
    status: 409,
    message: 'Test mode needs a tenant whose environment is development, on a server that allows it.',
  },
  tenant_limit_reached: {
    status: 409,
    message: 'You have created as many tenants as this server allows. Delete one, or ask the operator.',
  },
  hook_limit_reached: { status: 409, message: 'A tenant can have at most 10 hooks.' },
  webhook_limit_reached: { status: 409, message: 'A tenant can have at most 50 webhooks.' },
  attempt_not_open: {
    status: 409,
    message: 'This attempt is finished or has expired, or data that it depends on has changed. Start a new one.',
  },
  attempt_at_another_step: {
    status: 409,
    message: 'This attempt is at another step. Read its status and continue from there.',
  },
  events_removed: {
    status: 410,
    message: 'Events after this place were removed because of their age. `message` says where to go on.',
  },
  image_too_large: { status: 413, message: 'The image has too many pixels or frames.' },
  payload_too_large: { status: 413, message: 'The body is too large for this operation.' },
  uri_too_long: { status: 414, message: 'The URL is longer than 4,096 bytes.' },
  image_unprocessable: { status: 422, message: 'The image, or one of its layers, cannot be processed.' },
  archive_refused: { status: 422, message: 'The file is not an archive of a tenant that this server can import.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json in UTF-8.' },
  misdirected_request: { status: 421, message: 'This server does not serve this host.' },
  message_quota_reached: {
    status: 429,
    message:
      "The limit of messages that this tenant can send through the server's own channel is reached. Try again after the time in Retry-After.",
  },
  rate_limited: { status: 429, message: 'There were too many requests. Try again after the time in Retry-After.' },
  too_many_streams: { status: 429, message: 'Too many event streams are open. Close one, or try again shortly.' },
  too_many_attempts: { status: 429, message: 'There were too many attempts. Try again after the time in Retry-After.' },
  headers_too_large: { status: 431, message: 'The headers are larger than 16 KiB.' },
  internal_error: {
    status: 500,
    message: 'The server failed to process the request. The request id identifies the failure in its log.',
  },
  billing_not_offered: {
    status: 501,
    message:
      'This service has no subscriptions and invoices. GET and PUT /tenants/{id}/billing keep orgId, plan, paymentMethodId, paymentMethodBrand and paymentMethodLast4.',
  },
  unavailable: { status: 503, message: 'The server cannot process the request at the moment. Try again shortly.' },
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
