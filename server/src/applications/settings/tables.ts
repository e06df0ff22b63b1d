import { UpdateOAuthSettings } from '@bailiwick/contract'
import { aHash, fieldsOf } from '../../platform/db/accepted.ts'
import { flag, id, integer, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'

/** The settings of a tenant's authorization server. A tenant without a row has the defaults: null, and 0 for flags. */
export const oauthSettings = table(
  'oauth_settings',
  {
    tenant_id: id<TenantId>(),
    ...many(flag().default(0), 'metadata_documents_enabled', 'registration_enabled'),
    /** The hash of the initial access token, without which no client can register itself. */
    registration_token_hash: text().nullable(),
    registration_token_expires_at: time().nullable(),
    /** In seconds. */
    ...many(integer().nullable(), 'access_token_ttl', 'refresh_token_ttl', 'id_token_ttl'),
    /** The verified domain whose origin is the issuer; null: the deployment's address below /t/{tenantId}. */
    issuer_domain: text().nullable(),
    /** 1 if the previous issuer is served, too, until `previous_issuer_until`; a null domain means as above. */
    has_previous_issuer: flag().default(0),
    previous_issuer_domain: text().nullable(),
    previous_issuer_until: time().nullable(),
    ...many(time(), 'created_at', 'updated_at'),
  },
  {
    key: ['tenant_id'],
    accepts: {
      ...fieldsOf(UpdateOAuthSettings),
      registration_token_hash: aHash,
      previous_issuer_domain: UpdateOAuthSettings.properties.issuerDomain,
    },
  },
)
