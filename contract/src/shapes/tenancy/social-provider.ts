import type { Static } from 'typebox'
import {
  anyJson,
  metaJson,
  boolean,
  id,
  nullableBoolean,
  nullableText,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { providerKeys } from '../../social-providers.ts'
import { presentedTokenSettings, tokenSettings } from './token-settings.ts'

/** A social provider that a tenant has set up. */
export const SocialProvider = object({
  id: text(),
  tenantId: text(),
  providerKey: oneOf(providerKeys),
  enabled: boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  useCustomCredentials: optional(nullableBoolean()),
  clientId: optional(nullableText()),
  redirectUri: optional(nullableText()),
  additionalScopes: optional(anyJson()),
  authenticatable: optional(nullableBoolean()),
  autoConnectAccounts: optional(nullableBoolean()),
  config: optional(anyJson()),
  ...presentedTokenSettings,
})
export type SocialProvider = Static<typeof SocialProvider>

const settings = {
  useCustomCredentials: optional(
    boolean({
      description:
        "Whether the tenant's own client at the provider is used. If it is off, the deployment's client is used, if it has one. Off by default.",
    }),
  ),
  clientId: optional(nullableText({ maxLength: 512, description: "The client ID of the tenant's own client" })),
  clientSecret: optional(
    nullableText({ maxLength: 8192, description: 'The secret of that client. Stored encrypted, and never returned' }),
  ),
  redirectUri: optional(
    nullableText({
      format: 'web-uri',
      description: "The callback URL that is registered at the provider. null: the service's own.",
    }),
  ),
  additionalScopes: optional(
    metaJson({ description: 'Scopes to request in addition to those that sign-in needs, as a list or as one string' }),
  ),
  authenticatable: optional(
    boolean({
      description:
        'Whether users can sign in with the provider. While it is off, users can only connect it. On by default.',
    }),
  ),
  autoConnectAccounts: optional(
    boolean({
      description:
        'Whether a verified e-mail address alone connects an account at the provider to an existing user. While it is off, that user must sign in first. On by default.',
    }),
  ),
  config: optional(
    metaJson({
      description:
        'Further settings of the provider: teamId, keyId and privateKey of Apple, the baseUrl of a self-hosted GitLab',
    }),
  ),
  ...tokenSettings,
}

/** What a social provider is added with. */
export const CreateSocialProvider = object({
  tenantId: id(),
  providerKey: oneOf(providerKeys),
  enabled: boolean(),
  ...settings,
})
export type CreateSocialProvider = Static<typeof CreateSocialProvider>

/** The properties of a social provider to change. */
export const UpdateSocialProvider = object({ enabled: optional(boolean()), ...settings })
export type UpdateSocialProvider = Static<typeof UpdateSocialProvider>

export const socialProviderStates = ['absent', 'disabled', 'incomplete', 'ready'] as const

/** A social provider, and whether sign-in pages offer it. */
export const SocialProviderState = object({
  providerKey: oneOf(providerKeys),
  providerId: nullableText({ description: 'null if the tenant does not have the provider' }),
  state: oneOf(socialProviderStates, {
    description:
      'absent: the tenant does not have it; disabled: it is switched off; incomplete: it has no client with which anybody could sign in, so sign-in pages do not offer it; ready: sign-in pages offer it',
  }),
  hasDeploymentClient: boolean({
    description: 'Whether the deployment has a client for it, which every tenant can use',
  }),
  callbackUri: text({ description: 'The callback URL to register at the provider' }),
})
export type SocialProviderState = Static<typeof SocialProviderState>
