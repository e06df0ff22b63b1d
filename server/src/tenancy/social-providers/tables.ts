import { CreateSocialProvider, type ProviderKey } from '@bailiwick/contract'
import { fieldsOf } from '../../platform/db/accepted.ts'
import { flag, json, many, record, text } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { SocialProviderId } from '../../platform/ids.ts'

export const socialProviders = table(
  'social_providers',
  {
    ...record<SocialProviderId>(),
    provider_key: text<ProviderKey>(),
    ...many(flag().default(0), 'enabled', 'keep_tokens'),
    ...many(flag().nullable(), 'use_custom_credentials', 'authenticatable', 'auto_connect_accounts'),
    ...many(text().nullable(), 'client_id', 'sealed_client_secret', 'redirect_uri'),
    ...many(json().nullable(), 'additional_scopes', 'config'),
    token_scopes: json<readonly string[]>().nullable(),
  },
  {
    refusals: { social_providers_key: 'provider_taken' },
    sealed: { sealed_client_secret: 'client_secret' },
    accepts: { ...fieldsOf(CreateSocialProvider), sealed_client_secret: CreateSocialProvider.properties.clientSecret },
  },
)
