import { type ClaimMapping, CreateCustomProvider, type CustomProviderKey } from '@bailiwick/contract'
import { fieldsOf } from '../../platform/db/accepted.ts'
import { flag, json, many, record, text } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { SocialProviderId } from '../../platform/ids.ts'

export const customProviders = table(
  'custom_providers',
  {
    ...record<SocialProviderId>(),
    provider_key: text<CustomProviderKey>(),
    ...many(text(), 'name', 'issuer', 'client_id'),
    ...many(flag(), 'enabled', 'trust_emails', 'authenticatable', 'auto_connect_accounts'),
    ...many(text().nullable(), 'sealed_client_secret', 'redirect_uri', 'logo_id'),
    keep_tokens: flag().default(0),
    scopes: json<readonly string[]>(),
    token_scopes: json<readonly string[]>().nullable(),
    claims: json<Partial<ClaimMapping>>(),
  },
  {
    refusals: { custom_providers_key: 'provider_taken' },
    sealed: { sealed_client_secret: 'client_secret' },
    accepts: {
      ...fieldsOf(CreateCustomProvider),
      provider_key: CreateCustomProvider.properties.key,
      sealed_client_secret: CreateCustomProvider.properties.clientSecret,
    },
  },
)
