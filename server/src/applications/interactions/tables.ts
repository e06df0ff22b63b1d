import { id, json, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

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
