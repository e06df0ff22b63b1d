import type { AnyProviderKey } from '@bailiwick/contract'
import { id, json, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

export type StatePurpose =
  | 'sign_in'
  | 'sign_up'
  | 'connection'
  | 'enterprise'
  | 'enterprise_test'
  /** A sign-in that began at the provider, which the browser is asked about. */
  | 'enterprise_arrival'

/** A state is found by its hash alone, because it names the tenant. */
export const oauthStates = table(
  'oauth_states',
  {
    tenant_id: id<TenantId>(),
    ...many(text(), 'state_hash', 'provider_id', 'callback_uri', 'return_uri', 'sealed_secrets'),
    stage: text<'open' | 'used' | 'ticket'>(),
    purpose: text<StatePurpose>(),
    /** The id of the attempt, or of the session for a connection. */
    flow_id: text(),
    /** The hash of the token that the browser holds. */
    flow_hash: text(),
    user_id: id<UserId>().nullable(),
    provider_key: text<AnyProviderKey | 'enterprise'>(),
    transport: text<'cookie' | 'body'>(),
    /** The tenant's own domain if the browser holds its token there; null if it does on the deployment's address. */
    own_host: text().nullable(),
    ...many(text().nullable(), 'ticket_hash', 'sealed_identity'),
    /** The scopes that were requested for access that the tenant keeps; null if it keeps none. */
    access_scopes: json<readonly string[]>().nullable(),
    ...many(time(), 'expires_at', 'created_at'),
  },
  {
    key: ['tenant_id', 'state_hash'],
    sealed: { sealed_secrets: 'secrets', sealed_identity: 'identity' },
    notExported: 'they expire within minutes',
  },
)
