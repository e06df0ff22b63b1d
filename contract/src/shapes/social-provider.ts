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
} from '../schema.ts'

export const providerKeys = ['google', 'github', 'gitlab', 'apple', 'facebook'] as const
export type ProviderKey = (typeof providerKeys)[number]

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
})
export type SocialProvider = Static<typeof SocialProvider>

const settings = {
  useCustomCredentials: optional(
    boolean({
      description:
        "Whether the tenant's own client at the provider is used. If it is off, the deployment's client is used, if it has one. Off by default.",
    }),
  ),
  clientId: optional(nullableText({ maxLength: 512, description: "The id of the tenant's own client" })),
  clientSecret: optional(
    nullableText({ maxLength: 8192, description: 'The secret of that client. Kept sealed, never in an answer' }),
  ),
  redirectUri: optional(
    nullableText({
      format: 'web-uri',
      description: "The callback address that is registered at the provider. null: the service's own.",
    }),
  ),
  additionalScopes: optional(
    metaJson({ description: 'A list of scopes, or one text, requested in addition to those that signing in requires' }),
  ),
  authenticatable: optional(
    boolean({
      description: 'Whether the provider signs people in. If it is off, users may only connect it. On by default.',
    }),
  ),
  autoConnectAccounts: optional(
    boolean({
      description:
        'Whether an account is connected by a verified e-mail address alone. If it is off, its user must sign in first. On by default.',
    }),
  ),
  config: optional(
    metaJson({
      description:
        "What a provider needs beyond that: apple's teamId, keyId and privateKey, the baseUrl of a self-hosted GitLab",
    }),
  ),
}

export const CreateSocialProvider = object({
  tenantId: id(),
  providerKey: oneOf(providerKeys),
  enabled: boolean(),
  ...settings,
})
export type CreateSocialProvider = Static<typeof CreateSocialProvider>

export const UpdateSocialProvider = object({ enabled: optional(boolean()), ...settings })
export type UpdateSocialProvider = Static<typeof UpdateSocialProvider>
