import type { ProviderKey } from '@bailiwick/contract'
import { id, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

/** A state is found by its hash alone, before it says which tenant it is of. */
export const oauthStates = table(
  'oauth_states',
  {
    tenant_id: id<TenantId>(),
    ...many(text(), 'state_hash', 'provider_id', 'callback_uri', 'return_uri', 'sealed_secrets'),
    stage: text<'open' | 'used' | 'ticket'>(),
    purpose: text<'sign_in' | 'sign_up' | 'connection'>(),
    /** The attempt; of a connection the session. */
    flow_id: text(),
    /** The hash of the token that the browser holds. */
    flow_hash: text(),
    user_id: id<UserId>().nullable(),
    provider_key: text<ProviderKey>(),
    transport: text<'cookie' | 'body'>(),
    /** The tenant's own domain where the browser holds its token there; null: it does on the deployment's address. */
    own_host: text().nullable(),
    ...many(text().nullable(), 'ticket_hash', 'sealed_identity'),
    ...many(time(), 'expires_at', 'created_at'),
  },
  {
    key: ['tenant_id', 'state_hash'],
    sealed: { sealed_secrets: 'secrets', sealed_identity: 'identity' },
    notExported: 'they expire within minutes',
  },
)
