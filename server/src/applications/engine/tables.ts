import { id, json, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { ApplicationId, GrantId, OrganizationId, SessionId, TenantId, UserId } from '../../platform/ids.ts'

const payload = { payload: json<Readonly<Record<string, unknown>>>() }

/** Browsers' sessions with the authorization server. */
export const oauthSessions = table(
  'oauth_sessions',
  {
    tenant_id: id<TenantId>(),
    ...many(text(), 'id_hash', 'uid'),
    /** The session that it was made from and ends with; null before a user has signed in. */
    session_id: id<SessionId>().nullable(),
    user_id: id<UserId>().nullable(),
    ...payload,
    ...many(time(), 'expires_at', 'created_at'),
  },
  { key: ['tenant_id', 'id_hash'], notExported: 'a sign-in holds where it was made' },
)

/** Codes and tokens of all kinds, and the objects of the engine that belong to them. */
export const oauthTokens = table(
  'oauth_tokens',
  {
    tenant_id: id<TenantId>(),
    ...many(text(), 'id_hash', 'kind'),
    client_id: text().nullable(),
    application_id: id<ApplicationId>().nullable(),
    user_id: id<UserId>().nullable(),
    organization_id: id<OrganizationId>().nullable(),
    grant_id: id<GrantId>().nullable(),
    /** The issued tokens of one authorization, which a second use of a code or refresh token ends. */
    family_id: text().nullable(),
    /** The session that it ends with; null for one that survives a sign-out. */
    session_id: id<SessionId>().nullable(),
    user_code_hash: text().nullable(),
    ...payload,
    /** The answer of a rotation, which is repeated to the same client for a short time. */
    sealed_answer: text().nullable(),
    consumed_at: time().nullable(),
    ...many(time(), 'expires_at', 'created_at'),
  },
  {
    key: ['tenant_id', 'id_hash'],
    sealed: { sealed_answer: 'answer' },
    notExported: 'a sign-in holds where it was made',
  },
)

/** The ids of signed requests that were used. */
export const oauthReplays = table(
  'oauth_replays',
  { tenant_id: id<TenantId>(), id_hash: text(), expires_at: time() },
  { key: ['tenant_id', 'id_hash'], notExported: 'remembered for minutes' },
)

/** Requests for authorization that wait for the user. */
export const oauthInteractions = table(
  'oauth_interactions',
  {
    tenant_id: id<TenantId>(),
    ...many(text(), 'id_hash', 'client_id'),
    user_id: id<UserId>().nullable(),
    /** The hash of the ticket with which the browser that has signed in continues. */
    ticket_hash: text().nullable(),
    payload: json<Readonly<Record<string, unknown>>>(),
    ...many(time(), 'expires_at', 'created_at'),
  },
  { key: ['tenant_id', 'id_hash'], notExported: 'a flow goes on where it was begun' },
)
